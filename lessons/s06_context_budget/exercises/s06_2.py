"""Gate 1 throws away what it cuts. Change the runner so that the whole output can be fetched."""

from curriculum import AgentRunner, ContextBudget, Recorder, ScriptedModel, Tool, Turn, call

PROMPTS = ("Read large_result.",)
ROWS = "".join(f"row {n:04d}. " for n in range(1, 201))


def runner(trace: Recorder) -> AgentRunner:
    return AgentRunner(
        model=ScriptedModel([Turn(calls=[call("large_result")]), Turn("It has 200 rows.")]),
        tools=[Tool("large_result", lambda: ROWS)],
        trace=trace,
        system_prompt="Keep tool output bounded. " * 8,
        budget=ContextBudget(max_input_chars=300, max_tool_output_chars=180),
    )
