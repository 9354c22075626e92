"""A run under a policy of pools: summaries where the policy wants them, and its smaller mode."""

from typing import TYPE_CHECKING

from curriculum.context.assemble import Projection
from curriculum.context.known_policies import register
from curriculum.record.cut import Cut, content_size
from curriculum.record.errors import CurriculumError
from curriculum.record.truncation_chain import binding
from curriculum.trace.compacting_events import Compacted, ContextMode
from curriculum.trace.events import Stop, ToolTruncate

from .compacting import compact
from .runner import Run

if TYPE_CHECKING:
    from .runner import AgentRunner


class PooledRun(Run):
    """One run in progress. A compaction without progress is not tried again by itself."""

    def __init__(self, runner: "AgentRunner") -> None:
        super().__init__(runner)
        register(runner.policy)
        self.explicit, self.mode = False, ""
        self._prompts, self.trying = 0, runner.summariser is not None
        if runner.summariser is not None:
            pooling = runner.policy.pooling
            if pooling is None or pooling.compact is None:
                raise CurriculumError(
                    f"{runner.policy.id} asks for no summary, so it has no use for a summariser.",
                    code="summariser-unused",
                    next="give a policy with [compact], or no summariser",
                )
            self.also = {**self.also, "summariser": runner.summariser.id}

    def exchange(self, cause: int) -> Stop:
        """Turns for one prompt, before which a compaction may have been asked for."""
        self._prompts += 1
        self.explicit = self._prompts in self.runner.compact_before
        return super().exchange(cause)

    def assemble(self, cause: int, trigger: str) -> Projection:
        """Decide what the model will see, after what that needs, and write it down."""
        made = self.decide(trigger, summarise=self._wanted())
        self.explicit = False
        if made.needs is not None:
            outcome, seq = compact(self, made.needs, cause)
            if outcome is Compacted.LOST:
                self.refused = Stop.COMPACTION_LOST
                return made
            if outcome is Compacted.DONE:
                trigger, cause = "continue", seq
            else:
                self.trying = False
            made = self.decide(trigger)
        mode = made.manifest.mode or ""
        if mode != self.mode:
            self.emit("context.mode", ContextMode(mode, self.mode), cause)
            self.mode = mode
        return self.write(made, cause)

    def gate(self, tool: str, whole: Cut) -> tuple[Cut | None, ToolTruncate | None]:
        """What the policy's rules for the tool leave, and the tool ceiling of that."""
        pooling = self.runner.policy.pooling
        rules = pooling.entering(tool) if pooling is not None else []
        found = binding(rules, whole)
        cut, limit = found.cut, self.runner.budget.max_tool_output_chars
        if not found.shows or (limit is not None and content_size(cut) > limit):
            return super().gate(tool, cut)
        rule = rules[found.shows[-1]]
        kept = "ingest-rule", rule.most, cut.kept, cut.missing, content_size(cut), rule.unit
        return cut, ToolTruncate(*kept)

    def _wanted(self) -> str:
        """Whether a summary can be had, or must be."""
        if self.explicit and self.runner.summariser is not None:
            return "explicit"
        return "due" if self.trying else ""
