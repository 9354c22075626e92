"""The scenario that most cases are: the function that builds a runner, with the prompts."""

from collections.abc import Callable
from typing import Any

import attrs

from curriculum.trace.recorder import Recorder

from .runner import AgentRunner


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
