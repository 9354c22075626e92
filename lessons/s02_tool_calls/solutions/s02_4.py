"""A tool whose schema says what it takes."""

from curriculum import AgentRunner, ContextBudget, Recorder, ScriptedModel, Tool, Turn, call

PROMPTS = ("Show two rows.",)
TURNS = (Turn(calls=[call("rows", {"how_many": 2})]), Turn("There they are."))


def rows(how_many: int) -> str:
    return "row. " * how_many


TAKES = {
    "type": "object",
    "properties": {"how_many": {"type": "integer"}},
    "required": ["how_many"],
}
TOOL = Tool("rows", rows, "Returns rows.", TAKES)


def runner(trace: Recorder) -> AgentRunner:
    wide = ContextBudget(max_input_chars=2000)
    return AgentRunner(model=ScriptedModel(TURNS), tools=[TOOL], trace=trace, budget=wide)
