"""Where a run went round in circles, by its events: to check its stop, or to tell a reader."""

from collections.abc import Iterator
from typing import Any

from curriculum.record.records import Kind
from curriculum.record.repeats import Repeat, Repeats, Watching, repeats_of

from .breach import Breach
from .facts import View
from .reader import Event, Trace

COMPONENT = "repeats"


class Steps:
    """The steps of a run, from its events, in order."""

    def __init__(self, limits: Repeats, history: int = 0) -> None:
        self._watching, self._left = Watching(limits), history
        self._gave: tuple[str | None, str] = (None, "")

    def take(self, event: Event[Any]) -> None:
        """Go on behind one event."""
        if event.type == "tool.result":
            self._gave = event.data.failed, event.data.sha256
        elif event.type == "record.append" and self._left:
            self._left -= 1  # of an earlier log nobody knows what its tools gave
        elif event.type == "record.append":
            record = event.data
            if record.kind is Kind.USER:
                self._watching.asked()
            elif record.kind is Kind.ASSISTANT:
                self._watching.said(record.calls)
            elif record.answers is not None:
                self._watching.gave(record.answers.call, *self._gave)

    def found(self) -> Repeat | None:
        """The rule that is true now."""
        return self._watching.found()


def repeats(trace: Trace, limits: Repeats) -> list[tuple[int, Repeat]]:
    """Where each loop of a trace becomes one: the seq of its last result, and the rule.

    It is told once, however long it goes on.
    """
    steps, found = Steps(limits, trace.start.history), list[tuple[int, Repeat]]()
    told: Repeat | None = None
    for event in trace.events:
        steps.take(event)
        if event.type != "record.append" or event.data.answers is None:
            told = None if event.type == "record.append" and _new(event) else told
            continue
        now = steps.found()
        if now is not None and now != told:
            found.append((event.seq, now))
        told = now
    return found


def _new(event: Event[Any]) -> bool:
    return event.data.kind is Kind.USER


def repeated(trace: Trace, before: int) -> Repeat | None:
    """The loop that the run's own detector sees before event `before`; None if it has none."""
    named = trace.start.components.get(COMPONENT)
    if named is None:
        return None
    steps = Steps(repeats_of(named), trace.start.history)
    for event in trace.events[: before - 1]:
        steps.take(event)
    return steps.found()


def unstopped(view: View) -> Iterator[Breach]:
    """A run that its detector should have stopped, and that asked the model again."""
    trace = view.trace
    named = trace.start.components.get(COMPONENT)
    if named is None:
        return
    steps = Steps(repeats_of(named), trace.start.history)
    for event in trace.events:
        if event.type == "context.assemble" and (found := steps.found()) is not None:
            why = f"{found.rule}: {found.steps} steps in a row"
            yield Breach(0, event.seq, "type", "session.stop", event.type, why)
        steps.take(event)
