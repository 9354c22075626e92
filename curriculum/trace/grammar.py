"""Which events belong together: a law on the log itself, whatever the requests were.

A response leaves one record; each of its calls one result, asked for once, cut if and only if
it is over the tool ceiling.
"""

from collections.abc import Iterator
from typing import Any

from curriculum.record.records import Record

from .breach import Breach
from .events import Finish
from .facts import View
from .failure_codes import FAILURE_CODES, NEVER_RAN
from .reader import Event

FOLLOWS = {
    "context.assemble": (0, "model.request", 0, "one request an assembly"),
    "model.request": (0, "model.response", 0, "one response a request"),
    "tool.request": (5, "tool.result", 1, "one result a call that runs"),
}
"""What follows once from an event: the law, the type, how often at least, and in words."""

COMPONENTS = frozenset({"policy", "wire", "counter", "cutter", "unicode"})
"""What every trace names, as its requests come from these."""
ASKS = {Finish.TOOL_CALLS: "at least 1", Finish.DONE: "none"}
"""How many calls an output has that ended so; any other was broken off, and may have some."""


def log_breaches(view: View) -> Iterator[Breach]:
    """Everything that the log lacks or has too much of."""
    answers = _answers(view)
    yield from _budget(view)
    for event in view.trace.events:
        if event.type in FOLLOWS:
            law, type, least, why = FOLLOWS[event.type]
            count = len(view.effects_of(event, type))
            if not least <= count <= 1:
                yield Breach(law, event.seq, "type", 1, count, why)
        elif event.type == "model.response":
            yield from _response(view, event, answers)
        elif event.type == "tool.result":
            yield from _result(view, event)
    yield from _errors(view)


def _budget(view: View) -> Iterator[Breach]:
    start = view.trace.start
    ceilings = [name for name in start.budget if name.startswith("max_input_")]
    if len(ceilings) > 1:
        yield Breach(0, 1, "budget", "one input ceiling", ", ".join(ceilings), "one unit")
    sent = sum(1 for _ in view.trace.of("model.request"))
    if sent > start.max_turns:
        yield Breach(0, 1, "max_turns", f"at least {sent}", start.max_turns, "requests sent")
    if start.history > len(view.trace.records):
        yield Breach(
            0, 1, "history", f"at most {len(view.trace.records)}", start.history, "records"
        )
    known = COMPONENTS | ({"harness", "summariser", "repeats"} & start.components.keys())
    for name in sorted(start.components.keys() ^ known):
        yield Breach(0, 1, f"components.{name}", ", ".join(sorted(known)), name, "names")


def _answers(view: View) -> dict[str, list[int]]:
    """The calls of each turn that some result answers, once for each result."""
    found: dict[str, list[int]] = {}
    for record in view.trace.records:
        if record.answers is not None:
            found.setdefault(record.answers.record, []).append(record.answers.call)
    return found


def _response(view: View, event: Event[Any], answers: dict[str, list[int]]) -> Iterator[Breach]:
    said = event.data
    if said.deltas and sum(said.deltas) != said.text:
        yield Breach(
            0, event.seq, "deltas", said.text, sum(said.deltas), "deltas add up to the text"
        )
    turns = view.turn_of(event)
    if len(turns) != 1:
        yield Breach(0, event.seq, "type", 1, len(turns), "one record a response")
        return
    turn = turns[0]
    answered = sorted(answers.get(turn.data.id, []))
    if answered != list(range(len(turn.data.calls))):
        why = "each call has exactly one result, also when it did not run"
        yield Breach(5, turn.seq, "calls", len(turn.data.calls), len(answered), why)
    if (said.finish == Finish.TOOL_CALLS) != bool(turn.data.calls) and said.finish in ASKS:
        why = f"an output that ends with {said.finish}"
        yield Breach(0, event.seq, "calls", ASKS[said.finish], len(turn.data.calls), why)
    asked = len(view.effects_of(turn, "tool.request"))
    if said.finish != Finish.TOOL_CALLS and asked:
        yield Breach(5, turn.seq, "calls", 0, asked, "an output that ended early runs no tool")


