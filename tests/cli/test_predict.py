"""`curriculum predict`: at a terminal, from a file, in pairs; in three looks."""

import json
import os
import sys
from pathlib import Path

import pytest

from curriculum.course.exercises import exercise_of
from curriculum.course.variants import variant_of

from .command import STYLE, Done, curriculum
from .terminal import typed

WRONG = "log = 120\nshown = 120\nrequest = 300-60\nbytes = y\nconfidence = 3\n"
RIGHT = "log = 120\nshown = 31\nrequest = 300\nbytes = n\n"


def answers(folder: Path, text: str, name: str = "a.txt") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


def predict(folder: Path, text: str, *more: str, id: str = "s06-1") -> Done:
    return curriculum("predict", id, "--answers", answers(folder, text), *more, cwd=folder)


SAMPLE = """\
s06-1  Lower the tool ceiling   4 questions, about 4 minutes
  You saw   The tool returned 2000 characters. Gate 1 (tool, 180) put 180 in the log. Gate 2 (request, 300) had room for 31. Request 2 was 300 long.
  Change    max_tool_output_chars 180 -> 120. Nothing else. Not run yet.
1 How long is the tool result in the log?         > 120
2 How long is it in request 2?                    > 120
3 How long is request 2?                          > 240
4 Does any byte of request 2 change?              > yes
Written down before the run: predictions/s06-1.txt
1 Right: 120. Gate 1 did what you said.
2 You: 120. Run: 31. This is the first difference; 3 and 4 may depend on it.
  where     second context.assemble, tool result r0005
  rule      a request may not pass max_input_chars; the result gets what is left
  sum       300 - (14 tools + 210 system + 20 user + 25 call and marks) = 31
  yours     269 + 120 = 389, that is 89 over: it would never be sent
A harness with only gate 1 gives exactly 120. Was that your picture?
3 Still open under the rule: How long is request 2?
4 Still open under the rule: Does any byte of request 2 change?
NOT YET  1 of 4 before the rule.
next: curriculum predict s06-1   # new numbers
"""


