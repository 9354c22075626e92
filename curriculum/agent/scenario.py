"""What a case runs: a runner made anew for each recorder, and the prompts it is given."""

from typing import Protocol

from curriculum.trace.recorder import Recorder

from .runner import AgentRunner


class Scenario(Protocol):
    """Something that can be run again and again, each time from the same start."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """What the user asks, in order."""
        ...

    def runner(self, trace: Recorder) -> AgentRunner:
        """A fresh runner that writes to `trace`."""
        ...
