"""Three wrong harnesses: each stands for a picture of what becomes of a call."""

from typing import Any

import attrs

from curriculum.agent.output import Output
from curriculum.agent.runner import MODEL, AgentRunner, Run
from curriculum.agent.scripted import call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolOutput
from curriculum.record.records import Kind, Record
from curriculum.trace.recorder import Recorder

SAID = "The tool says: "


class _Believes:
    """A model whose words pass for a call and its result."""

    def __init__(self, model: Any, told: list[str]) -> None:
        self.model, self.told = model, told

    def respond(self, request: Any) -> Output:
        if self.told:
            return Output("So it is.")
        output = self.model.respond(request)
        before, found, after = output.text.partition(SAID)
        if not found:
            return output
        self.told.append(after.partition(".")[0])
        return Output(before, (call("files"),))


def believes_the_model(staged: Staged) -> Staged:
    """Takes a result that the model wrote for one that a tool gave."""

    def build(trace: Recorder) -> AgentRunner:
        runner, told = staged.runner(trace), list[str]()
        others = [tool for name, tool in runner.tools.tools.items() if name != "files"]
        says = Tool("files", lambda: told[0] if told else runner.tools.tools["files"].run())
        believed = _Believes(runner.model, told)
        return attrs.evolve(runner, model=believed, tools=[says, *others])

    return Staged(build, staged.prompts)


class _EachPiece(Run):
    def answer(self, output: Output, cause: int) -> tuple[Record, int]:
        *first, last = output.deltas or (output.text,)
        for piece in first:
            cause = self.append(cause, Kind.ASSISTANT, piece, **MODEL)
        return super().answer(attrs.evolve(output, text=last, deltas=()), cause)


class _NoFailures(Run):
    def take(self, turn: Record, number: int, output: ToolOutput, cause: int) -> int:
        if output.failed is None:
            return super().take(turn, number, output, cause)
        self.session.open = [one for one in self.session.open if one.call != number]
        return self.trace.seqs("record.append")[-1]


class _EachPieceRunner(AgentRunner):
    def begin(self) -> Run:
        return _EachPiece(self)


class _NoFailuresRunner(AgentRunner):
    def begin(self) -> Run:
        return _NoFailures(self)


def _run_by(staged: Staged, kind: type[AgentRunner]) -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        runner = staged.runner(trace)
        return kind(
            **{field.name: getattr(runner, field.name) for field in attrs.fields(AgentRunner)}
        )

    return Staged(build, staged.prompts)


def each_piece_is_a_record(staged: Staged) -> Staged:
    """Appends each piece of an output as a record of its own."""
    return _run_by(staged, _EachPieceRunner)


def failed_calls_vanish(staged: Staged) -> Staged:
    """Writes no result for a call that failed or was denied."""
    return _run_by(staged, _NoFailuresRunner)
