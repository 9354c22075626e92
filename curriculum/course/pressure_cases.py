"""One session under six pressures and every policy: what survives, and what can still be reached.

A constraint said early, ordinary talk, one large tool result with a fact near its end, more work,
and a last question that needs both. Only the input ceiling and the policy change.
"""

from typing import Any

import attrs

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.summaries import KeptLines
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.policy import Policy
from curriculum.context.policy_registry import policy_of
from curriculum.golden.cases import Case
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.records import Author, Kind, Record, Trust
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder

CONSTRAINT = "Never deploy while a shard is red."
FACT = "shard 17 is red"
QUESTION = "Which shard is red, and may I deploy?"
CEILINGS = (6000, 3000, 1500, 900, 400, 160)
"""Characters of input: from room for everything to not enough for what must stay."""
RESERVE = 200
POLICIES = ("newest-first", "pools", "planner-order", "stage-order", "exact-fit")
_PERSON: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
_MODEL: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "model"}


def history() -> tuple[Record, ...]:
    """What was said before: the constraint, then ordinary talk."""
    talk = [Record("r0001", Kind.CONSTRAINT, text=CONSTRAINT, **_PERSON)]
    for topic in ("names", "tests", "colours"):
        talk.append(Record("r0001", Kind.USER, text=f"What about the {topic}?", **_PERSON))
        said = f"The {topic} are fine as they are. " * 4
        talk.append(Record("r0001", Kind.ASSISTANT, text=said, **_MODEL))
    return tuple(attrs.evolve(one, id=f"r{at:04d}") for at, one in enumerate(talk, 1))


def status() -> str:
    """The large result: 60 lines, the fact in the 56th."""
    lines = [f"shard {n} is green, checked by probe {n % 7}" for n in range(60)]
    lines[55] = FACT
    return "\n".join(lines)


def _tools() -> ToolRegistry:
    return ToolRegistry(
        Tool("status", status, "The state of each shard."),
        Tool("notes", lambda: "release notes: nothing new. " * 6),
    )


TURNS = (
    Turn("Decision: look at the shards first.", calls=[call("status")]),
    Turn(calls=[call("notes")]),
    Turn("I have read both."),
    Turn(calls=[call("notes")]),
    Turn("Shard 17 is red, so no."),
)
PROMPTS = ("Look at the state of things.", QUESTION)


def pressed(policy: Policy, ceiling: int) -> Staged:
    """The session under a policy and an input ceiling, with a store beside it."""

    def build(trace: Recorder) -> AgentRunner:
        budget = ContextBudget(
            max_input_chars=ceiling,
            output_reserve=RESERVE,
            capacity=ceiling + RESERVE,
            max_tool_output_chars=4000,
        )
        compact = policy.pooling.compact if policy.pooling else None
        return AgentRunner(
            model=ScriptedModel(TURNS),
            tools=_tools(),
            trace=trace,
            budget=budget,
            policy=policy,
            system_prompt="Answer from what you were shown.",
            history=history(),
            store=ArtifactStore(),
            summariser=KeptLines(compact.preserve) if compact else None,
        )

    return Staged(build, PROMPTS)


STOPS = {160: Stop.RESULT_DOES_NOT_FIT}
"""At which ceilings a run stops otherwise than completed."""


def _case(name: str, ceiling: int) -> Case:
    title = f"{name} with room for {ceiling} characters"
    stops = STOPS.get(ceiling, Stop.COMPLETED)
    return Case(f"pressure/{name}-{ceiling}", title, stops, pressed(policy_of(name), ceiling))


CASES = tuple(_case(name, ceiling) for name in POLICIES for ceiling in CEILINGS)
