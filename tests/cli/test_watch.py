"""`curriculum watch`: again on every save, one key at a time, and never on by itself."""

import sys
import time
from importlib import util
from pathlib import Path

import pytest

from tests import small_lesson

from .learner import Learner

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
SOLUTION = small_lesson.SOLUTIONS["s90_4"]
MENU = "q quit"


@pytest.fixture
def ada(tmp_path: Path) -> Learner:
    return Learner(tmp_path).settle()


class TestKeys:
    def test_r_looks_again_and_q_quits(self, ada: Learner) -> None:
        def solve() -> None:
            ada.write("s90_4", SOLUTION)

        steps = [(MENU, solve), ("", "r"), ("PASS", ""), (MENU, "q")]
        done = ada.sit("watch", "s90-4", "--manual", "--plain", steps=steps)
        assert done.code == 0
        assert done.out.count("== s90-4: s90/s90_4.py") == 2
        assert "n goes on   r looks again" in done.out
        assert done.out.endswith("next: curriculum check s90-4\n")
        assert ada.progress == ["s90-4 pass tries=2"]

    def test_it_stays_until_it_is_passed_and_then_until_n(self, ada: Learner) -> None:
        def solve() -> None:
            ada.write("s90_2", small_lesson.SOLUTIONS["s90_2"])

        steps = [(MENU, "n"), ("so it stays here", solve), ("", "r"), ("PASS", ""), (MENU, "n")]
        ada.run("read", "s90")
        with (ada.folder / "progress.txt").open("a") as file:
            file.write("s90-1 pass tries=1\n")
        steps += [("== s90-3", ""), (MENU, "q")]
        done = ada.sit("watch", "s90-2", "--manual", "--plain", steps=steps)
        assert done.out.count("== s90-2") == 2
        assert done.out.count("== s90-3") == 1

    def test_what_is_typed_during_a_run_is_not_heard(self, ada: Learner) -> None:
        """A q typed while the code runs does not quit."""
        ada.write("s90_4", "import time\ntime.sleep(2)\n" + SOLUTION)
        steps = [("checking ...", "q"), (MENU, ""), ("", "h"), ("1 of 3", "q")]
        done = ada.sit("watch", "s90-4", "--manual", "--plain", steps=steps)
        assert "1 of 3 look at the length" in done.out
        assert done.out.count("== s90-") == 1

    def test_hints_and_the_solution_are_noted(self, ada: Learner) -> None:
        ada.write("s90_4", SOLUTION)
        steps = [(MENU, "h"), ("1 of 3", "h"), ("2 of 3", "s"), ("line for line", "q")]
        ada.sit("watch", "s90-4", "--manual", "--plain", steps=steps)
        assert ada.progress == ["s90-4 pass tries=1 hints=2 solution"]

    def test_before_a_pass_the_solution_is_not_shown(self, ada: Learner) -> None:
        steps = [(MENU, "s"), ("curriculum solution s90-4 --show", "q")]
        done = ada.sit("watch", "s90-4", "--manual", "--plain", steps=steps)
        assert "text[:limit]" not in done.out

    def test_an_end_of_input_and_ctrl_c_leave_the_terminal_as_it_was(self, ada: Learner) -> None:
        for key, code in (("\x04", 0), ("\x03", 130)):
            done = ada.sit("watch", "s90-4", "--manual", steps=[(MENU, key)])
            assert done.code == code
            assert "Traceback" not in done.out


class TestSaves:
    def test_without_the_extra_r_looks_again_and_the_extra_is_named(self, ada: Learner) -> None:
        hidden = {"PYTHONPATH": str(ada.place / "hidden")}
        (ada.place / "hidden").mkdir()
        (ada.place / "hidden" / "sitecustomize.py").write_text(
            "import importlib.util as u\nfind = u.find_spec\n"
            "u.find_spec = lambda name, *a: None if name == 'watchfiles' else find(name, *a)\n"
        )
        paths = f"{hidden['PYTHONPATH']}:{small_root()}"
        done = ada.sit("watch", "s90-4", "--plain", steps=[(MENU, "q")], PYTHONPATH=paths)
        assert 'pip install "curriculum[watch]"' in done.out
        assert "save or r" not in done.out

    @pytest.mark.skipif(util.find_spec("watchfiles") is None, reason="without the extra watch")
    def test_with_it_a_save_looks_again(self, ada: Learner) -> None:
        """Only a file that holds something new does; the same bytes saved again do not."""

        def same() -> None:
            ada.write("s90_4", small_lesson.STARTERS["s90_4"])

        def solve() -> None:
            ada.write("s90_4", SOLUTION)

        steps = [(MENU, same), ("", solve), ("PASS", ""), (MENU, "q")]
        done = ada.sit("watch", "s90-4", "--plain", steps=steps)
        assert "save or r looks again" in done.out
        assert done.out.count("== s90-4") == 2

    @pytest.mark.skipif(util.find_spec("watchfiles") is None, reason="without the extra watch")
    def test_a_save_during_a_run_is_looked_at_after_it(self, ada: Learner) -> None:
        ada.write("s90_4", "import time\ntime.sleep(2)\n")

        def solve() -> None:
            time.sleep(1)  # the copy is made by then, and the code still runs
            ada.write("s90_4", SOLUTION)

        steps = [("checking ...", solve), ("NOT YET", ""), ("PASS", ""), (MENU, "q")]
        assert ada.sit("watch", "s90-4", "--plain", steps=steps).code == 0


def small_root() -> str:
    from .command import ROOT

    return str(ROOT)


class TestWithoutATerminal:
    def test_it_says_what_to_run_instead(self, ada: Learner) -> None:
        done = ada.run("watch", "s90-4")
        assert (done.code, done.out) == (2, "")
        assert "[watch-needs-terminal]" in done.err
        assert "next: curriculum check s90-4" in done.err