class TestFromAFile:
    """Without a terminal: lines KEY = ANSWER."""

    def test_the_sample_word_for_word(self, tmp_path: Path) -> None:
        done = predict(tmp_path, WRONG, "--plain")
        assert SAMPLE == done.out
        assert (1, "") == (done.code, done.err)

    def test_all_right_passes_with_code_0(self, tmp_path: Path) -> None:
        done = predict(tmp_path, RIGHT, "--plain")
        assert 0 == done.code
        assert "PASS  4 of 4 right.\n" in done.out
        assert "Both runs have the same fingerprints" in done.out

    def test_answers_under_the_rule(self, tmp_path: Path) -> None:
        done = predict(tmp_path, f"{WRONG}again.request = 300\nagain.bytes = n\n", "--plain")
        assert "3 Again: 300. Right.\n4 Again: no. Right.\n" in done.out
        assert "NOT YET  1 of 4 before the rule; 3 and 4 right after it.\n" in done.out

    def test_the_prediction_is_a_text_file_beside(self, tmp_path: Path) -> None:
        predict(tmp_path, WRONG)
        text = (tmp_path / "predictions" / "s06-1.txt").read_text(encoding="utf-8")
        assert text.startswith("curriculum prediction 1\nexercise: s06-1\n")
        assert "\nafter the run\nverdict: not-yet\nright: 1 of 4\n" in text

    def test_the_next_attempt_has_new_numbers_and_the_room_has_not(self, tmp_path: Path) -> None:
        predict(tmp_path, WRONG)
        assert "180 -> 92. Nothing else. Not run yet." in predict(tmp_path, WRONG).out
        room = predict(tmp_path, WRONG, "--room").out
        assert "180 -> 120. Nothing else. These numbers were run here before." in room

    def test_a_name_has_numbers_of_its_own(self, tmp_path: Path) -> None:
        changes = set[str]()
        for name in ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"):
            folder = tmp_path / name
            folder.mkdir()
            done = predict(folder, WRONG, "--name", name, "--course", "spring", "--json")
            changes.add(str(json.loads(done.out)["change"]))
        assert len(changes) >= 3

    def test_json_has_the_same_facts(self, tmp_path: Path) -> None:
        done = predict(tmp_path, WRONG, "--json")
        data = json.loads(done.out)
        assert 1 == done.code
        assert ("not-yet", 1, 4) == (data["verdict"], data["right"], data["of"])
        assert "shown" == data["first_difference"]
        assert ["gate_1_only"] == data["pictures"]
        assert {"max_tool_output_chars": 120} == data["change"]
        texts = [finding["text"] for finding in data["findings"]]
        plain = curriculum("predict", "s06-1", "--answers", "a.txt", "--room", cwd=tmp_path).out
        for text in texts:
            assert text in plain

    def test_confidence_changes_no_verdict(self, tmp_path: Path) -> None:
        ends = {
            predict(tmp_path, f"{RIGHT}confidence = {n}\n", "--room", "--plain").out.splitlines()[
                -2
            ]
            for n in (1, 2, 3)
        }
        assert {"PASS  4 of 4 right."} == ends

    @pytest.mark.parametrize(
        ("text", "code", "said"),
        [
            ("log = 120\n", "answers-missing", "no answer to shown, request, bytes"),
            (RIGHT.replace("31", "thirty"), "answer-unreadable", "line 2: 'thirty'"),
            (RIGHT.replace("shown", "show"), "answers-line", "nearest: shown"),
        ],
    )
    def test_what_cannot_be_read_is_no_verdict(
        self, tmp_path: Path, text: str, code: str, said: str
    ) -> None:
        done = predict(tmp_path, text)
        assert (2, "") == (done.code, done.out)
        assert f"[{code}]" in done.err
        assert said in done.err
        assert not (tmp_path / "predictions").exists()

    def test_it_works_in_a_folder_with_blanks_and_umlauts(self, tmp_path: Path) -> None:
        folder = tmp_path / "mein Kurs für Übungen"
        folder.mkdir()
        assert 0 == predict(folder, RIGHT).code

    @pytest.mark.skipif(
        sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
        reason="whoever may write everywhere is not refused",
    )
    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        name = answers(tmp_path, RIGHT)
        tmp_path.chmod(0o500)
        try:
            done = curriculum("predict", "s06-1", "--answers", name, cwd=tmp_path)
        finally:
            tmp_path.chmod(0o700)
        assert "[prediction-write]" in done.err


class TestRefusals:
    """What cannot be asked is said before anything is written."""

    def test_without_a_terminal_the_form_is_shown(self, tmp_path: Path) -> None:
        done = curriculum("predict", "s06-1", cwd=tmp_path)
        assert 2 == done.code
        assert "[predict-no-terminal]" in done.err
        assert "shown = ...   # How long is it in request 2?" in done.err
        assert "max_tool_output_chars 180 -> 120" in done.err

    def test_an_unknown_exercise_names_the_nearest(self) -> None:
        done = curriculum("predict", "s6-1")
        assert (2, True) == (done.code, "nearest: s06-1" in done.err)

    def test_two_files_need_a_pair(self, tmp_path: Path) -> None:
        name = answers(tmp_path, RIGHT)
        for more in (["--answers", name], ["--pair"]):
            done = curriculum("predict", "s06-1", "--answers", name, *more, cwd=tmp_path)
            assert more == ["--pair"] or "[predict-files]" in done.err
            assert 2 == done.code


