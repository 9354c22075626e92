"""Whose cases were checked is said, and goldens of nobody's project are never passed over."""

import json
from pathlib import Path

import pytest

from .command import GOLDEN, ROOT, curriculum, golden

NOTE = "the course's own cases: no [tool.curriculum] in or above {}"


class TestTheCoursesOwn:
    """Away from a checkout, a green result says that it is about the course."""

    def test_verify_and_list_say_so_in_their_last_line(self, tmp_path: Path) -> None:
        here = NOTE.format(tmp_path.resolve())
        done = golden("verify", "--plain", "s06-context-budget", cwd=tmp_path)
        assert (0, here) == (done.code, done.out.splitlines()[-1])
        done = golden("list", "--plain", cwd=tmp_path)
        assert (0, here) == (done.code, done.out.splitlines()[-1])

    def test_as_data(self, tmp_path: Path) -> None:
        done = golden("verify", "--json", "s06-context-budget", cwd=tmp_path)
        assert "course" == json.loads(done.out)["desk"]
        rows = json.loads(golden("list", "--json", cwd=tmp_path).out)
        assert {"course"} == {row["desk"] for row in rows}

    def test_in_the_checkout_of_the_course_nothing_needs_to_be_said(self) -> None:
        for place in (ROOT, ROOT / "lessons"):
            done = golden("verify", "--plain", "s06-context-budget", cwd=place)
            assert "1 of 1 hold (exit 0)" == done.out.splitlines()[-1]
            assert "(stops: " in golden("list", "--plain", cwd=place).out.splitlines()[-1]

    def test_in_a_project_nothing_needs_to_be_said(self, project: Path) -> None:
        done = golden("verify", "--plain", cwd=project)
        assert "1 of 1 hold (exit 0)" == done.out.splitlines()[-1]
        assert "project" == json.loads(golden("verify", "--json", cwd=project).out)["desk"]
        rows = json.loads(golden("list", "--json", cwd=project).out)
        assert [("three-turns", "project")] == [(row["id"], row["desk"]) for row in rows]


class TestAFolderThatIsNamed:
    """`--golden PATH` is the folder of the project that says so, wherever one stands."""

    def test_the_goldens_of_a_project_are_checked_by_its_cases(
        self, project: Path, tmp_path: Path
    ) -> None:
        away = tmp_path / "away"
        away.mkdir()
        done = golden("verify", "--plain", "--golden", str(project / "golden"), cwd=away)
        assert "1 of 1 hold (exit 0)" == done.out.splitlines()[-1]
        golden("record", "--all", "--golden", str(project / "golden"), cwd=away)
        assert ["three-turns.jsonl"] == [p.name for p in (project / "golden").iterdir()]


class TestGoldensOfNobody:
    """A folder of goldens without settings: the settings are lost, not the goldens unimportant."""

    @pytest.fixture
    def stray(self, project: Path) -> Path:
        """The project after somebody has deleted its settings."""
        (project / "pyproject.toml").unlink()
        return project

    def test_a_check_is_refused_with_what_is_missing(self, stray: Path) -> None:
        done = golden("verify", cwd=stray)
        place, cases = stray.resolve(), len(list(GOLDEN.rglob("*.jsonl")))
        assert (2, "") == (done.code, done.out)
        assert [
            f"error: {place / 'golden'} holds 1 golden trace, and there is no [tool.curriculum]"
            f" in or above {place} that says whose. [project-none]",
            f"  without it these would be left out, and the course's own {cases} cases checked instead",
            f"  put into {place / 'pyproject.toml'}:",
            "    [tool.curriculum]",
            '    cases = ["golden_cases.py"]',
            "  next: golden guide",
        ] == done.err.splitlines()

    @pytest.mark.parametrize(
        "command",
        ["verify three-turns", "list", "record --all", "review", "prune", "accept pytest/a/b"],
    )
    def test_so_is_each_command_that_would_be_about_the_course(
        self, command: str, stray: Path
    ) -> None:
        done = golden(*command.split(), cwd=stray)
        assert 2 == done.code
        assert "[project-none]" in done.err

    def test_a_folder_inside_the_project_is_no_way_around_it(self, stray: Path) -> None:
        (stray / "src").mkdir()
        for place in (stray / "src", stray / "golden"):
            assert "[project-none]" in golden("verify", cwd=place).err

    def test_with_settings_without_the_table_too(self, stray: Path) -> None:
        (stray / "pyproject.toml").write_text('[project]\nname = "x"\n')
        assert "[project-none]" in golden("verify", cwd=stray).err

    def test_what_is_to_be_put_in_is_enough(self, stray: Path) -> None:
        lines = golden("verify", cwd=stray).err.splitlines()[3:5]
        (stray / "pyproject.toml").write_text("\n".join(line.strip() for line in lines) + "\n")
        assert 0 == golden("verify", cwd=stray).code

    def test_a_case_of_the_course_that_is_named_is_checked_and_said_to_be_one(
        self, stray: Path
    ) -> None:
        """Whoever types its name means the course, and is told so once more."""
        done = golden("verify", "--plain", "s06-context-budget", cwd=stray)
        assert 0 == done.code
        assert NOTE.format(stray.resolve()) == done.out.splitlines()[-1]
        assert 0 == curriculum("run", "s06-context-budget", "--plain", cwd=stray).code

    def test_files_that_are_named_are_compared(self, stray: Path) -> None:
        trace = "golden/three-turns.jsonl"
        assert 0 == golden("diff", trace, trace, cwd=stray).code

    def test_a_folder_that_is_named_is_checked(self, stray: Path) -> None:
        """Not one case of the course has its golden there, and none there is one of the course."""
        done = golden("verify", "--golden", "golden", "--plain", cwd=stray)
        assert 3 == done.code
        assert "UNCLAIMED three-turns  [unclaimed]" in done.out

    def test_a_folder_called_golden_without_a_trace_says_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "golden").mkdir()
        (tmp_path / "golden" / "data.jsonl").write_text('{"gold": 1}\n')
        assert 0 == golden("verify", "s06-context-budget", cwd=tmp_path).code
        assert 0 == golden("list", cwd=tmp_path).code
