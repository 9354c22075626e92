"""Names, titles and texts are not ours: what pytest prints of them holds no terminal control."""

import pytest

from ..cli.command import Done
from .conftest import Own
from .test_syrupy import TESTS as SNAPSHOTS

EVIL = "a\\x1b[31mb\\u202ec\\nd"
"""As it is spelled in the source of a test: escape, right-to-left override, line feed."""
KEY = EVIL.replace("\\x1b", "\\u001b")
"""The same as JSON and TOML spell it."""


def tame(done: Done) -> str:
    """All that was printed. Fails for a control in it."""
    text = done.out + done.err
    assert "\x1b" not in text
    assert "\u202e" not in text
    return text


def test_a_tool_that_is_not_offered(bare: Own) -> None:
    bare.write(
        "tests/test_agent.py",
        f"""
from curriculum import Call, Choice, ContextBudget, Recording, Tool

def test_it(golden_trace):
    budget = ContextBudget(max_input_chars=500)
    with Recording(golden_trace, "a@1", budget=budget, policy="keep-all@1") as run:
        run.record("tools", tools=[Tool("read{EVIL}", lambda: "")])
        run.record("user", "Hello?")
        run.assemble(rest=Choice.admit("kept"))
        run.request()
        run.response("", [Call("c1", "{EVIL}")])
        run.tool_call(0)
        run.tool_result(0, "done")
""",
    )
    text = tame(bare.pytest("-q", "--tb=short"))
    assert f"Law 5, paired: '{EVIL}' is not offered, so it has no output." in text
    assert f"offered: 'read{EVIL}'" in text


def test_the_title_of_a_case(held: Own) -> None:
    held.change("tests/golden_cases.py", "the agent reads one file", EVIL)
    held.change("tests/golden_cases.py", "Read it.", "Read them.")
    assert f"_ reads: {EVIL} _" in tame(held.pytest())


@pytest.mark.parametrize("where", ["trace", "golden"])
def test_a_key_of_a_trace(bare: Own, where: str) -> None:
    """Its value is no text, in what a test wrote or in its golden; the error names the key."""
    bare.write("tests/test_snap.py", SNAPSHOTS)
    bare.record("--snapshot-update")
    old, new = '"components":{', f'"components":{{"{KEY}":1,'
    if where == "golden":
        bare.change("golden/pytest/tests/test_snap/test_snap.jsonl", old, new)
    else:
        asked = 'trace_of("Hello?")'
        bare.change(
            "tests/test_snap.py", f"{asked} ==", f"{asked}.text().replace('{old}', r'{new}') =="
        )
    done = bare.pytest("--tb=short")
    assert done.code == 1
    assert f"session.start: components['{EVIL}'] is missing, unknown" in tame(done)


def test_a_tool_of_an_unlawful_trace(bare: Own) -> None:
    """The law checker names it."""
    bare.write("tests/test_snap.py", SNAPSHOTS)
    bare.change("tests/test_snap.py", "run_agent(trace, question)", "run_agent(trace, *asked)")
    bare.change("tests/test_snap.py", "trace_of(question)", "trace_of(*asked)")
    made = 'trace_of("Hello?", "read", "Done.").text()'
    split = f"head, at, tail = {made}.partition('model.request')"
    renamed = f"""head + at + tail.replace('"read"', r'"{KEY}"')"""
    bare.change("tests/test_snap.py", 'assert trace_of("Hello?")', f"{split}\n    assert {renamed}")
    done = bare.pytest("--tb=short")
    assert done.code == 1
    assert f"{EVIL} is not offered" in tame(done)


def test_the_name_of_a_snapshot(bare: Own) -> None:
    more = f'    assert trace_of("Two?") == snapshot(name="{EVIL}")\n'
    bare.write("tests/test_snap.py", SNAPSHOTS + more)
    bare.record("--snapshot-update", "-k", "nothing")
    bare.change("tests/test_snap.py", 'assert trace_of("Hello?") == snapshot', "pass")
    assert f"Snapshot 'test_snap.{EVIL}' does not exist!" in tame(bare.pytest("--tb=line"))


def test_a_setting(bare: Own) -> None:
    bare.settings(f'[tool.curriculum]\n"{KEY}" = 1\n')
    done = bare.pytest()
    assert done.code == 4
    assert EVIL in tame(done).replace("\\\\", "\\")
