"""The next day: the old log, and another instruction."""

from curriculum import AgentRunner, ContextBudget, Record, Recorder, ScriptedModel, Tool, Turn, call

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


def runner(trace: Recorder) -> AgentRunner:
    return AgentRunner(
        model=ScriptedModel([Turn("8080, please.")]),
        tools=TOOLS,
        trace=trace,
        system_prompt=NEW,
        budget=WIDE,
        history=yesterday(),
    )
