"""A run that stops where the model goes round in circles."""

from typing import TYPE_CHECKING

from curriculum.context.assemble import Projection
from curriculum.record.records import Record
from curriculum.record.repeats import Repeats, Watching
from curriculum.record.text import sha256
from curriculum.trace.events import Stop

from .output import Output
from .pooled_run import PooledRun
from .runner import Run
from .tools import ToolOutput

if TYPE_CHECKING:
    from .runner import AgentRunner


class WatchedRun(Run):
    """A run whose steps are compared. The model is not asked again once a rule is true."""

    def __init__(self, runner: "AgentRunner") -> None:
        super().__init__(runner)
        limits = runner.repeats or Repeats()
        self._watching = Watching(limits)
        self.also = {**self.also, "repeats": limits.id}

    def exchange(self, cause: int) -> Stop:
        """What the user says begins something new."""
        self._watching.asked()
        return super().exchange(cause)

    def answer(self, output: Output, cause: int) -> tuple[Record, int]:
        """A step begins with what the model asks for."""
        turn, seq = super().answer(output, cause)
        self._watching.said(turn.calls)
        return turn, seq

    def take(self, turn: Record, number: int, output: ToolOutput, cause: int) -> int:
        """A step is whole when each call has its result; whole texts are compared, not cut ones."""
        seq = super().take(turn, number, output, cause)
        self._watching.gave(number, output.failed, sha256(output.text))
        return seq

    def assemble(self, cause: int, trigger: str) -> Projection:
        """Stop instead, if a rule is true."""
        if self._watching.found() is None:
            return super().assemble(cause, trigger)
        self.refused = Stop.REPEATED
        return self.decide(trigger)  # what would have been sent; nothing is written of it


class WatchedPooledRun(WatchedRun, PooledRun):
    """The same under a policy of pools."""


def run_of(runner: "AgentRunner") -> Run:
    """The run that a runner with a policy of pools, or that is watched, begins."""
    if runner.repeats is None:
        return PooledRun(runner)
    return WatchedRun(runner) if runner.policy.pooling is None else WatchedPooledRun(runner)
