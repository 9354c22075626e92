"""A log that only grows: one day of work, and the next day with the same log."""

from collections.abc import Iterable
from typing import Any

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.trace.recorder import Recorder

TOOLS = (
    Tool("ports", lambda: "web has 8080, db has 5432. " * 6),
    Tool("hosts", lambda: "web is at north, db is at south. " * 6),
)
PORTS, HOSTS = Turn(calls=(call("ports"),)), Turn(calls=(call("hosts"),))
DAY_ONE = (PORTS, Turn("8080 for web, 5432 for db."), HOSTS, Turn("North and south."))
SMALL = ContextBudget(max_input_chars=300)


def agent(turns: Iterable[Turn], trace: Recorder, **given: Any) -> AgentRunner:
    known: dict[str, Any] = {"tools": TOOLS, "budget": SMALL, "system_prompt": "Be brief."}
    return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **given})


def day_two(says: str = "Be brief.") -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        log = day_one.runner(Recorder()).run(*day_one.prompts).session.events
        return agent([Turn("8080.")], trace, history=log, system_prompt=says)

    return Staged(build, ("Which port has web?",))


day_one = Staged(lambda trace: agent(DAY_ONE, trace), ("Which ports?", "Which hosts?"))
SCENARIOS = {
    "s04-durable-record": day_one,
    "s04-durable-record/next-day": day_two(),
    "s04-durable-record/new-setting": day_two("Be polite."),
}
