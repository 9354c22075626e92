"""Events whose facts are seen to be right at one look, which is nearly all of a lawful trace.

One question for each type: does the event hold what the events before it lead to? A yes is final.
Any other answer only means that the table of rules must look at each fact, and say what is wrong
in its own words. A test holds that the checker finds the same breaches with and without this.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from curriculum.context.band import band_of
from curriculum.context.manifest import Manifest
from curriculum.record.cut import marker
from curriculum.record.records import Answers, Author, Kind, Record, Trust
from curriculum.record.text import sha256

from .bands import available
from .facts import View
from .ladder import POOLED
from .reader import Event
from .rule_table import call_in_order
from .rules import artifact
from .stops import must_stop

_of_pools = attrgetter(*POOLED)
_NO_POOLS = (None, None, (), None, None, (), (), ())


def right_at_once(view: View, event: Event[Any]) -> bool:
    """Whether every derived fact of the event is what it must be; False if that is not plain."""
    look = _LOOKS.get(event.type)
    try:
        return look is not None and look(view, event)
    except Exception:  # something is not there: the rules know what to say of that
        return False


def _cause(view: View, event: Event[Any], type: str) -> Event[Any] | None:
    """The event's cause, if it is of this type and turn."""
    cause = view.event(event.cause or 0)
    return cause if cause.type == type and cause.turn == event.turn and event.cause else None


def _record(view: View, event: Event[Record]) -> bool:
    record, cause = event.data, view.event(event.cause or 0)
    labels = record.kind, record.trust, record.author, record.source
    if cause.type == "session.start":
        return True  # an input
    if cause.type in ("model.response", "record.append"):
        kind = Kind.THINKING if record.kind is Kind.THINKING else Kind.ASSISTANT
        return labels == (kind, Trust.ASSISTANT, Author.MODEL, "model")
    result, asked = view.before(event, "tool.result"), view.before(event, "tool.request")
    if result is None or asked is None or record.calls or record.tools or record.replaces:
        return False
    stored = view.before(event, "artifact.store")
    handle = stored and stored.data.artifact
    trust = result.data.trust or Trust.TOOL
    if labels != (Kind.RESULT, trust, Author.TOOL, f"tool:{result.data.tool}"):
        return False
    if record.answers != Answers(asked.data.record, asked.data.call):
        return False
    made, cut = result.data, record.cut
    if cut is None:
        return record.artifact == handle and (not record.text or sha256(record.text) == made.sha256)
    same = cut.original == made.size and cut.sha256 == made.sha256 and not record.text
    return same and cut.artifact == handle and record.artifact is None


def _assembly(view: View, event: Event[Manifest]) -> bool:
    made, start = event.data, view.trace.start
    if made.refused is not None:
        return False
    room, more = None, _NO_POOLS
    if not view.declared:
        ladder = view.ladder(event)
        if ladder.refused is not None:
            return False
        room, more = ladder.start_room, _of_pools(ladder)
    cause, sent, known = view.event(event.cause or 0), view.rebuilt(event), view.known(event)
    asks = "tool-results" if cause.data.kind is Kind.RESULT else "user"
    if cause.cause and view.event(cause.cause).type == "context.compact":
        asks = "continue"
    named, counter = start.components, view.rebuild.counter
    return (
        cause.type == "record.append"
        and made.trigger == asks
        and (made.policy, made.wire, made.counter)
        == (named["policy"], named["wire"], named["counter"])
        and (made.unit, made.bound) == (counter.unit, view.bound)
        and (made.limit, made.reserve)
        == (start.budget[start.ceiling], start.budget["output_reserve"])
        and (made.candidates, made.room) == (view.candidates_before(known), room)
        and (made.frame, made.size, made.bytes) == (sent.frame, sent.size, sent.byte)
        and (made.messages, made.fingerprint) == (sent.lines, sent.fingerprint)
        and made.band == band_of(sent.size, available(view, event))
        and _of_pools(made) == more
    )


def _request(view: View, event: Event[Any]) -> bool:
    cause, sent = _cause(view, event, "context.assemble"), event.data
    if cause is None:
        return False
    made = cause.data
    repeated = made.fingerprint, made.bytes, made.messages
    return (sent.fingerprint, sent.bytes, sent.messages) == repeated


def _response(view: View, event: Event[Any]) -> bool:
    turns = view.turn_of(event)
    said = event.data.text, event.data.calls
    return bool(turns) and said == (len(turns[0].data.text), len(turns[0].data.calls))


def _tool_request(view: View, event: Event[Any]) -> bool:
    turn, asks = _cause(view, event, "record.append"), event.data
    if turn is None or turn.data.id != asks.record:
        return False
    call = view.rebuild.call(asks)
    if call is None or call.name != asks.tool:
        return False
    if event.seq == turn.seq + 1 and turn.data.answers is None:
        return asks.call == 0  # nothing stands between
    return asks.call == call_in_order(view, event, "call").value


def _tool_result(view: View, event: Event[Any]) -> bool:
    """A result that failed has words of the harness, which no rule here can say again."""
    answers = view.trace.records[view.known(event)].answers
    call = answers and view.rebuild.call(answers)
    return call is not None and call.name == event.data.tool


def _truncate(view: View, event: Event[Any]) -> bool:
    result, data = view.before(event, "tool.result"), event.data
    logged = view.effects_of(event, "record.append")
    if result is None or not logged or logged[0].data.cut is None:
        return False
    kept = logged[0].data.cut.kept
    mark = marker(data.missing, artifact(view, event))
    return (
        (data.reason, data.limit)
        == ("tool-ceiling", view.trace.start.budget["max_tool_output_chars"])
        and (data.kept, data.missing) == (kept, result.data.size - kept)
        and data.size == kept + len(mark)
    )


def _store(view: View, event: Event[Any]) -> bool:
    result, kept = view.before(event, "tool.result"), event.data
    if result is None or (kept.size, kept.sha256) != (result.data.size, result.data.sha256):
        return False
    return kept.artifact == f"a{kept.sha256[: max(8, len(kept.artifact) - 1)]}"


def _stop(view: View, event: Event[Any]) -> bool:
    reason = must_stop(view.trace, event) or event.data.reason
    return event.data.reason == reason and event.data.turns == view.ordinal(event, "model.request")


_LOOKS: dict[str, Callable[[View, Event[Any]], bool]] = {
    "session.start": lambda view, event: True,  # what the run was given
    "record.append": _record,
    "context.assemble": _assembly,
    "model.request": _request,
    "model.response": _response,
    "tool.request": _tool_request,
    "tool.result": _tool_result,
    "tool.truncate": _truncate,
    "artifact.store": _store,
    "session.stop": _stop,
}
