"""What a case runs: a runner made anew for each recorder, and the prompts it is given."""

from collections.abc import Callable
from typing import Any, Protocol

import attrs

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


@attrs.frozen
class Staged:
    """A scenario made of a function that builds the runner, and prompts."""

    build: Callable[[Recorder], AgentRunner]
    prompts: tuple[str, ...]

    def runner(self, trace: Recorder) -> AgentRunner:
        """A fresh runner that writes to `trace`."""
        return self.build(trace)

    def under(self, **changes: Any) -> "Staged":
        """The same scenario with fields of its runner changed, such as `budget`."""
        return Staged(lambda trace: attrs.evolve(self.build(trace), **changes), self.prompts)