class TestInAWorkspace:
    """The workspace around says whose numbers, where it is written, and how far the learner is."""

    def test_its_name_its_folder_its_progress(self, tmp_path: Path) -> None:
        assert 0 == curriculum("start", "my work", "--name", "Ada", cwd=tmp_path).code
        work = tmp_path / "my work"
        (work / "notes").mkdir()
        own = json.loads(predict(work / "notes", WRONG, "--json").out)
        exercise = exercise_of("s06-1")
        assert dict(variant_of(exercise, "", "Ada")) == own["change"]
        assert (work / "predictions" / "s06-1.txt").is_file()
        assert "s06-1 not-yet tries=1" in (work / "progress.txt").read_text(encoding="utf-8")
        done = predict(work / "notes", RIGHT, "--room", "--plain")
        assert "Written down before the run: ../predictions/s06-1.2.txt" in done.out
        assert "s06-1 pass tries=2" in (work / "progress.txt").read_text(encoding="utf-8")

    def test_an_order_is_noted_too(self, tmp_path: Path) -> None:
        curriculum("start", "w", cwd=tmp_path)
        text = "order = call returns gate-1 log gate-2 sent\n"
        predict(tmp_path / "w", text, id="s06-10")
        progress = (tmp_path / "w" / "progress.txt").read_text(encoding="utf-8")
        assert "s06-10 pass tries=1" in progress

    @pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
    def test_a_hint_that_is_taken_is_written_down(self, tmp_path: Path) -> None:
        curriculum("start", "w", cwd=tmp_path)
        keys = ["120", "31", "300", "n", "3", "", "h", "h", "q"]
        command = ["-m", "curriculum", "predict", "s06-1"]
        done = typed(command, [f"{key}\n" for key in keys], tmp_path / "w", prompt=" > ")
        assert 0 == done.code, done.out
        progress = (tmp_path / "w" / "progress.txt").read_text(encoding="utf-8")
        assert "s06-1 pass tries=1 hints=2" in progress


class TestPairs:
    """Two commits, the question at which they part, then the run."""

    def test_two_files(self, tmp_path: Path) -> None:
        answers(tmp_path, RIGHT, "b.txt")
        done = predict(tmp_path, WRONG, "--pair", "--answers", "b.txt", "--plain")
        assert (
            "You part at question 2: How long is it in request 2? a says 120, b says 31."
            in done.out
        )
        before, _, after = done.out.partition("Nothing has been run yet.")
        assert "Run: 31" not in before
        assert "NOT YET  1 of 4" in after
        assert "PASS  4 of 4" in after
        names = sorted(path.name for path in (tmp_path / "predictions").iterdir())
        assert ["s06-1.a.txt", "s06-1.b.txt"] == names
        assert 1 == done.code

    def test_both_as_json(self, tmp_path: Path) -> None:
        answers(tmp_path, RIGHT, "b.txt")
        done = predict(tmp_path, WRONG, "--pair", "--answers", "b.txt", "--json")
        data = json.loads(done.out)
        assert ("not-yet", "pass") == (data["a"]["verdict"], data["b"]["verdict"])
        assert "pair.parts" == data["parting"][0]["key"]


class TestOtherKinds:
    """An order, one event."""

    def test_an_order(self, tmp_path: Path) -> None:
        text = "order = call returns gate-1 log gate-2 sent\n"
        done = predict(tmp_path, text, "--plain", id="s06-10")
        assert (0, True) == (done.code, done.out.endswith("PASS\nnext: curriculum next\n"))

    def test_one_event_as_json(self, tmp_path: Path) -> None:
        done = predict(tmp_path, "event = 14\n", "--json", id="s06-11")
        data = json.loads(done.out)
        assert (1, "not-yet") == (done.code, data["verdict"])
        assert "13" not in done.out.replace("s06-11", "")

    def test_causes_are_not_shown_where_they_are_asked_for(self, tmp_path: Path) -> None:
        done = predict(tmp_path, "event = 12\n", "--plain", id="s06-12")
        assert 0 == done.code
        assert "<- 11" not in done.out

    def test_what_is_answered_elsewhere_says_where(self, tmp_path: Path) -> None:
        done = curriculum("predict", "s06-5", cwd=tmp_path)
        assert 2 == done.code
        assert "[exercise-waits]" in done.err or "[predict-no-terminal]" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
