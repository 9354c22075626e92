"""A projection by choices that a harness of one's own makes.

The harness says what becomes of each record and why; sizes, bytes and the table follow from that.
What no wire could send, and what would break a law, is refused here.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence

import attrs

from curriculum.count.counters import utf8
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group
from curriculum.record.graphemes import at_or_after, at_or_before
from curriculum.record.law import LawBroken
from curriculum.record.records import Kind, Record, record_id
from curriculum.record.text import scalar

from .assemble import Projection, project
from .index import SessionIndex
from .manifest import Decision, Manifest
from .plan import Plan, Row
from .reasons import REASONS

NAMED = 6
"""Records that are named where a request is over its limit: the biggest."""
DECISIONS = ("admitted", "cut", "replaced", "omitted")


@attrs.frozen
class Choice:
    """What becomes of one record, and the harness's own word for why, such as `too-old`.

    `head` and `tail` are the characters that a cut keeps at each end, at most: no character that
    a reader sees as one is split. Raises `LawBroken` for another decision or a negative number,
    `TypeError` for a reason that is no text or an end that is no whole number.
    """

    decision: str
    reason: str
    head: int = 0
    tail: int = 0
    text: str = ""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.reason, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a reason is text, not {type(self.reason).__name__}")
        if not isinstance(self.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"what is sent instead is text, not {type(self.text).__name__}")
        object.__setattr__(self, "reason", scalar(self.reason))
        object.__setattr__(self, "text", scalar(self.text))
        if self.decision not in DECISIONS:
            raise LawBroken(
                3, f"{self.decision!a} is no decision.", f"known: {', '.join(DECISIONS)}"
            )
        for name, end in (("head", self.head), ("tail", self.tail)):
            if type(end) is not int:
                raise TypeError(f"{name} is a whole number, not {type(end).__name__}")
            if end < 0:
                raise LawBroken(3, f"A cut cannot keep {end} characters.", name)

    @classmethod
    def admit(cls, reason: str) -> "Choice":
        """Send it as the log has it."""
        return cls("admitted", reason)

    @classmethod
    def omit(cls, reason: str) -> "Choice":
        """Leave it out of this request."""
        return cls("omitted", reason)

    @classmethod
    def cut(cls, reason: str, *, head: int = 0, tail: int = 0) -> "Choice":
        """Send only the two ends of a tool result, with a marker between them."""
        return cls("cut", reason, head, tail)

    @classmethod
    def replace(cls, reason: str, text: str) -> "Choice":
        """Send a text of the harness's own instead of a tool result's, such as `[cleared]`."""
        return cls("replaced", reason, text=text)


@attrs.frozen
class Terms:
    """What one assembly is bound by. Sizes are in the unit of the index's counter."""

    policy: str
    limit: int
    reserve: int
    max_messages: int | None
    trigger: str
    capacity: int | None = None


def chosen(
    index: SessionIndex, choices: Mapping[str, Choice], rest: Choice | None, terms: Terms
) -> Projection:
    """The projection that the choices lead to; `rest` is for records that have none of their own.

    What cannot be sent at all is omitted with the reason for that. Raises `LawBroken`.
    """
    places = sys.maxsize if terms.max_messages is None else terms.max_messages
    plan = Plan(index, terms.limit, places)
    _known(index, choices, rest)
    for group in index.groups:
        if (defect := index.defect(group)) is not None:
            _not_sent(group, defect, choices)
            plan.rows += [Row(at, at, "omitted", defect) for at in group.members]
            continue
        _decide(plan, group, [_choice(index, at, choices, rest) for at in group.members])
    made = project(plan, _manifest(index, plan, terms, places), terms.capacity)
    _within(made.manifest, terms, places, plan.places)
    return made


def _manifest(index: SessionIndex, plan: Plan, terms: Terms, places: int) -> Manifest:
    counter = index.counter
    return Manifest(
        trigger=terms.trigger,
        policy=terms.policy,
        wire=index.wire.id,
        counter=counter.id,
        unit=counter.unit,
        bound=counter.bound_name,
        limit=terms.limit,
        reserve=terms.reserve,
        candidates=index.candidates,
        messages=places - plan.places,
    )


def _known(index: SessionIndex, choices: Mapping[str, Choice], rest: Choice | None) -> None:
    candidates = {r.id for r in index.records if r.kind is not Kind.OPAQUE}
    for name in choices:
        if name not in candidates:
            raise LawBroken(3, f"{name!a} is no candidate.", f"candidates: {len(candidates)}")
    for choice in (*choices.values(), *filter(None, [rest])):
        if not isinstance(choice, Choice):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"what becomes of a record is a Choice, not {type(choice).__name__}")


def _not_sent(group: Group, defect: str, choices: Mapping[str, Choice]) -> None:
    for at in group.members:
        choice = choices.get(record_id(at + 1))
        if choice is not None and choice.decision != "omitted":
            law = 5 if defect in ("unpaired-result", "unanswered-call") else 7
            raise LawBroken(
                law, f"{record_id(at + 1)} cannot be sent.", f"{defect}: {REASONS[defect].sentence}"
            )


