"""The check of lessons: a whole one passes, and each promise that is broken is refused by name."""

import hashlib
import json
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from curriculum.course import checked_answers, checked_code, lesson_check
from curriculum.course.exercise import Exercise
from curriculum.course.lessons import folders
from curriculum.course.result import Result
from curriculum.golden import files

from .authored import Author, author_in
from .whole_lesson import write_whole

MEMO: dict[str, Result] = {}
TOOL = "exercises/s91_"
CHANGE = "change = { max_tool_output_chars = 60 }"
FATE = """type = "choice"
choices = ["admitted", "cut", "omitted"]
read = "request 2 r0005.decision\""""
VARIANT = "{ max_tool_output_chars = 80 }"


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole lesson and its golden, to be copied."""
    root = tmp_path_factory.mktemp("pattern")
    with author_in(root, "s91_tiny") as author:
        write_whole(author)
    for cache in root.rglob("__pycache__"):
        shutil.rmtree(cache)
    return root


@pytest.fixture
def author(pattern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Author]:
    """The author of a copy of it. What is checked of the same files is checked in one process."""
    real = checked_code._checked  # pyright: ignore[reportPrivateUsage]

    def once(exercise: Exercise, code: Path) -> Result:
        parts = [code, exercise.file, exercise.folder / f"solutions/{exercise.stem}_check.py"]
        parts += [exercise.folder / "solutions/wrong.py", exercise.folder / "demo.py"]
        seen = b"\0".join(part.read_bytes() if part.is_file() else b"" for part in parts)
        key = hashlib.sha256(seen).hexdigest()
        if key not in MEMO:
            MEMO[key] = real(exercise, code)
        return MEMO[key]

    monkeypatch.setattr(checked_code, "_checked", once)
    with author_in(tmp_path, "s91_tiny") as found:
        for part in ("lessons", "golden"):
            shutil.copytree(pattern / part, tmp_path / part, dirs_exist_ok=True)
        yield found


class TestAWholeLesson:
    def test_it_holds_and_everything_of_it_is_counted(self, author: Author) -> None:
        """The counts are written out here; 3 variants of 3 questions are 9."""
        report = author.check()
        assert report.refusals == ()
        assert report.waiting == ()
        assert report.checked == {
            **{"exercises": 8, "hints": 24, "ids of exercises": 8, "files": 21, "kinds": 3},
            **{"parts of the plan": 8, "sums of minutes": 1, "demos": 1, "lists of cases": 1},
            **{"goldens": 1, "files of goldens": 1, "levels": 5, "first questions": 1},
            **{"numbers of the text": 3, "blocks of the text": 3, "names of harnesses": 8},
            **{"functions of wrong.py": 6, "waiting exercises": 0, "variants": 3, "questions": 9},
            **{"right answers": 3, "constant strategies": 18, "limits of variants": 3},
            **{"sets of variants": 1, "comparisons of variants": 4, "wrong harnesses": 3},
            **{"runs of wrong harnesses": 9, "messages of wrong harnesses": 9},
            **{"pairs of wrong harnesses": 3, "starters": 3, "solutions": 3, "scenarios": 22},
            **{"constant answers": 8, "right harnesses": 2, "chaff": 2, "lines of orders": 6},
            **{"orders": 2, "events to choose from": 16, "events to cite": 5},
            "facts to tick": 3,
        }
        assert report.total == sum(report.checked.values()) == 240

    def test_an_exercise_that_waits_is_counted_and_not_run(self, author: Author) -> None:
        author.edit(f"{TOOL}8.toml", 'cites = "tool.result', 'cites = "no.such')
        author.edit(f"{TOOL}8.toml", "minutes = 3", 'minutes = 3\nneeds = ["s95-later"]')
        report = author.check()
        assert (report.refusals, report.waiting) == ((), ("s91-8",))
        assert report.checked["waiting exercises"] == 1
        assert "facts to tick" not in report.checked

    def test_a_waiting_exercise_is_none_of_the_three_kinds(self, author: Author) -> None:
        author.edit(f"{TOOL}3.toml", "minutes = 10", 'minutes = 10\nneeds = ["s95-later"]')
        assert author.codes() == ["lesson-kind"]


Edit = Callable[[Author], object]
WHOLE_TEXT = "one two three four five six seven eight nine ten. " * 25


def edit(file: str, old: str, new: str) -> Edit:
    return lambda author: author.edit(file, old, new)


def exercise(number: int, old: str, new: str) -> Edit:
    return edit(f"{TOOL}{number}.toml", old, new)


def write(file: str, text: str) -> Edit:
    return lambda author: author.write(file, text)


def delete(file: str) -> Edit:
    return lambda author: (author.folder / file).unlink()


def golden(name: str, text: str | None) -> Edit:
    def change(author: Author) -> None:
        path = author.root / "golden" / name
        path.parent.mkdir(exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="ascii")

    return change


def recorded(*edits: Edit) -> Edit:
    """Edits after which the golden and the text are made anew."""

    def change(author: Author) -> None:
        for one in edits:
            one(author)
        author.record()

    return change


def cut_wrong(name: str, body: str) -> Edit:
    """Let a wrong harness do something else."""

    def change(author: Author) -> None:
        path = author.folder / "solutions/wrong.py"
        text = path.read_text(encoding="utf-8")
        head, _, rest = text.partition(f"def {name}(staged: Staged) -> Staged:\n")
        assert rest
        after = rest.find("\n\n\n")
        end = rest[after:] if after >= 0 else ""
        text = f"{head}def {name}(staged: Staged) -> Staged:\n    {body}{end}\n"
        path.write_text(text, encoding="utf-8", newline="\n")

    return change


ROWS = "".join(f'[[room]]\nwhat = "s91-{n}"\nminutes = 3\n' for n in (4, 5))
REFUSALS: dict[str, tuple[str, Edit]] = {
    # the folder
    "no toml": ("lesson-toml", write("lesson.toml", 'id = "s91-tiny\n')),
    "toml is missing": ("lesson-unreadable", delete("lesson.toml")),
    "another id": ("lesson-id", edit("lesson.toml", 'id = "s91-tiny"', 'id = "s91-small"')),
    "an odd field": ("lesson-field", edit("lesson.toml", "adds =", "add =")),
    "an empty field": (
        "lesson-missing",
        edit("lesson.toml", 'title = "A tiny lesson"', 'title = ""'),
    ),
    "a stop that there is not": (
        "lesson-value",
        edit("lesson.toml", 'stops = "completed"', 'stops = "done"'),
    ),
    "a case of another lesson": (
        "lesson-case",
        edit("lesson.toml", '[[cases]]\nid = "s91-tiny"', '[[cases]]\nid = "s92-tiny"'),
    ),
    "a need that is no lesson": (
        "lesson-needs",
        edit("lesson.toml", "needs = []", 'needs = ["s90-none"]'),
    ),
    "a stray file": ("lesson-stray", write("exercises/notes.txt", "later\n")),
    "a solution without an exercise": ("lesson-stray", write("solutions/s91_9.py", "")),
    "a file that is no text": (
        "lesson-not-text",
        lambda author: (author.folder / "solutions/__init__.py").write_bytes(b"\xff\xfe"),
    ),
    "a mark": ("lesson-todo", edit("demo.py", "registry =", "# TODO\nregistry =")),
    "too few kinds": ("lesson-kind", exercise(2, 'kind = "modify"', 'kind = "assertion"')),
    "too few wrong harnesses": (
        "lesson-wrong-few",
        lambda author: [
            author.edit(f"{TOOL}4.toml", 'harness = "no_tool"', 'harness = "no_gate"'),
            author.edit(f"{TOOL}1.toml", 'harness = "old_ceiling"', 'harness = "no_gate"'),
        ],
    ),
    "an exercise of another lesson": (
        "exercise-elsewhere",
        lambda author: [
            author.write(
                "exercises/s92_1.toml",
                (author.folder / f"{TOOL}7.toml").read_text("utf-8").replace("s91-7", "s92-1"),
            ),
        ],
    ),
    # the plan
    "a plan with something unknown": (
        "room-unknown",
        edit("lesson.toml", 'what = "s91-1"', 'what = "s91-99"'),
    ),
    "a plan with something twice": ("room-twice", edit("lesson.toml", '"L4"', '"L3"')),
    "a plan that is too long": (
        "room-long",
        lambda author: author.write(
            "lesson.toml", (author.folder / "lesson.toml").read_text("utf-8") + ROWS
        ),
    ),
    "a plan with another sum": ("room-sum", edit("lesson.toml", "minutes = 40", "minutes = 39")),
    "no plan": (
        "room-none",
        lambda author: author.write(
            "lesson.toml",
            (author.folder / "lesson.toml").read_text("utf-8").partition("[[room]]")[0],
        ),
    ),
    # the runs
    "no demo": ("demo-missing", delete("demo.py")),
    "a long demo": ("demo-long", edit("demo.py", "registry", "\n" * 30 + "registry")),
    "a clock in the demo": ("demo-imports", edit("demo.py", "from curr", "import time\nfrom curr")),
    "a demo that raises": ("demo-raised", edit("demo.py", "SCENARIOS =", "1 / 0\nSCENARIOS =")),
    "cases that differ": (
        "lesson-cases",
        edit("demo.py", 'SCENARIOS = {"s91-tiny"', 'SCENARIOS = {"s91-tiny/other"'),
    ),
    "a golden that does not hold": (
        "lesson-golden",
        edit("demo.py", 'lambda: "row " * 100', 'lambda: "row " * 101'),
    ),
    "a golden that is missing": ("lesson-golden", golden("s91-tiny.jsonl", None)),
    "a golden of no case": ("golden-unclaimed", golden("s91-tiny/old.jsonl", "{}\n")),
    "a golden that waits": ("golden-pending", golden("s91-tiny.pending.jsonl", "{}\n")),
    # the text
    "no text": ("text-missing", delete("lesson.md")),
    "a level that is missing": ("text-levels", edit("lesson.md", "## L3 ", "### L3 ")),
    "a level that is empty": (
        "text-empty",
        edit("lesson.md", "## L3 ", "## L3 · Real (1 min)\n\nNothing.\n\n## L3 "),
    ),
    "a level without minutes": ("text-minutes", edit("lesson.md", " (6 min)", "")),
    "a word for later": ("text-jargon", edit("lesson.md", "First the picture", "The harness")),
    "a late question": ("text-long", edit("lesson.md", "First the picture", WHOLE_TEXT)),
    "no question": (
        "text-no-question",
        edit("lesson.md", "its marker with it?", "its marker with it."),
    ),
    "a number without a source": ("text-source", edit("lesson.md", "First the", "First 12 of the")),
    "another number": ("text-source", edit("lesson.md", "400<!--returned-->", "401<!--returned-->")),
    "code that is not the demo's": ("text-source", edit("lesson.md", '"Be short."', '"Be long."')),
    # exercises
    "no toml of an exercise": ("exercise-toml", write(f"{TOOL}1.toml", "format = \n")),
    "two hints": (
        "exercise-value",
        exercise(8, 'hints = ["look at tool.truncate", "gate 1 is final", ', 'hints = ["look", '),
    ),
    "an empty hint": ("exercise-value", exercise(8, '"gate 1 is final"', '" "')),
    "hints that say the same": ("hints-same", exercise(8, '"gate 1 is final"', '"with 80 it is 80"')),
    "a case that there is not": ("prose-source", exercise(1, 'case = "s91-tiny"', 'case = "s91-no"')),
    "a harness that there is not": ("wrong-harness", exercise(1, '"old_ceiling"', '"older"')),
    "a harness that nobody uses": (
        "wrong-unused",
        edit("solutions/wrong.py", "def no_gate", "def spare(staged):\n    return staged\n\n\ndef no_gate"),
    ),
    # predictions
    "a place that the run lacks": (
        "exercise-locator",
        exercise(1, "record.append 5 text", "record.append 9 text"),
    ),
    "an answer of another type": ("predict-type", exercise(1, '"yes-no"', '"number"')),
    "all stays": (
        "predict-constant",
        lambda author: [
            author.edit(f"{TOOL}1.toml", 'read = "record.append 5 text"', 'read = "tool.result 1 size"'),
            author.edit(f"{TOOL}1.toml", "changed request 2", "changed request 1"),
            author.edit(f"{TOOL}1.toml", 'forces = "gate-1"\n', ""),
        ],
    ),
    "all changes": (
        "predict-constant",
        exercise(1, 'read = "turns"', 'read = "tool.truncate 1 kept"'),
    ),
    "all by the difference": (
        "predict-constant",
        exercise(1, 'read = "turns"', 'read = "record.append 5 text + 3"'),
    ),
    "a variant twice": ("variant-twice", exercise(1, VARIANT, f"{VARIANT},\n  {VARIANT}")),
    "a variant that changes nothing": (
        "variant-nothing",
        exercise(1, VARIANT, "{ max_tool_output_chars = 100 }"),
    ),
    "a variant in which less changes": (
        "variant-changed",
        exercise(1, VARIANT, "{ max_input_chars = 80 }"),
    ),
    "a variant that crosses a flip": (
        "variant-flip",
        lambda author: [
            author.edit(f"{TOOL}1.toml", VARIANT, "{ max_tool_output_chars = 80, max_input_chars = 100 }"),
            author.edit(f"{TOOL}1.toml", 'type = "number"\nread = "turns"', FATE),
        ],
    ),
    "no wrong harness": ("wrong-none", lambda author: _without_wrong(author)),
    "a wrong harness that is right": ("wrong-no-difference", cut_wrong("no_gate", "return staged")),
    "a wrong harness without an answer": ("wrong-silent", cut_wrong("no_gate", "return 1 / 0")),
    "a wrong harness that raises": ("wrong-harness-raised", cut_wrong("no_gate", "return 1 / 0")),
    "wrong harnesses that are one": (
        "wrong-not-apart",
        cut_wrong("no_gate", "return old_ceiling(staged)"),
    ),
    "wrong harnesses with the same words": (
        "wrong-same-words",
        exercise(1, "I thought that nothing is cut", "I thought that the change comes later"),
    ),
    # code
    "a starter that is solved": (
        "starter-passes",
        edit(f"{TOOL}2.py", "max_tool_output_chars=100", "max_tool_output_chars=60"),
    ),
    "a starter that only breaks": ("starter-unnamed", edit(f"{TOOL}2.py", "PROMPTS", "PROMPT")),
    "a starter that raises something": (
        "starter-unnamed",
        edit(f"{TOOL}3.py", 'NotImplementedError("write keep")', 'ValueError("write keep")'),
    ),
    "a solution that fails": (
        "solution-fails",
        edit("solutions/s91_3.py", "text[:limit]", "text[limit:]"),
    ),
    "a solution that is missing": ("solution-missing", delete("solutions/s91_2.py")),
    "a wrong harness that is never run": (
        "wrong-unread",
        exercise(3, 'entry = "keep"', 'entry = "keep"\n[[wrong]]\nharness = "no_gate"'),
    ),
    "a judge that raises": (
        "judge-raised",
        edit("solutions/s91_3_check.py", "    must =", "    len(answer)\n    must ="),
    ),
    "a judge that takes anything": (
        "judge-constant",
        edit("solutions/s91_3_check.py", "answer == must else", 'answer in (must, "") else'),
    ),
    "a scenario twice": (
        "judge-scenarios",
        edit("solutions/s91_3_check.py", "for limit in (1, 3)", "for limit in (1, 1)"),
    ),
    "chaff that breaks nothing named": (
        "chaff-breaks",
        exercise(4, 'breaks = "a result passes gate 1"', 'breaks = "paired"'),
    ),
    "chaff without a name": ("chaff-breaks", exercise(4, 'breaks = "the tool is asked"\n', "")),
    "chaff that breaks the same": (
        "chaff-same",
        exercise(4, "the tool is asked", "a result passes gate 1"),
    ),
    "right harnesses that are one": ("right-alike", exercise(4, '"smaller"', '"reference"')),
    "a right harness among the wrong ones": (
        "wrong-no-difference",
        exercise(4, 'harness = "no_tool"', 'harness = "smaller"'),
    ),
    # one event, an order, words
    "an answer that is not shown": ("event-hidden", exercise(7, '["record.append", ', "[")),
    "one event to choose from": (
        "event-few",
        exercise(6, 'at = "record.append 5"\nshows = ["record.append", "tool.result"]',
                 'at = "tool.result 1"\nshows = ["tool.result"]'),
    ),
    "an event that there is not": ("exercise-locator", exercise(6, "record.append 5", "record.append 9")),
    "an event twice": (
        "order-twice",
        exercise(5, 'at = "model.request 2"', 'at = "tool.result 1"'),
    ),
    "an order that is shown": ("order-shown", lambda author: _shown_in_order(author)),
    "nothing to cite": ("explain-cites", exercise(8, "tool.result tool.truncate", "skill.load")),
    "facts that are all true": ("explain-constant", exercise(8, "is = false", "is = true")),
}  # fmt: skip


def _without_wrong(author: Author) -> None:
    path = author.folder / f"{TOOL}1.toml"
    text = path.read_text(encoding="utf-8").partition("[[wrong]]")[0]
    path.write_text(text, encoding="utf-8")


def _shown_in_order(author: Author) -> None:
    """Rename the lines until the order that follows from their names is the right one."""
    path = author.folder / f"{TOOL}5.toml"
    names = ["call", "returns", "log", "sent"]
    for number in range(2000):
        keys = [f"{name}{number}" for name in names]
        if sorted(keys, key=lambda key: hashlib.sha256(f"s91-5 {key}".encode()).digest()) == keys:
            break
    text = path.read_text(encoding="utf-8")
    for name in names:
        text = text.replace(f'key = "{name}"', f'key = "{name}{number}"')
    path.write_text(text, encoding="utf-8")


class TestEachRefusal:
    @pytest.mark.parametrize("name", REFUSALS)
    def test_a_lesson_that_is_broken_in_one_way_is_refused_by_its_code(
        self, author: Author, name: str
    ) -> None:
        """With the place, what is wrong, and what to do; other things may follow from it."""
        code, broken = REFUSALS[name]
        broken(author)
        found = [one for one in author.check().refusals if one.code == code]
        assert found, author.codes()
        for refusal in found:
            assert refusal.where
            assert refusal.says
            assert refusal.do, refusal

    def test_every_code_of_the_check_is_tested(self) -> None:
        """Codes are the words in quotes that the modules of the check refuse with."""
        import re

        folder = Path(lesson_check.__file__).parent
        modules = [*folder.glob("checked_*.py"), folder / "lesson_check.py"]
        text = "".join(path.read_text(encoding="utf-8") for path in modules)
        made = re.findall(r'^\s+"([a-z]+(?:-[a-z]+)+)",$', text, re.M)
        made += re.findall(r'refuse\("([a-z-]+)"', text)
        made += re.findall(r'"(golden-[a-z]+)"', text)
        elsewhere = {"wrong-no-message", "predict-right", "right-unlawful", "text-nothing"}
        elsewhere |= {"checked-too-few", "order-loose"}
        assert len(set(made)) > 50
        assert set(made) - {code for code, _ in REFUSALS.values()} - elsewhere == set()


class TestWhatFollowsFromOtherCode:
    """Refusals that the engine itself makes hard to bring about: its part is put aside here."""

    def test_a_harness_that_draws_no_message(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from curriculum.course import grading

        monkeypatch.setattr(grading, "suspects", lambda *_: ())
        assert author.codes() == ["wrong-no-message"]

    def test_right_answers_that_do_not_pass(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from curriculum.course.grading import Mark

        monkeypatch.setattr(Mark, "right", property(lambda mark: False))
        assert "predict-right" in author.codes()

    def test_a_right_harness_that_breaks_a_law(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from curriculum.trace.breach import Breach

        broken = Breach(5, 3, "calls", 1, 0, "each call has one result")
        monkeypatch.setattr(checked_code, "breaches", lambda _: iter([broken]))
        assert author.codes() == ["chaff-breaks", "right-unlawful"]

    def test_an_order_that_says_nothing(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In the small lesson each event follows from the one before it, so this is put aside."""
        monkeypatch.setattr(checked_answers, "before", lambda *_: set())
        assert author.codes() == ["order-loose"]

    def test_a_text_without_numbers(self, author: Author) -> None:
        page = author.folder / "lesson.md"
        text = page.read_text(encoding="utf-8").partition("<!-- facts")[0]
        for number in ("400<!--returned-->", "100<!--ceiling-->", "100<!--log-->"):
            text = text.replace(number, "some")
        page.write_text(text.replace("<!-- numbers: returned ceiling -->\n", ""), encoding="utf-8")
        assert author.codes() == ["text-nothing", "text-source"]


