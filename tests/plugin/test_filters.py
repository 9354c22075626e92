"""A filter in the settings leaves tests out of every run; what they claim is known all the same."""

import pytest

from ..cli.command import golden
from .conftest import Own

SLOW = "pytest/tests/test_slow/test_slow"
GONE = "pytest/tests/test_gone/test_old"
HOOK = """
def pytest_collection_modifyitems(config, items):
    left_out = [item for item in items if item.name == "test_slow"]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
"""


@pytest.fixture(params=["-m 'not slow'", "-k 'not slow'", "--deselect tests/test_slow.py", "hook"])
def filtered(held: Own, request: pytest.FixtureRequest) -> Own:
    """A slow test that has a golden and never runs here, and the golden of a test that is gone."""
    test = (held.root / "tests/test_agent.py").read_text("utf-8")
    marked = test.replace("def test_answers", "@pytest.mark.slow\ndef test_slow")
    held.write("tests/test_slow.py", "import pytest\n" + marked)
    held.record("tests/test_slow.py")
    held.write(f"golden/{GONE}.jsonl", "old")
    if request.param == "hook":
        held.write("conftest.py", HOOK)
    else:
        held.change("pyproject.toml", "options]\n", f'options]\naddopts = "{request.param}"\n')
    return held


def test_a_full_run_names_what_no_test_claims(filtered: Own) -> None:
    for more in ((), ("-n", "2")):
        done = filtered.pytest(*more)
        assert (done.code, "2 passed" in done.out) == (1, True)
        assert f"UNCLAIMED {GONE}  [unclaimed]\n" in done.out
        assert done.out.count("UNCLAIMED") == 1


def test_prune_deletes_that_and_nothing_else(filtered: Own) -> None:
    before = filtered.files()
    done = golden("prune", "--yes", cwd=filtered.root)
    assert done.code == 0, done.err
    assert sorted(filtered.files()) == sorted(before.keys() - {f"{GONE}.jsonl"})
    assert f"{SLOW}.jsonl" in filtered.files()


def test_a_filter_that_is_typed_is_a_wish_for_less(filtered: Own) -> None:
    done = filtered.pytest("-qk", "answers or reads")
    assert (done.code, "UNCLAIMED" in done.out) == (0, False)
