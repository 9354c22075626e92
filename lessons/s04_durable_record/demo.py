"""A log that only grows: one day of work, the next day with the same log, and a branch."""

from collections.abc import Iterable
from typing import Any

from curriculum.agent.branching import branch
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

PORTS, HOSTS = "web has 8080, db has 5432. ", "web is at north, db is at south. "
TOOLS = (Tool("ports", lambda: PORTS * 6), Tool("hosts", lambda: HOSTS * 6))
FIRST = (Turn(calls=(call("ports"),)), Turn("8080 for web, 5432 for db."))
DAY_ONE = (*FIRST, Turn(calls=(call("hosts"),)), Turn("North and south."))
SMALL = ContextBudget(max_input_chars=300)


def agent(turns: Iterable[Turn], trace: Recorder, **given: Any) -> AgentRunner:
    known: dict[str, Any] = {"tools": TOOLS, "budget": SMALL, "system_prompt": "Be brief."}
    return AgentRunner(model=ScriptedModel(turns), trace=trace, **{**known, **given})


def day_two(says: str = "Be brief.") -> Staged:
    def build(trace: Recorder) -> AgentRunner:
        log = day_one.runner(Recorder()).run(*day_one.prompts).session.events
        return agent([Turn("8080.")], trace, history=log, system_prompt=says)

    return Staged(build, ("Which port has web?",))


def branched(trace: Recorder) -> None:
    agent(DAY_ONE, first := Recorder(), session_id="day-one").run(*day_one.prompts)
    branch(agent([Turn("5432.")], trace), Trace.parse(first.text()), 15, "Which port has db?")


day_one = Staged(lambda trace: agent(DAY_ONE, trace), ("Which ports?", "Which hosts?"))
_ID = "s04-durable-record"
SCENARIOS = {_ID: day_one, f"{_ID}/next-day": day_two(), f"{_ID}/branch": branched}
SCENARIOS[f"{_ID}/new-setting"] = day_two("Be polite.")
