"""A request in two versions, record by record: same, changed, gone, new, and what was decided."""

import re
from io import StringIO

import pytest

from curriculum.context.choices import Choice
from curriculum.trace.reader import Trace
from curriculum.trace.versions import Item, Versions
from curriculum.view.request import some
from curriculum.view.screen import Screen
from curriculum.view.versions import show_versions, versions_data

from .test_changed_texts import KEEP, LINES, own, run

OLD = Choice.omit("old")


def shown(left: Trace, right: Trace, number: int, plain: bool = True) -> list[str]:
    out = StringIO()
    show_versions(Screen(plain, out, 80), Versions(left, right), [number], ("golden", "pending"))
    return out.getvalue().splitlines()[1:]


class TestEachRecord:
    """Marked by a letter; a record on one side only with the decisions on it."""

    def test_what_is_gone(self) -> None:
        assert [
            "== Request 2: golden 37 of 900 characters -> pending 21 of 900 characters",
            "  = r0001 (instruction): 11 characters",
            "  - r0002 (user): 8 characters, admitted [kept] -> omitted [old]: >Hello.\\n",
            "  - r0003 (assistant, turn 1): 8 characters, admitted [kept] -> omitted [old]: <Hello!\\n",
            "  = r0004 (user): 10 characters",
        ] == shown(own(KEEP), own(OLD), 2)

    def test_what_is_new(self) -> None:
        """The user's words answer each other, though their ids do not."""
        assert [
            "  = r0003 (assistant, turn 1): 8 characters",
            "  + r0004 (memory): 18 characters, no candidate -> admitted [kept]: :memory likes tea\\n",
            "  = r0004, there r0005 (user): 10 characters",
        ] == shown(own(KEEP), own(KEEP, memory=True), 2)[3:]

    def test_a_request_that_one_side_does_not_send(self) -> None:
        lines = shown(own(KEEP), own(KEEP), 3)
        assert ["== Request 3: golden does not send it -> pending does not send it"] == lines
        short = Trace(own(KEEP).events[:6], "short")
        lines = shown(short, own(KEEP), 2)
        assert "== Request 2: golden does not send it -> pending 37 of 900 characters" == lines[0]
        assert [" +"] * 4 == [line[1:3] for line in lines[1:]]


class TestTheStretch:
    """The stretch that differs stands between << and >>, with 30 characters around it."""

    def test_in_the_middle_of_a_long_text(self) -> None:
        lines = shown(run(), run(LINES.replace("line 030", "row  030!")), 2)
        assert [
            "  ~ r0004 (result of read_file): 605 -> 606 characters",
            "    - ...line 027\\nline 028\\nline 029\\n<<line 030>>\\nline 031\\nline 032\\nline 033...",
            "    + ...line 027\\nline 028\\nline 029\\n<<row  030!>>\\nline 031\\nline 032\\nline 033...",
        ] == lines[-3:]

    def test_a_long_one_is_shown_by_its_ends(self) -> None:
        (line,) = [at for at in shown(run("a"), run("b" * 1000), 2) if at.startswith("    +")]
        assert f"<<{'b' * 200} ... 600 characters not shown ... {'b' * 200}>>" in line

    def test_control_characters_are_spelled(self) -> None:
        lines = shown(run("calm\x1b[31mred"), run("calm\x1b[32m\u202ered"), 2)
        assert [
            "    - =c1 calm\\x1b[3<<1m>>red\\n",
            "    + =c1 calm\\x1b[3<<2m\\u202e>>red\\n",
        ] == lines[-2:]

    def test_something_put_in_and_something_taken_out(self) -> None:
        """Repeated text does not make the two ends overlap."""
        item = Item("changed", "r0001", "", "aaa", "aaaaa")
        assert (3, 3, 5) == item.stretch()
        assert (3, 5, 3) == Item("changed", "r0001", "", "aaaaa", "aaa").stretch()
        assert (0, 1, 1) == Item("changed", "r0001", "", "a-", "b-").stretch()

    def test_colour_only_repeats_the_letters(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Vermilion and sky blue of Okabe and Ito; without colour the text is the same."""
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("COLORTERM", "truecolor")

        class Utf8(StringIO):
            encoding = "utf-8"

        out = Utf8()
        versions = Versions(run("1 failed"), run("2 failed"))
        show_versions(Screen(False, out, 80), versions, [2], ("golden", "pending"))
        text = out.getvalue()
        assert "\x1b[38;2;213;94;0m    - " in text
        assert "\x1b[38;2;86;180;233m    + " in text
        calm = re.sub(r"\x1b\[[0-9;]*m", "", text)
        assert "    - =c1 <<1>> failed\\n\n    + =c1 <<2>> failed\\n\n" in calm


class TestAsData:
    """Unchanged records by name, the others with both items."""

    def test_what_is_gone(self) -> None:
        (found,) = versions_data(Versions(own(KEEP), own(OLD)), [2])
        assert {"expected": 37, "got": 21} == found["size"]
        assert ["same", "gone", "gone", "same"] == [row["change"] for row in found["records"]]
        assert {
            "change": "gone",
            "record": "r0002",
            "what": "user",
            "expected": ">Hello.\n",
            "got": None,
            "decision": {"expected": "admitted [kept]", "got": "omitted [old]"},
        } == found["records"][1]


@pytest.mark.parametrize(
    ("count", "kept"), [(5, (5, 0, 0)), (6, (6, 0, 0)), (7, (7, 0, 0)), (8, (2, 2, 4))]
)
def test_one_line_alone_is_never_hidden(count: int, kept: tuple[int, int, int]) -> None:
    """The line that says so would take its place."""
    first, hidden, last = some(list(range(count)), 6)
    assert kept == (len(first), hidden, len(last))
