"""`golden_trace` is what an AgentRunner takes, too."""

from .conftest import Own


def test_a_run_of_our_own_runner_is_compared(bare: Own) -> None:
    bare.write("tests/test_runner.py", """
from curriculum import AgentRunner, ContextBudget, ScriptedModel, ToolRegistry, Turn

def test_runner(golden_trace):
    AgentRunner(
        model=ScriptedModel([Turn("Hi.")]),
        tools=ToolRegistry(),
        trace=golden_trace,
        budget=ContextBudget(max_input_chars=600),
    ).run("Hello?")
""")  # fmt: skip
    bare.record()
    assert list(bare.files()) == ["pytest/tests/test_runner/test_runner.jsonl"]
    assert bare.pytest().code == 0
    bare.change("tests/test_runner.py", "=600", "=500")
    done = bare.pytest()
    assert (done.code, "max_input_chars: 600 -> 500" in done.out) == (1, True)
