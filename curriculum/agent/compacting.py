"""A summary is got where the policy wants one, and looked at before anything is replaced.

A compaction that does not do what it is for replaces nothing and is written down with the reason.
"""

from typing import TYPE_CHECKING

import attrs

from curriculum.context.compaction import (
    Needs,
    asking,
    digest,
    handles,
    instruction,
    lost,
    trust_of,
)
from curriculum.context.pooling import Compaction
from curriculum.record.records import Author, Kind, Record, record_id
from curriculum.record.text import scalar
from curriculum.trace.compacting_events import Compacted, ContextCompact
from curriculum.wire.request import message_of

if TYPE_CHECKING:
    from .runner import Run


def compact(run: "Run", needs: Needs, cause: int) -> tuple[Compacted, int]:
    """Get the summary, append it if it does what it is for, and write down what came of it.

    Return the outcome and the seq of the last event.
    """
    pooling = run.runner.policy.pooling
    assert pooling is not None
    assert pooling.compact is not None
    said, text = _asked(run, needs, pooling.compact)
    if said.outcome is not Compacted.DONE:
        return said.outcome, run.emit("context.compact", said, cause)
    summary = _summary(run, needs, text)
    fields = {"author": summary.author, "source": summary.source, "replaces": needs.replaces}
    before = [("context.compact", said)]
    seq = run.append(cause, Kind.SUMMARY, text, before, trust=summary.trust, **fields)
    return said.outcome, seq


def _asked(run: "Run", needs: Needs, terms: Compaction) -> tuple[ContextCompact, str]:
    """Ask for the summary, and look at what comes back."""
    index, limit = run.index, run.runner.budget.max_input
    ask = asking(index, needs, terms)
    said = ContextCompact(
        trigger=needs.trigger,
        limit=needs.limit,
        measured=needs.measured,
        replaces=needs.replaces,
        records=len(needs.members),
        sha256=digest(index, needs),
        before=needs.before,
        told=instruction(terms),
        size=ask.size,
        outcome=Compacted.DONE,
    )
    if ask.size > limit:
        return attrs.evolve(said, outcome=Compacted.DOES_NOT_FIT), ""
    request = ask.request
    said = attrs.evolve(said, bytes=len(request.body), fingerprint=request.fingerprint)
    summariser = run.runner.summariser
    assert summariser is not None
    try:
        answer = summariser.summarise(request)
    except Exception:  # whatever it trips over, the run goes on without a summary
        return attrs.evolve(said, outcome=Compacted.FAILED, code="summariser-raised"), ""
    if not isinstance(answer, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        return attrs.evolve(said, outcome=Compacted.FAILED, code="summary-no-text"), ""
    text = scalar(answer)
    if not text.strip():
        return attrs.evolve(said, outcome=Compacted.EMPTY), ""
    text = "\n".join([text, *handles(index, needs)])
    return _checked(run, needs, terms, said, text), text


def _checked(
    run: "Run", needs: Needs, terms: Compaction, said: ContextCompact, text: str
) -> ContextCompact:
    """What had to survive has, and the request has become smaller; or that is the outcome."""
    missed = lost(run.index, needs, terms, text)
    if missed:
        return attrs.evolve(said, outcome=Compacted.LOST, lost=tuple(missed))
    index, summary = run.index, _summary(run, needs, text)
    if index.wire.refuses(summary) is not None:
        return attrs.evolve(said, outcome=Compacted.FAILED, code="summary-no-slot")
    item = "".join(t for _, t in index.wire.pieces(message_of(summary, None, summary.id)))
    after = index.counter.size(item) + index.joint
    outcome = Compacted.GREW if after >= needs.before else Compacted.DONE
    return attrs.evolve(said, outcome=outcome, after=after)


def _summary(run: "Run", needs: Needs, text: str) -> Record:
    """The record that would be appended: its label is the lowest of what it replaces."""
    records = run.session.records
    trust = trust_of([records[at] for at in needs.members])
    name = record_id(len(records) + 1)
    return Record(name, Kind.SUMMARY, trust, Author.MODEL, "summary", text, replaces=needs.replaces)
