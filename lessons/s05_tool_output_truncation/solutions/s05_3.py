"""What is good is counted, what is not is printed: nothing is left to cut."""

from curriculum import AgentRunner, ContextBudget, Expect, Recorder, Tool
from curriculum.agent.scripted import ScriptedModel, Turn, call

ERROR = "error: cart.py, line 88: no tax for ZZ."
GOOD = [f"ok test{n:02d}" for n in range(1, 61)]
LINES = [*GOOD[:30], ERROR, *GOOD[30:]]
PROMPTS = ("Why does it fail?",)


def said(lines: list[str]) -> str:
    """What the tool returns of the lines that the build printed."""
    bad = [line for line in lines if not line.startswith("ok ")]
    return "".join(f"{line}\n" for line in [f"{len(lines) - len(bad)} tests ok", *bad])


def runner(trace: Recorder) -> AgentRunner:
    turns = (Turn(calls=(call("build"),)), Turn("ZZ has no tax.", expect=Expect(text=ERROR)))
    return AgentRunner(
        model=ScriptedModel(turns),
        tools=[Tool("build", lambda: said(LINES))],
        trace=trace,
        system_prompt="Mend what fails.",
        budget=ContextBudget(max_input_chars=400, max_tool_output_chars=120),
    )
