"""The calls of one turn in a loop of one's own: asked for in order, answered in any."""

from collections.abc import Sequence

from curriculum.record.law import LawBroken
from curriculum.record.records import Call, Record, Trust
from curriculum.trace import events
from curriculum.trace.failure_codes import FAILURE_CODES, NEVER_RAN

from . import own_input
from .runner import Run
from .tools import ToolOutput


class Calls:
    """The calls of the last turn, and what has become of each."""

    def __init__(self, run: Run, turn: Record, seq: int) -> None:
        self._run, self._turn, self._seq = run, turn, seq
        self._asked: dict[int, int] = {}

    def ask(self, number: int) -> Call:
        """Write down that the call is about to run, and return it."""
        waiting, turn = self._open(number), self._turn
        if number in self._asked:
            raise LawBroken(5, f"Call {number} of {turn.id} is running already.")
        if earlier := [n for n in waiting if n < number and n not in self._asked]:
            todo = f'tool_call({earlier[0]}), or tool_result({earlier[0]}, "...", failed="not-run")'
            raise LawBroken(
                5, f"Call {earlier[0]} of {turn.id} comes before call {number}.", next=todo
            )
        call = turn.calls[number]
        asked_for = events.ToolRequest(turn.id, number, call.name)
        self._asked[number] = self._run.emit("tool.request", asked_for, self._seq)
        return call

    def answer(self, number: int, text: str, failed: str | None, trust: Trust | None) -> Record:
        """Append what the call gave, and return it as the log has it."""
        self._open(number)
        turn, run = self._turn, self._run
        name, text = turn.calls[number].name, own_input.text(text, "a result")
        if failed is not None and failed not in FAILURE_CODES:
            known = f"known: {', '.join(FAILURE_CODES)}"
            raise LawBroken(0, f"{failed!a} is no way for a call to fail.", known)
        offered = self._offered()
        if failed is None and name not in offered:
            why = f"offered: {', '.join(map(ascii, offered)) or 'none'}"
            todo = 'record("tools", tools=[...]) before, or failed="unknown-tool"'
            raise LawBroken(5, f"{name!a} is not offered, so it has no output.", why, next=todo)
        if number not in self._asked and failed not in NEVER_RAN:
            todo = f"tool_call({number})"
            raise LawBroken(5, f"Call {number} of {turn.id} was not asked for.", next=todo)
        output = ToolOutput(text, failed, trust)
        run.take(turn, number, output, self._asked.get(number, self._seq))
        return run.session.records[-1]

    def _open(self, number: int) -> Sequence[int]:
        """The calls that have no result yet; `number` must be one of them."""
        if type(number) is not int:
            raise TypeError(f"a call's number is a whole number, not {type(number).__name__}")
        waiting = [a.call for a in self._run.session.open if a.record == self._turn.id]
        if number not in waiting:
            left = ", ".join(map(str, waiting)) or "none"
            raise LawBroken(
                5, f"Call {number} of {self._turn.id} is not open.", f"open calls: {left}"
            )
        return waiting

    def _offered(self) -> list[str]:
        index = self._run.index
        index.read(self._run.session.records)
        return [tool.name for tool in index.records[index.tools].tools] if index.offers else []
