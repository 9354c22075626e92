"""A run of everything fails for what nobody has decided on; any other run calls nothing unclaimed."""

import pytest

from .conftest import Own

OLD = "pytest/tests/test_gone/test_old"


@pytest.fixture
def stale(held: Own) -> Own:
    """All holds, but the golden of a test that is gone is still there."""
    held.write(f"golden/{OLD}.jsonl", "old")
    held.write("tests/sub/test_more.py", "def test_more():\n    pass\n")
    return held


def test_an_unclaimed_golden_fails_a_full_run_and_is_named(stale: Own) -> None:
    done = stale.pytest()
    assert (done.code, "3 passed" in done.out) == (1, True)
    assert (
        f"UNCLAIMED {OLD}  [unclaimed]\n"
        f"  evidence  no test claims {stale.root / 'golden' / OLD}.jsonl\n"
        "  next      golden prune\n"
    ) in done.out
    assert (stale.root / f"golden/{OLD}.jsonl").is_file()


def test_so_does_a_pending_one(held: Own) -> None:
    held.write("golden/pytest/tests/test_agent/test_answers.pending.jsonl", "new")
    done = held.pytest(".")
    assert (done.code, "2 passed" in done.out) == (1, True)
    assert (
        "PENDING   pytest/tests/test_agent/test_answers  [pending]\n"
        "  evidence  a recorded trace waits\n"
        "  next      golden review pytest/tests/test_agent/test_answers\n"
    ) in done.out


@pytest.mark.parametrize(
    "args",
    [
        ("-k", "answers or reads or more"),
        ("-m", "not slow"),
        ("tests",),
        ("tests/test_agent.py",),
        ("--deselect", "tests/sub/test_more.py"),
        ("--ignore", "tests/test_gone.py"),
        ("--ignore-glob", "*gone*"),
        ("--collect-only",),
    ],
    ids=" ".join,
)
def test_a_run_that_was_asked_for_less_calls_nothing_unclaimed(
    stale: Own, args: tuple[str, ...]
) -> None:
    stale.write("tests/test_gone.py", "def test_nothing():\n    pass\n")
    done = stale.pytest(*args)
    assert (done.code, "UNCLAIMED" in done.out) == (0, False)


def test_nor_does_a_run_of_the_last_failures(stale: Own) -> None:
    stale.write("tests/sub/test_more.py", "def test_more():\n    assert False\n")
    assert "UNCLAIMED" in stale.pytest("-p", "cacheprovider").out
    assert "UNCLAIMED" not in stale.pytest("-p", "cacheprovider", "--lf").out


def test_nor_does_a_run_in_a_subfolder(stale: Own) -> None:
    done = stale.pytest(cwd="tests")
    assert (done.code, "UNCLAIMED" in done.out) == (0, False)


@pytest.mark.parametrize(
    "module",
    [
        "import pytest\npytest.skip('not here', allow_module_level=True)\n",
        "import no_such_module\n",
    ],
    ids=["skipped", "broken"],
)
def test_what_a_module_that_was_not_collected_may_claim_is_left_alone(
    stale: Own, module: str
) -> None:
    """Another golden that nobody claims is still named."""
    stale.write("tests/test_gone.py", module)
    stale.write("golden/pytest/tests/test_other/test_old.jsonl", "old")
    done = stale.pytest("--continue-on-collection-errors")
    assert done.code == 1
    assert f"UNCLAIMED {OLD}" not in done.out
    assert "UNCLAIMED pytest/tests/test_other/test_old  [unclaimed]" in done.out


def test_so_is_what_a_conftest_leaves_out(stale: Own) -> None:
    """As many do for one system or one version."""
    stale.write("tests/test_gone.py", "def test_nothing():\n    pass\n")
    stale.write("tests/a b.c/test_x.py", "def test_nothing():\n    pass\n")
    stale.write("golden/pytest/tests/a%20b.c/test_x/test_old.jsonl", "old")
    conftest = (stale.root / "tests/conftest.py").read_text()
    stale.write("tests/conftest.py", conftest + "collect_ignore = ['test_gone.py', 'a b.c']\n")
    for more in ((), ("-n", "2")):
        done = stale.pytest(*more)
        assert (done.code, "UNCLAIMED" in done.out) == (0, False)
    stale.write("tests/conftest.py", conftest)
    assert stale.pytest().out.count("UNCLAIMED") == 2


def test_a_collection_that_fails_ends_without_a_word_on_goldens(stale: Own) -> None:
    stale.write("tests/test_broken.py", "import no_such_module\n")
    done = stale.pytest()
    assert (done.code, "UNCLAIMED" in done.out) == (2, False)


def test_the_folders_that_the_settings_name_are_everything(stale: Own) -> None:
    settings = (stale.root / "pyproject.toml").read_text()
    stale.write(
        "pyproject.toml", settings.replace("options]\n", "options]\ntestpaths = ['tests']\n")
    )
    assert "UNCLAIMED" in stale.pytest().out


def test_a_golden_of_no_case_fails_a_full_run(held: Own) -> None:
    """As `golden verify` says it: a case was renamed, its golden was not."""
    held.change("tests/golden_cases.py", 'Case("reads"', 'Case("reads-all"')
    held.write("golden/reads-all.jsonl", (held.root / "golden/reads.jsonl").read_text("utf-8"))
    done = held.pytest()
    assert done.code == 1
    assert (
        "UNCLAIMED reads  [unclaimed]\n"
        f"  evidence  no case claims {held.root / 'golden' / 'reads.jsonl'}\n"
        "  next      golden prune\n"
    ) in done.out


def test_goldens_without_settings_are_not_forgotten(held: Own) -> None:
    """Whoever loses the table in pyproject.toml loses the cases; nothing may pass in silence."""
    held.settings("")
    done = held.pytest()
    assert (done.code, "1 passed" in done.out) == (1, True)
    assert "UNCLAIMED reads  [unclaimed]\n" in done.out
    assert f"no [tool.curriculum] of {held.root} names files of cases\n" in done.out


def test_a_folder_of_the_same_name_that_is_not_ours_is_left_alone(held: Own) -> None:
    held.settings("")
    for path in sorted((held.root / "golden").rglob("*.jsonl")):
        path.unlink()
    held.write("tests/test_agent.py", "def test_nothing():\n    pass\n")
    held.write("golden/of-others.jsonl", '{"rows": 1}\n')
    done = held.pytest()
    assert (done.code, "golden traces" in done.out) == (0, False)