def _result(view: View, event: Event[Any]) -> Iterator[Breach]:
    """From the tool's output to its record: stored if there is a store, cut if it is too big."""
    path: list[Event[Any]] = [event]
    while (effects := view.effects.get(path[-1].seq, [])) and path[-1].type != "record.append":
        if len(effects) > 1:
            more = ", ".join(effect.type for effect in effects)
            yield Breach(0, path[-1].seq, "type", "one event", more, "what follows a result")
            return
        path.append(effects[0])
    types = [step.type for step in path[1:]]
    if types not in (
        ["record.append"],
        ["tool.truncate", "record.append"],
        ["artifact.store", "record.append"],
        ["artifact.store", "tool.truncate", "record.append"],
    ):
        yield Breach(0, event.seq, "type", "store, truncate, append", ", ".join(types), "gate 1")
        return
    record, ceiling = path[-1].data, view.trace.start.budget.get("max_tool_output_chars")
    cut = ceiling is not None and event.data.size > ceiling
    rules = view.entering(event.data.tool)
    if rules and not cut:  # what the rules leave passes them, also if that is all of it
        cut = "tool.truncate" in types
        whole = record.whole()
        for rule in rules:
            if not rule.passes(whole):
                yield Breach(6, event.seq, "size", f"{rule.most} {rule.unit}", "more", "ingest")
    if cut != ("tool.truncate" in types) or cut != (record.cut is not None):
        why = f"{event.data.size} characters, ceiling {ceiling}"
        yield Breach(6, event.seq, "size", "cut" if cut else "whole", "otherwise", why)
    elif record.cut is None and event.data.size != len(record.text):
        yield Breach(
            6, event.seq, "size", len(record.text), event.data.size, "the whole text's size"
        )
    yield from _failure(view, event, record)


def _offered(view: View, seq: int, name: str) -> bool:
    return any(tool.name == name for tool in view.rebuild.offered(seq))


def _failure(view: View, event: Event[Any], record: Record) -> Iterator[Breach]:
    """A failed result begins with its code, and a tool that was not offered has failed."""
    failed = event.data.failed
    begins = record.cut.head if record.cut is not None else record.text
    own = "harness" in view.trace.start.components  # it may tell the model in words of its own
    if failed is not None and not own and not f"{failed}:".startswith(begins[: len(failed) + 1]):
        yield Breach(0, event.seq, "failed", begins[: len(failed) + 1], failed, "the text's code")
    call = view.rebuild.call(record.answers) if record.answers is not None else None
    if call is not None and failed is None and not _offered(view, event.seq, call.name):
        yield Breach(
            5, event.seq, "failed", "unknown-tool", "nothing", f"{call.name} is not offered"
        )
    direct = event.cause is not None and view.event(event.cause).type == "record.append"
    if direct and failed not in NEVER_RAN:
        yield Breach(
            5, event.seq, "cause", "tool.request", "record.append", "a tool that ran was asked"
        )
    if failed is not None and failed not in FAILURE_CODES:
        yield Breach(
            0, event.seq, "failed", "a known code", failed, "what can go wrong with a call"
        )


def _errors(view: View) -> Iterator[Breach]:
    """An error is written once, right before the stop that it causes."""
    errors = list(view.trace.of("error"))
    stop = view.trace.events[-1]
    by_error = {"script-exhausted", "script-not-finished", "expectation-failed", "error"}
    if stop.type == "session.stop" and stop.data.reason in by_error and not errors:
        yield Breach(0, stop.seq, "reason", "an error event before it", "none", stop.data.reason)
    for error in errors:
        if error.seq != stop.seq - 1 or stop.type != "session.stop":
            yield Breach(
                0, error.seq, "type", "right before the stop", "elsewhere", "one error a run"
            )
