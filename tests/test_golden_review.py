"""A review without a terminal: what is shown and asked is given by a desk, here by a list of keys."""

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden import decide, files
from curriculum.golden.cases import run_case
from curriculum.golden.record import record
from curriculum.golden.review import Look, Outcome, review
from curriculum.record.errors import CurriculumError

CASES = {id: case for id, case in all_cases().items() if id.startswith("s06-")}
ONE, TWO = sorted(CASES)[:2]
Key = str | None | Callable[[], object]


@attrs.define
class Typist:
    """Types keys in order; a function among them is what somebody else does at that moment."""

    keys: Iterator[Key]
    shown: list[str] = attrs.Factory(list)
    said: list[str] = attrs.Factory(list)
    asked: int = 0

    def show(self, look: Look, number: int, total: int) -> None:
        kind = "new" if look.comparison is None else "same" if look.comparison.same else "changed"
        self.shown.append(
            f"{number}/{total} {look.id} {look.trouble.code if look.trouble else kind}"
        )

    def request(self, look: Look) -> None:
        self.said.append("both requests")

    def say(self, text: str, error: CurriculumError | None = None) -> None:
        self.said.append(error.code if error is not None else text)

    def ask(self, id: str) -> str | None:
        self.asked += 1
        key = next(self.keys)
        if callable(key):
            key()
            return self.ask(id)
        return key


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which two new traces wait."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("TF_BUILD", raising=False)
    record(CASES, [ONE, TWO], tmp_path)
    return tmp_path


def go(place: Path, *keys: Key, ids: tuple[str, ...] = ()) -> tuple[Outcome, Typist]:
    typist = Typist(iter(keys))
    return review(CASES, ids, typist, place), typist


def test_every_pending_trace_is_shown_once_and_decided_by_one_key(place: Path) -> None:
    outcome, typist = go(place, "a\n", "r\n")
    assert Outcome([ONE], [TWO], []) == outcome
    assert [f"1/2 {ONE} new", f"2/2 {TWO} new"] == typist.shown
    assert run_case(CASES[ONE]).encode() == files.fixture(place, ONE).read_bytes()
    assert not files.fixture(place, TWO).exists()


@pytest.mark.parametrize("odd", ["\n", "", "a a\n", "accept\n", "\x1b\n", "?\n"])
def test_nothing_but_a_key_decides(odd: str, place: Path) -> None:
    outcome, typist = go(place, odd, "s\n", "s\n")
    assert Outcome([], [], [ONE, TWO]) == outcome
    assert "a  accept: it becomes the golden" in typist.said
    assert 3 == typist.asked


def test_only_the_ids_that_were_asked_for(place: Path) -> None:
    outcome, typist = go(place, "a\n", ids=(TWO,))
    assert Outcome([TWO], [], []) == outcome
    assert [f"1/1 {TWO} new"] == typist.shown


@pytest.mark.parametrize("end", ["q\n", None])
def test_the_end_keeps_what_was_decided_and_leaves_the_rest(end: str | None, place: Path) -> None:
    outcome, _ = go(place, "a\n", end)
    assert Outcome([ONE], [], [TWO]) == outcome


def test_what_another_process_decided_is_said(place: Path) -> None:
    outcome, typist = go(place, lambda: decide.reject(CASES, [ONE], place), "a\n", "a\n")
    assert Outcome([TWO], [], []) == outcome
    assert f"{ONE} no longer waits: another process has decided." in typist.said
    assert not files.fixture(place, ONE).exists()


def test_a_pending_trace_that_changes_is_shown_again_and_asked_again(place: Path) -> None:
    path = files.pending(place, ONE)
    whole = path.read_bytes()

    def spoil() -> None:
        path.write_bytes(whole[:-9])

    outcome, typist = go(place, spoil, "a\n", lambda: path.write_bytes(whole), "a\n", "a\n", "q\n")
    kinds = [f"1/2 {ONE} new", f"1/2 {ONE} trace-cut-off", f"1/2 {ONE} new", f"2/2 {TWO} new"]
    assert kinds == typist.shown
    assert Outcome([ONE], [], [TWO]) == outcome


def test_with_all_the_rest_what_is_refused_keeps_waiting(place: Path) -> None:
    path = files.pending(place, ONE)
    path.write_bytes(path.read_bytes()[:-9])
    outcome, typist = go(place, "A\n")
    assert Outcome([TWO], [], [ONE]) == outcome
    assert 1 == typist.asked
    assert "trace-cut-off" in typist.said


def test_both_requests_are_shown_before_a_decision(place: Path) -> None:
    outcome, typist = go(place, "d\n", "d\n", "s\n", "q\n")
    assert ["both requests"] * 2 == typist.said
    assert [ONE, TWO] == outcome.left


def test_under_ci_nothing_is_asked(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    with pytest.raises(files.GoldenError, match="CI is set to '1'"):
        go(place)
