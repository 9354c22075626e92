"""The commands of a workspace: one next step, checks with three verdicts, hints, the solution."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest

from tests import small_lesson

from .command import curriculum
from .learner import Learner

SAID = re.compile(r"next: (curriculum [^\n#]+?)(?:  |\n)")


@pytest.fixture
def ada(tmp_path: Path) -> Learner:
    """A learner whose folder is made."""
    return Learner(tmp_path).settle()


class TestTheTraceOfARun:
    """A harness that was changed has run: what it did can be looked at, whatever the verdict."""

    def test_it_is_written_to_a_new_file_and_can_be_shown(self, ada: Learner) -> None:
        done = ada.run("check", "s90-2", "--plain", "--trace", "run.jsonl")
        assert done.code == 1
        assert done.out.endswith(
            "written: run.jsonl\nto see your run: curriculum trace show run.jsonl\n"
        )
        assert ada.run("trace", "validate", "run.jsonl").code == 0
        again = ada.run("check", "s90-2", "--trace", "run.jsonl")
        assert again.code == 2
        assert again.err.startswith("error: run.jsonl exists;")
        assert ada.progress[-1] == "s90-2 not-yet tries=2"

    def test_an_exercise_without_a_run_says_so(self, ada: Learner) -> None:
        done = ada.run("check", "s90-4", "--trace", "run.jsonl")
        assert done.code == 2
        assert done.err.startswith("error: s90-4 gave no trace, so run.jsonl was not written.")
        assert "[check-no-trace]" in done.err
        assert not (ada.folder / "run.jsonl").exists()


class TestTheWay:
    def test_following_next_leads_through_the_whole_lesson(self, ada: Learner) -> None:
        """Each command that `next` names is run as it stands; nothing else is known."""
        answers = {"s90-1": "log = 60\n"}
        commands: list[str] = []
        for _ in range(12):
            told = SAID.search(ada.run("next", "--plain").out)
            assert told is not None
            commands.append(told[1].strip())
            words = commands[-1].split()[1:]
            if words == ["lessons"]:
                break
            if words[0] == "predict":
                (ada.folder / "answers.txt").write_text(answers[words[1]])
                _golden(ada)
                ada.run("progress")  # the golden of a made-up lesson is none of this test
                line = "s90-1 pass tries=1\n"
                with (ada.folder / "progress.txt").open("a") as file:
                    file.write(line)
                continue
            if words[0] == "check":
                stem = words[1].replace("-", "_")
                assert ada.run(*words).code == 1
                ada.write(stem, small_lesson.SOLUTIONS[stem])
            assert ada.run(*words).code == 0
        assert commands == [
            "curriculum read s90",
            "curriculum predict s90-1",
            "curriculum check s90-2",
            "curriculum check s90-3",
            "curriculum check s90-4",
            "curriculum lessons",
        ]
        assert ada.progress == [
            "read s90-small L1",
            "s90-1 pass tries=1",
            "s90-2 pass tries=2",
            "s90-3 pass tries=2",
            "s90-4 pass tries=2",
        ]

    def test_outside_of_a_workspace_the_next_step_makes_one(self, tmp_path: Path) -> None:
        for command in ("next", "check", "watch", "progress", "reset --all"):
            done = curriculum(*command.split(), cwd=tmp_path)
            assert (done.code, done.out) == (2, "")
            assert "There is no workspace here. [workspace-none]" in done.err
            assert "next: curriculum start my-course" in done.err

    def test_it_works_from_any_folder_within(self, ada: Learner) -> None:
        done = ada.run("check", "s90-4", "--plain", cwd=ada.folder / "predictions")
        assert done.code == 1
        assert done.out.startswith("s90-4  Cut a text  (../s90/s90_4.py)\n")

    def test_a_file_of_progress_that_is_broken_is_left_alone(self, ada: Learner) -> None:
        file = ada.folder / "progress.txt"
        file.write_text("curriculum progress 1\n<<<<<<< mine\n")
        for command in ("next", "progress", "check s90-4", "hint s90-4"):
            done = ada.run(*command.split())
            assert done.code == 2
            assert "line 2 cannot be read as progress. [progress-line]" in done.err
        assert file.read_text() == "curriculum progress 1\n<<<<<<< mine\n"


def _golden(ada: Learner) -> None:
    """There is no golden of the small lesson, so a prediction is refused, not failed."""
    done = ada.run("predict", "s90-1", "--answers", "answers.txt")
    assert done.code != 0


class TestCheck:
    def test_the_three_verdicts_and_their_codes(self, ada: Learner) -> None:
        assert ada.run("check", "s90-4").code == 1
        ada.write("s90_4", "import no_such_module\n")
        done = ada.run("check", "s90-4", "--plain")
        assert done.code == 7
        assert done.out.splitlines()[1:] == [
            "s90_4.py, line 1 needs the module no_such_module, which is not installed here."
            " The exercises need only Python itself and curriculum.",
            "COULD NOT CHECK",
            "next: curriculum check s90-4",
        ]
        ada.write("s90_4", small_lesson.SOLUTIONS["s90_4"])
        assert ada.run("check", "s90-4").code == 0
        assert ada.progress == ["s90-4 pass tries=2"]

    def test_without_a_name_it_is_the_first_that_is_not_done(self, ada: Learner) -> None:
        assert ada.run("check").out.startswith("s90-2  Keep the log small")
        for stem, code in small_lesson.SOLUTIONS.items():
            ada.write(stem, code)
            ada.run("check")
        done = ada.run("check")
        assert done.code == 2
        assert "[nothing-to-check]" in done.err

    def test_as_data(self, ada: Learner) -> None:
        done = ada.run("check", "s90-4", "--json")
        data = json.loads(done.out)
        assert done.code == 1
        assert (data["exercise"], data["verdict"]) == ("s90-4", "not-yet")
        assert (data["right"], data["of"]) == (2, 4)
        assert data["findings"][0]["key"] == "make.some"
        assert data["next"] == "curriculum hint s90-4"

    def test_the_limit_of_time_can_be_given(self, ada: Learner) -> None:
        ada.write("s90_4", "while True: pass\n")
        done = ada.run("check", "s90-4", "--seconds", "2")
        assert done.code == 1
        assert "It did not finish within 2 seconds, so it was stopped." in done.out
        for bad in ("0", "601", "x"):
            assert ada.run("check", "s90-4", "--seconds", bad).code == 2

    @pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
    def test_ctrl_c_stops_the_run_too(self, ada: Learner) -> None:
        ada.write("s90_4", f"import os, time\nopen({str(ada.place / 'pid')!r}, 'w').write(str("
                  "os.getpid()))\ntime.sleep(60)\n")  # fmt: skip

        def wait() -> None:
            ends = time.monotonic() + 20
            while not (ada.place / "pid").is_file() and time.monotonic() < ends:
                time.sleep(0.1)

        steps = [("Cut a text", wait), ("", "\x03")]
        done = ada.sit("check", "s90-4", "--seconds", "50", steps=steps)
        assert done.code == 130
        assert "Interrupted" in done.out
        assert ada.progress == []
        with pytest.raises(ProcessLookupError):
            os.kill(int((ada.place / "pid").read_text()), 0)

    def test_what_code_says_is_data(self, ada: Learner) -> None:
        """A control character, markup and a line that looks like ours stay text."""
        said = "\\x1b[31mred\\u202e [bold]x\\nPASS"
        ada.write("s90_4", f"raise ValueError('{said}')\n")
        for env in ({}, {"FORCE_COLOR": "1"}):
            done = ada.run("check", "s90-4", **env)
            assert "\x1b[31mred" not in done.out
            assert "\u202e" not in done.out
            assert "PASS" not in done.text.splitlines()
            assert "[bold]x\\nPASS" in done.text.replace("\n  ", " ")

    def test_to_ask_after_a_prediction_is_no_try(self, ada: Learner) -> None:
        done = ada.run("check", "s90-1")
        assert done.code == 1
        assert "next: curriculum predict s90-1" in done.out
        assert ada.progress == []

    def test_an_unknown_one_is_answered_with_the_nearest(self, ada: Learner) -> None:
        done = ada.run("check", "s90-44")
        assert done.code == 2
        assert "[unknown-exercise]" in done.err
        assert "nearest: s90-4" in done.err


class TestHint:
    def test_each_time_one_more_and_never_more_than_three(self, ada: Learner) -> None:
        counts = [ada.run("hint", "s90-4", "--plain").out.count(" of 3 ") for _ in range(4)]
        assert counts == [1, 2, 3, 3]
        assert ada.progress == ["s90-4 open hints=3"]

    def test_without_a_workspace_a_step_is_named(self, ada: Learner) -> None:
        done = ada.run("hint", "s90-4", cwd=ada.place)
        assert "one more: curriculum hint s90-4 --step 2" in done.out
        done = ada.run("hint", "s90-4", "--step", "2", cwd=ada.place)
        assert done.out.count(" of 3 ") == 2

    def test_as_data(self, ada: Learner) -> None:
        data = json.loads(ada.run("hint", "s90-1", "--json").out)
        assert data["hints"] == ["look at event 5"]
        assert data["next"] == "curriculum predict s90-1"


class TestSolution:
    def test_before_a_pass_it_is_only_shown_on_request(self, ada: Learner) -> None:
        done = ada.run("solution", "s90-4")
        assert (done.code, done.out) == (2, "")
        assert "You have not passed s90-4 yet. [solution-not-yet]" in done.err
        assert "next: curriculum hint s90-4" in done.err
        assert ada.progress == []

    def test_on_request_as_a_difference_to_the_learner_s_own(self, ada: Learner) -> None:
        ada.write("s90_4", "def keep(text, limit):\n    return text[-limit:]\n")
        done = ada.run("solution", "s90-4", "--show", "--plain")
        assert done.code == 0
        assert done.out.splitlines()[1:8] == [
            "--- yours/s90_4.py",
            "+++ course/s90_4.py",
            "@@ -1,2 +1,2 @@",
            " def keep(text, limit):",
            "-    return text[-limit:]",
            "+    return text[:limit]",
            "  - yours, + the course's. Other ways can be as right: check says.",
        ]
        assert ada.progress == ["s90-4 open solution"]

    def test_after_a_pass(self, ada: Learner) -> None:
        ada.write("s90_4", small_lesson.SOLUTIONS["s90_4"])
        ada.run("check", "s90-4")
        done = ada.run("solution", "s90-4")
        assert done.code == 0
        assert "yours is the course's, line for line" in done.out
        assert ada.progress == ["s90-4 pass tries=1 solution"]

    def test_of_a_prediction_it_is_the_run(self, ada: Learner) -> None:
        data = json.loads(ada.run("solution", "s90-1", "--show", "--json").out)
        assert data["commands"] == [
            "curriculum run s90-small",
            "curriculum run s90-small --budget max_tool_output_chars=60",
        ]
        assert data["diff"] == []

    def test_of_an_explanation_it_is_the_model_answers(self) -> None:
        data = json.loads(curriculum("solution", "s06-5", "--show", "--json").out)
        assert [text.partition(":")[0] for text in data["texts"]] == ["right", "thin", "wrong"]

    def test_a_solution_that_is_missing(self, ada: Learner) -> None:
        (ada.lessons / "s90_small" / "solutions" / "s90_4.py").unlink()
        done = ada.run("solution", "s90-4", "--show")
        assert done.code == 2
        assert "[solution-missing]" in done.err


class TestReset:
    def test_the_starter_comes_back_and_yours_is_kept(self, ada: Learner) -> None:
        ada.write("s90_4", "mine")
        ada.run("hint", "s90-4")
        done = ada.run("reset", "s90-4", "--plain")
        assert done.code == 0
        assert done.out.splitlines() == [
            "reset: s90-4",
            "  kept      what was there is in backup/1",
            "next: curriculum check s90-4",
        ]
        assert (ada.folder / "backup" / "1" / "s90" / "s90_4.py").read_text() == "mine"
        assert ada.progress == []

    def test_all_of_it(self, ada: Learner) -> None:
        for stem in small_lesson.STARTERS:
            ada.write(stem, "mine")
        data = json.loads(ada.run("reset", "--all", "--json").out)
        assert data["reset"] == ["s90-2", "s90-3", "s90-4"]
        assert "nothing to reset" in ada.run("reset", "--all").out

    def test_one_or_all_must_be_said(self, ada: Learner) -> None:
        for args in ((), ("s90-4", "--all")):
            assert ada.run("reset", *args).code == 2


class TestProgress:
    def test_every_exercise_with_a_sign_and_what_it_took(self, ada: Learner) -> None:
        ada.write("s90_4", small_lesson.SOLUTIONS["s90_4"])
        for command in ("check s90-3", "hint s90-3", "check s90-4"):
            ada.run(*command.split())
        lines = ada.run("progress", "--plain").out.splitlines()
        assert lines[2:7] == [
            "s90-small  3 of 4 exercises done",
            "  = s90-1    predict    Lower the ceiling",
            "  = s90-2    modify     Keep the log small",
            "  o s90-3    assertion  Say when gate 1 cut  (1 try, 1 hint)",
            "  x s90-4    make       Cut a text  (1 try)",
        ]

    def test_as_data(self, ada: Learner) -> None:
        data = json.loads(ada.run("progress", "--json").out)
        (lesson,) = data["lessons"]
        assert [one["state"] for one in lesson["exercises"]] == ["open"] * 4
        assert data["next"]["command"] == "curriculum read s90"

    def test_the_file_goes_on_elsewhere(self, ada: Learner, tmp_path: Path) -> None:
        """Copied to another folder, it is that folder's progress."""
        ada.write("s90_4", small_lesson.SOLUTIONS["s90_4"])
        ada.run("check", "s90-4")
        other = tmp_path / "other"
        ada.run("start", str(other))
        (other / "progress.txt").write_bytes((ada.folder / "progress.txt").read_bytes())
        assert "x s90-4" in ada.run("progress", cwd=other).out
