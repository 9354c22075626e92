"""Two gates in a row: a tool returns 2,000 characters, the log keeps 180, a request shows fewer."""

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.trace.recorder import Recorder

ROWS = "".join(f"row {n:04d}. " for n in range(1, 201))
registry = ToolRegistry(Tool("large_result", lambda: ROWS))
turns = (Turn(calls=(call("large_result"),)), Turn("It has 200 rows."))


def runner(trace: Recorder) -> AgentRunner:
    return AgentRunner(
        model=ScriptedModel(turns),
        tools=registry,
        trace=trace,
        system_prompt="Keep tool output bounded. " * 8,
        budget=ContextBudget(
            max_input_chars=300,
            max_tool_output_chars=180,
        ),
    )


s06 = Staged(runner, ("Read large_result.",))
tight = ContextBudget(max_input_chars=268, max_tool_output_chars=180)
split = ContextBudget(
    capacity=400, output_reserve=100, max_input_chars=300, max_tool_output_chars=180
)
SCENARIOS = {
    "s06-context-budget": s06,
    "s06-context-budget/with-reserve": s06.under(budget=split),
    "s06-context-budget/system-does-not-fit": s06.under(system_prompt="Stay small. " * 25),
    "s06-context-budget/result-does-not-fit": s06.under(budget=tight),
}


if __name__ == "__main__":
    from curriculum.cli.run import show

    show("s06-context-budget")
