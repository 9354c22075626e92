"""A learner's folder: made, found, filled up and reset, and nothing in it is written over."""

import os
from collections.abc import Generator
from pathlib import Path

import attrs
import pytest

from curriculum.course.exercises import exercise_of, lesson_of
from curriculum.course.progress import Entry, Progress, update
from curriculum.course.result import Verdict
from curriculum.course.standing import State, first_step, next_step, recap, states, to_check
from curriculum.course.workspace import WorkspaceError, create, find, here, lay, reset

from . import small_lesson


@pytest.fixture(autouse=True)
def _lesson(tmp_path: Path) -> Generator[None]:
    with small_lesson.only(small_lesson.lay_out(tmp_path / "lessons")):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mein Ordner äöü [x]"


def files(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


class TestMaking:
    def test_it_holds_the_starters_a_page_and_the_progress(self, folder: Path) -> None:
        made = create(folder)
        names = ["README.md", "progress.txt", "s90/s90_2.py", "s90/s90_3.py", "s90/s90_4.py"]
        assert sorted(files(folder)) == names
        assert (folder / "predictions").is_dir()
        assert files(folder)["s90/s90_4.py"].decode() == small_lesson.STARTERS["s90_4"]
        assert len(made.new) == 5
        assert made.kept == ()
        assert files(folder)["progress.txt"].startswith(b"curriculum progress 1\n# ")

    def test_no_solution_and_no_wrong_harness_is_in_it(self, folder: Path) -> None:
        create(folder)
        text = b"".join(files(folder).values())
        assert b"text[:limit]" not in text
        assert b"no_gate_1" not in text

    def test_again_it_lays_what_is_missing_and_writes_nothing_over(self, folder: Path) -> None:
        create(folder)
        (folder / "s90" / "s90_4.py").write_text("mine")
        (folder / "s90" / "s90_3.py").unlink()
        (folder / "README.md").write_text("mine too")
        update(folder / "progress.txt", lambda known: known.tried("s90-4", Verdict.PASS))
        before = files(folder)
        made = create(folder, Progress(name="Other"))
        assert [path.name for path in made.new] == ["s90_3.py"]
        assert files(folder) == {**before, "s90/s90_3.py": small_lesson.STARTERS["s90_3"].encode()}

    def test_a_file_that_came_at_the_last_moment_stays(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "a").write_text("mine")
        assert not lay(folder / "a", b"ours")
        assert (folder / "a").read_text() == "mine"
        assert not list(folder.glob(".curriculum-*"))

    def test_a_link_that_leads_nowhere_is_something_too(self, folder: Path) -> None:
        folder.mkdir()
        try:
            (folder / "a").symlink_to(folder / "nowhere")
        except OSError:
            pytest.skip("no links here")
        assert not lay(folder / "a", b"ours")
        assert not (folder / "nowhere").exists()

    def test_a_folder_with_other_things_is_refused(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "thesis.tex").write_text("x")
        with pytest.raises(WorkspaceError) as caught:
            create(folder)
        assert caught.value.code == "workspace-not-empty"
        assert "thesis.tex" in caught.value.headline
        assert list(files(folder)) == ["thesis.tex"]

    def test_hidden_files_are_no_reason_to_refuse(self, folder: Path) -> None:
        (folder / ".git").mkdir(parents=True)
        assert len(create(folder).new) == 5

    def test_a_folder_inside_another_workspace_is_refused(self, folder: Path) -> None:
        create(folder)
        with pytest.raises(WorkspaceError) as caught:
            create(folder / "s90" / "again")
        assert caught.value.code == "workspace-inside"
        assert str(folder) in caught.value.next

    def test_a_file_in_its_place_is_refused(self, folder: Path) -> None:
        folder.write_text("x")
        with pytest.raises(WorkspaceError) as caught:
            create(folder)
        assert caught.value.code == "workspace-file"

    def test_a_place_that_cannot_be_written_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(WorkspaceError) as caught:
            create(tmp_path / "file" / "below")
        assert caught.value.code == "workspace-write"


class TestFinding:
    def test_it_is_found_from_any_folder_within(self, folder: Path) -> None:
        create(folder)
        (folder / "s90" / "deep" / "er").mkdir(parents=True)
        for inside in (folder, folder / "s90", folder / "s90" / "deep" / "er"):
            found = find(inside)
            assert found is not None
            assert found.folder == folder

    def test_another_program_s_file_of_progress_is_none_of_ours(self, folder: Path) -> None:
        folder.mkdir()
        for text in (b"50 %\n", b"\xff\xfe\n", b""):
            (folder / "progress.txt").write_bytes(text)
            assert find(folder) is None

    def test_without_one_the_next_step_makes_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(WorkspaceError) as caught:
            here()
        assert caught.value.code == "workspace-none"
        assert caught.value.next.startswith("curriculum start ")

    def test_a_path_is_shown_from_where_one_stands(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work = create(folder).workspace
        monkeypatch.chdir(folder / "predictions")
        assert work.show(work.file(exercise_of("s90-4"))) == "../s90/s90_4.py"


class TestReset:
    def test_the_starter_comes_back_and_what_was_there_is_kept(self, folder: Path) -> None:
        work = create(folder).workspace
        exercise = exercise_of("s90-4")
        work.file(exercise).write_text("mine")
        update(work.progress_file, lambda known: known.tried("s90-4", Verdict.PASS))
        kept = work.progress_file.read_bytes()
        backup, done = reset(work, [exercise])
        assert done == (exercise,)
        assert work.file(exercise).read_text() == small_lesson.STARTERS["s90_4"]
        assert (backup / "s90" / "s90_4.py").read_text() == "mine"
        assert (backup / "progress.txt").read_bytes() == kept
        assert work.progress().of("s90-4") == Entry()

    def test_each_reset_has_a_folder_of_its_own(self, folder: Path) -> None:
        work = create(folder).workspace
        exercise = exercise_of("s90-4")
        for text in ("one", "two"):
            work.file(exercise).write_text(text)
            reset(work, [exercise])
        kept = [(folder / "backup" / n / "s90" / "s90_4.py").read_text() for n in ("1", "2")]
        assert kept == ["one", "two"]

    def test_predictions_go_with_it_and_those_of_others_stay(self, folder: Path) -> None:
        work = create(folder).workspace
        for name in ("s90-1.txt", "s90-1.2.txt", "s90-1.3.a.txt", "s90-10.txt", "s90-2.txt"):
            (work.predictions / name).write_text(name)
        backup, _ = reset(work, [exercise_of("s90-1")])
        assert sorted(path.name for path in work.predictions.iterdir()) == [
            "s90-10.txt",
            "s90-2.txt",
        ]
        assert len(list((backup / "predictions").iterdir())) == 3

    def test_a_file_that_was_taken_away_comes_back(self, folder: Path) -> None:
        work = create(folder).workspace
        exercise = exercise_of("s90-4")
        work.file(exercise).unlink()
        _, done = reset(work, [exercise])
        assert work.file(exercise).is_file()
        assert done == (exercise,)

    def test_what_is_as_it_came_is_not_moved(self, folder: Path) -> None:
        work = create(folder).workspace
        before = files(folder)
        _, done = reset(work, [exercise_of("s90-4")])
        assert done == ()
        assert files(folder) == before


class TestStanding:
    def test_the_lesson_is_read_first_then_each_exercise_in_order(self) -> None:
        known = Progress()
        commands: list[str] = []
        for _ in range(6):
            step = next_step(known)
            if step is None:
                break
            commands.append(step.command)
            if step.exercise is None:
                known = known.has_read(step.lesson.id, "L1")
            else:
                known = known.tried(step.exercise.id, Verdict.PASS)
        assert commands == [
            "curriculum read s90",
            "curriculum predict s90-1",
            "curriculum check s90-2",
            "curriculum check s90-3",
            "curriculum check s90-4",
        ]

    def test_passing_the_make_exercise_places_out_of_predict_and_modify(self) -> None:
        """The assertion stays to be done."""
        known = Progress().tried("s90-4", Verdict.PASS)
        rows = {one.id: state for one, state in states(lesson_of("s90"), known)}
        assert rows == {
            "s90-1": State.PLACED,
            "s90-2": State.PLACED,
            "s90-3": State.OPEN,
            "s90-4": State.DONE,
        }
        assert known.entries.keys() == {"s90-4"}

    def test_an_exercise_that_needs_a_lesson_that_is_not_here_waits(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = [attrs.evolve(one, needs=("s99",)) for one in _all()]
        monkeypatch.setattr("curriculum.course.standing.exercises", lambda _: tuple(found))
        assert {state for _, state in states(lesson_of("s90"), Progress())} == {State.WAITS}
        assert next_step(Progress()) is None
        assert to_check(Progress()) is None

    def test_the_first_code_that_is_not_done(self) -> None:
        known = Progress()
        first = to_check(known)
        assert first is not None
        assert first.id == "s90-2"
        second = to_check(known.tried("s90-2", Verdict.PASS))
        assert second is not None
        assert second.id == "s90-3"

    def test_the_first_step_after_reading(self) -> None:
        assert first_step(lesson_of("s90"), None) == "curriculum predict s90-1"

    def test_a_recap_names_what_a_lesson_rests_on_the_first_ones_first(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lesson = lesson_of("s90")
        needs = {"s91": ("s92", "s93"), "s92": ("s93",), "s93": ()}
        known = {name: attrs.evolve(lesson, id=name, needs=rest) for name, rest in needs.items()}
        monkeypatch.setattr("curriculum.course.standing.lesson_of", known.__getitem__)
        top = attrs.evolve(lesson, needs=("s91",))
        assert [one.id for one in recap(top)] == ["s93", "s92", "s91"]


def _all() -> list[object]:
    from curriculum.course.exercises import exercises

    return list(exercises("s90"))


def test_a_workspace_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = create(Path("here"))
    assert os.path.isabs(made.workspace.folder)
    assert (tmp_path / "here" / "progress.txt").is_file()
