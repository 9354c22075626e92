"""The plugin costs nothing until it is used, and can be switched off."""

from .conftest import Own

SAYS = """
import sys

def test_what_is_loaded():
    found = sorted(name for name in sys.modules if name.partition(".")[0] == "curriculum")
    print("loaded", found)
    print("attrs", "attrs" in sys.modules)
"""


def test_a_project_without_goldens_loads_nothing_but_the_plugin(bare: Own) -> None:
    """Also if it has snapshots of syrupy's own."""
    bare.write("pyproject.toml", "[tool.pytest.ini_options]\n")
    bare.write(
        "tests/test_more.py",
        "def test_more(snapshot):\n    assert 1 == snapshot\n\ndef test_MORE(snapshot):\n    pass\n",
    )
    bare.write("tests/test_says.py", SAYS)
    done = bare.pytest("-s", "-q", "--snapshot-update")
    assert done.code == 0
    assert "loaded ['curriculum', 'curriculum.testing', 'curriculum.testing.plugin']\n" in done.out


def test_settings_alone_load_no_agent_and_no_trace(bare: Own) -> None:
    bare.write("tests/test_says.py", SAYS)
    done = bare.pytest("-s", "-q")
    loaded = done.out.partition("loaded ")[2].partition("\n")[0]
    assert "curriculum.golden.project" in loaded
    assert "curriculum.agent" not in loaded
    assert "curriculum.trace" not in loaded


def test_it_can_be_switched_off(held: Own) -> None:
    held.write("tests/test_agent.py", "def test_x():\n    pass\n")
    held.write("golden/pytest/tests/test_gone/test_old.jsonl", "x")
    done = held.pytest("-p", "no:curriculum")
    assert (done.code, "1 passed" in done.out) == (0, True)
    assert "unrecognized arguments: --golden-record" in held.pytest("-p", "no:curriculum", "--golden-record").err  # fmt: skip