class TestAtATerminal:
    """A person types."""

    def test_the_sample_session(self, tmp_path: Path) -> None:
        keys = ["120", "12x", "120", "300-60", "y", "3", "", "y", "300", "n", "p", "h", "q"]
        done = typed(
            ["-m", "curriculum", "predict", "s06-1"],
            [f"{key}\n" for key in keys],
            tmp_path,
            prompt=" > ",
            COLUMNS="100",
        )
        assert 1 == done.code, done.out
        said = STYLE.sub("", done.out)
        told = [
            "was 180    > 120",
            "'12x' is no whole number.",
            "y/n        > y",
            "ENTER writes it down and runs, e edits > ",
            "Written down before the run: predictions/s06-1.txt",
            "1 Right: 120. Gate 1 did what you said.",
            "yours     269 + 120 = 389, that is 89 over: it would never be sent",
            "y I forgot gate 2   n I miscounted   o other > y",
            "Your picture, then: I forgot gate 2.",
            "3 Again, with that rule: how long is request 2?",
            "NOT YET  1 of 4 before the rule; 3 and 4 right after it.",
            "context.assemble for tool-results",
            "hint 1 of 3: Look at the second context.assemble",
        ]
        at = -1
        for words in told:
            found = said.find(words, at + 1)
            assert found > at, (words, said)
            at = found
        text = (tmp_path / "predictions" / "s06-1.txt").read_text(encoding="utf-8")
        assert "picture: gate_1_only\nagain request: 300\nagain bytes: no\n" in text

    def test_editing_before_the_run(self, tmp_path: Path) -> None:
        keys = ["1", "1", "1", "y", "1", "e", "120", "31", "300", "n", "3", "", "q"]
        done = typed(
            ["-m", "curriculum", "predict", "s06-1", "--plain"],
            [f"{key}\n" for key in keys],
            tmp_path,
            prompt=" > ",
        )
        assert 0 == done.code, done.out
        assert 1 == len(list((tmp_path / "predictions").iterdir()))

    def test_ctrl_d_writes_nothing(self, tmp_path: Path) -> None:
        done = typed(
            ["-m", "curriculum", "predict", "s06-1"], ["120\n", "\x04"], tmp_path, prompt=" > "
        )
        assert 130 == done.code, done.out
        assert not (tmp_path / "predictions").exists()

    def test_whoever_leaves_after_the_run_has_seen_it(self, tmp_path: Path) -> None:
        """Ctrl-D at the question about the picture: the attempt counts, the next numbers are new."""
        keys = ["120\n", "120\n", "240\n", "y\n", "3\n", "\n", "\x04"]
        command = ["-m", "curriculum", "predict", "s06-1"]
        done = typed(command, keys, tmp_path, prompt=" > ")
        assert 130 == done.code, done.out
        text = (tmp_path / "predictions" / "s06-1.txt").read_text(encoding="utf-8")
        assert "verdict: not-yet\nright: 1 of 4\n" in text
        assert "180 -> 92. Nothing else. Not run yet." in predict(tmp_path, RIGHT, "--plain").out

    def test_two_people_at_one_terminal(self, tmp_path: Path) -> None:
        one = ["", "120", "120", "389", "y", "2"]
        other = ["", "120", "31", "300", "n", "3"]
        done = typed(
            ["-m", "curriculum", "predict", "s06-1", "--pair"],
            [f"{key}\n" for key in [*one, *other, ""]],
            tmp_path,
            prompt=" > ",
        )
        assert 1 == done.code, done.out
        assert "You part at question 2" in done.out


def test_the_rich_look_says_the_same(tmp_path: Path) -> None:
    """In a narrow terminal nothing is lost."""
    colour = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "60"}
    name = answers(tmp_path, WRONG)
    done = curriculum("predict", "s06-1", "--answers", name, cwd=tmp_path, **colour)
    assert "\x1b[" in done.out
    words = " ".join(done.text.split())
    for line in SAMPLE.splitlines()[8:18]:
        assert " ".join(line.split()) in words