def _choice(
    index: SessionIndex, at: int, choices: Mapping[str, Choice], rest: Choice | None
) -> Choice:
    record = index.records[at]
    choice = choices.get(record.id, rest)
    if choice is None:
        why = f"{record.kind}, one of {index.candidates} candidates"
        raise LawBroken(
            3, f"{record.id} has no decision.", why, next="give it a choice, or give `rest`"
        )
    if not choice.reason or choice.reason in REASONS:
        raise LawBroken(
            6,
            f"{choice.reason!r} is no reason of a harness's own.",
            f"{record.id}: a reason is a word of its own; those of the rules here are taken",
        )
    if choice.decision in ("cut", "replaced") and record.kind is not Kind.RESULT:
        what = f"{record.id} is of kind {record.kind}"
        raise LawBroken(5, f"{what}; only results are {choice.decision}.")
    return choice


def _decide(plan: Plan, group: Group, made: list[Choice]) -> None:
    index, records = plan.index, plan.index.records
    left_out = [c.decision == "omitted" for c in made]
    if any(left_out):
        _whole_exchange(index, group, left_out)
        plan.rows += [
            Row(at, at, "omitted", c.reason) for at, c in zip(group.members, made, strict=True)
        ]
        return
    items: list[str] = []
    for at, choice in zip(group.members, made, strict=True):
        sent = _sent(records[at], choice)
        if isinstance(sent, Cut):  # some wires can send no blank end, so that it is missing too
            sent = index.wire.heard(index.message(at, sent)).cut or sent
        items.append(index.item(at, sent))
        own = index.size(at, items[-1]), utf8(items[-1])
        if sent is None:
            plan.rows.append(Row(at, at, "admitted", choice.reason, *own))
            continue
        if isinstance(sent, str):
            _seen(index, group, at)
            more: dict[str, int | str] = {"text": sent}
        else:
            more = {"head": len(sent.head), "tail": len(sent.tail), "missing": sent.missing}
        plan.cuts[at] = sent
        plan.rows.append(Row(at, at, choice.decision, choice.reason, *own, more))
    plan.sent[group.members[0]] = index.spell(group.members, items)
    plan.places -= plan.messages(group.members)


def _seen(index: SessionIndex, group: Group, at: int) -> None:
    """What the model waits for may be shortened, and says so, but nothing may stand for it."""
    if group is index.unseen():
        what = f"{record_id(at + 1)} is replaced."
        raise LawBroken(12, what, "the model has not seen it yet; it may be cut")


def _sent(record: Record, choice: Choice) -> Cut | str | None:
    """The cut or text that the choice asks for; None if it takes nothing away."""
    if choice.decision == "replaced":
        return choice.text
    if choice.decision != "cut":
        return None
    whole = record.whole()
    source = whole.tail if whole.missing else whole.head
    head = whole.head[: at_or_before(whole.head, choice.head)]
    tail = source[at_or_after(source, max(0, len(source) - choice.tail)) :]
    kept = len(head) + len(tail)
    return None if kept >= whole.kept else attrs.evolve(whole, head=head, tail=tail)


def _whole_exchange(index: SessionIndex, group: Group, left_out: list[bool]) -> None:
    names = [record_id(at + 1) for at in group.members]
    if not all(left_out):
        sent = ", ".join(name for name, out in zip(names, left_out, strict=True) if not out)
        out = ", ".join(name for name, out in zip(names, left_out, strict=True) if out)
        raise LawBroken(5, f"{out} cannot be left out alone.", f"of the same exchange: {sent}")
    if group is index.unseen():
        raise LawBroken(
            12, f"{names[0]} and its results are left out.", "the model has not seen them yet"
        )


def _within(manifest: Manifest, terms: Terms, places: int, left: int) -> None:
    size = manifest.size or 0
    if size > terms.limit:
        sums = " + ".join([f"frame {manifest.frame}", *_sizes(manifest.decisions)])
        over = f"{sums} = {size} > limit {terms.limit}: {size - terms.limit} {manifest.unit} over"
        raise LawBroken(2, "The request is over its limit.", over)
    if left < 0:
        raise LawBroken(2, "Too many messages.", f"{places - left} > max_messages {places}")


def _sizes(decisions: Sequence[Decision]) -> Iterator[str]:
    """The terms of the sum, in log order: the biggest by name, the others as one."""
    sent = [entry for entry in decisions if entry.size is not None]
    biggest = sorted(sent, key=lambda entry: -(entry.size or 0))[:NAMED]
    for entry in sent:
        if entry in biggest:
            yield f"{entry.first}{f' to {entry.last}' if entry.last else ''} {entry.size}"
    if len(sent) > NAMED:
        rest = sum(entry.size or 0 for entry in sent if entry not in biggest)
        yield f"{len(sent) - NAMED} others {rest}"
