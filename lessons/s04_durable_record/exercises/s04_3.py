"""The next day: the old log, and another instruction."""

import attrs

from curriculum import (
    AgentRunner,
    ContextBudget,
    Kind,
    Record,
    Recorder,
    ScriptedModel,
    Tool,
    Turn,
    call,
)

PROMPTS = ("Which port has web?",)
TOOLS = (Tool("ports", lambda: "web has 8080"),)
WIDE = ContextBudget(max_input_chars=2000)
NEW = "Be polite."


def yesterday() -> tuple[Record, ...]:
    """The log of the day before."""
    script = ScriptedModel([Turn(calls=[call("ports")]), Turn("8080.")])
    run = AgentRunner(
        model=script, tools=TOOLS, trace=Recorder(), system_prompt="Be brief.", budget=WIDE
    )
    return run.run("Which ports?").session.events[:5]


def changed(record: Record) -> Record:
    """The record with today's instruction."""
    return attrs.evolve(record, text=NEW) if record.kind is Kind.INSTRUCTION else record


def runner(trace: Recorder) -> AgentRunner:
    log = tuple(changed(record) for record in yesterday())
    return AgentRunner(
        model=ScriptedModel([Turn("8080, please.")]),
        tools=TOOLS,
        trace=trace,
        system_prompt=NEW,
        budget=WIDE,
        history=log,
    )