class TestAnEmptyCheck:
    """A check that looks at nothing is refused as a mistake is."""

    @pytest.mark.parametrize(
        ("part", "missed"),
        [
            ("check_prediction", {"variants", "questions", "runs of wrong harnesses"}),
            ("check_code", {"starters", "solutions", "chaff"}),
            ("check_answered", {"lines of orders"}),
            ("check_text", {"levels", "numbers of the text", "blocks of the text"}),
            ("check_room", {"parts of the plan"}),
            ("check_files", {"files"}),
        ],
    )
    def test_it_is_found_out(
        self, author: Author, monkeypatch: pytest.MonkeyPatch, part: str, missed: set[str]
    ) -> None:
        monkeypatch.setattr(lesson_check, part, lambda *_: None)
        report = author.check()
        assert {one.code for one in report.refusals} == {"checked-too-few"}
        said = " ".join(one.says for one in report.refusals)
        for what in missed:
            assert f"0 {what} were checked, and there are " in said

    def test_runs_that_are_not_looked_at(
        self, author: Author, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lesson_check, "check_runs", lambda *_: False)
        assert "0 goldens were checked, and there are 1." in [
            one.says for one in author.check().refusals
        ]


LEAST = {
    **{"exercises": 4, "hints": 12, "levels": 5, "goldens": 4, "parts of the plan": 5},
    **{"numbers of the text": 10, "blocks of the text": 4, "variants": 2, "questions": 8},
    **{"constant strategies": 4, "runs of wrong harnesses": 3, "starters": 2, "solutions": 2},
    **{"messages of wrong harnesses": 3, "scenarios": 20, "constant answers": 8, "files": 13},
}
"""What is checked of each lesson of the course at least."""


class TestTheCourse:
    @pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
    def test_each_lesson_holds(self, folder: Path) -> None:
        report = lesson_check.check_lesson(folder)
        assert [] == [f"{one.code} {one.where}: {one.says}" for one in report.refusals]
        few = {what: report.checked.get(what, 0) for what in LEAST}
        assert {} == {what: n for what, n in few.items() if n < LEAST[what]}

    def test_there_are_six_at_least(self) -> None:
        assert len(folders()) >= 6
        assert files.root().is_dir()


class TestData:
    def test_a_report_is_json(self, author: Author) -> None:
        author.edit(f"{TOOL}8.toml", "is = false", "is = true")
        data = json.loads(json.dumps(author.check().data()))
        assert data["lesson"] == "s91-tiny"
        assert [one["code"] for one in data["refusals"]] == ["explain-constant"]
        assert data["total"] == sum(data["checked"].values())
