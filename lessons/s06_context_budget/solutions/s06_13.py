"""The instructions go in whole, and a request that cannot hold them is not sent."""

from curriculum import AgentRunner, ContextBudget, Recorder, ScriptedModel, Tool, Turn, call

PROMPTS = ("Read large_result.",)
CEILING = 300
INSTRUCTIONS = "Stay small. " * 23 + "Never delete a file. ..."


def runner(trace: Recorder) -> AgentRunner:
    return AgentRunner(
        model=ScriptedModel([Turn(calls=[call("large_result")]), Turn("It has 200 rows.")]),
        tools=[Tool("large_result", lambda: "row. " * 400)],
        trace=trace,
        system_prompt=INSTRUCTIONS,
        budget=ContextBudget(max_input_chars=CEILING, max_tool_output_chars=180),
    )
