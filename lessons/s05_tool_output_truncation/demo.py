"""Sixty tests pass and one fails: which part of what the build prints does the log keep?"""

from curriculum import AgentRunner, ContextBudget, Expect, Recorder, Staged, Tool
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.context.policy_registry import policy_of

ERROR = "error: cart.py, line 88: no tax for ZZ."
GOOD = [f"ok test{n:02d}" for n in range(1, 61)]
STANDS = {"first": 0, "middle": 30, "last": 60}
BUILDS = {at: [*GOOD[:n], ERROR, *GOOD[n:]] for at, n in STANDS.items()}
BUILDS |= {"cut-already": GOOD[:12], "counted": ["60 ok, 1 failed", ERROR]}
turns = (Turn(calls=(call("build"),)), Turn("ZZ has no tax.", expect=Expect(text=ERROR)))


def failed(build: str, policy: str = "newest-first") -> Staged:
    def runner(trace: Recorder) -> AgentRunner:
        return AgentRunner(
            model=ScriptedModel(turns),
            tools=[Tool("build", lambda: "".join(f"{line}\n" for line in BUILDS[build]))],
            trace=trace,
            system_prompt="Mend what fails.",
            budget=ContextBudget(max_input_chars=400, max_tool_output_chars=120),
            policy=policy_of(policy),
        )

    return Staged(runner, ("Why does it fail?",))


SCENARIOS = {
    "s05-tool-output-truncation": failed("last", "keep-head"),
    "s05-tool-output-truncation/tail": failed("last", "keep-tail"),
    "s05-tool-output-truncation/both-ends": failed("last"),
    "s05-tool-output-truncation/whole-lines": failed("last", "keep-lines"),
    "s05-tool-output-truncation/middle": failed("middle"),
    "s05-tool-output-truncation/stderr-first": failed("first", "keep-head"),
    "s05-tool-output-truncation/cut-already": failed("cut-already"),
    "s05-tool-output-truncation/counted": failed("counted"),
}


if __name__ == "__main__":
    from curriculum.cli.run import show

    show("s05-tool-output-truncation")
