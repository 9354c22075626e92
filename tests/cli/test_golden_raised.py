"""A case that raises, or ends otherwise than it says: where, and after which request."""

from pathlib import Path

import pytest

from .command import golden, run

AGENT = '''"""An agent that fails."""
import json
from curriculum import *
KEPT = Choice.admit("kept")
def play(trace):
    with Recording(trace, "a@1", policy="p@1", budget=ContextBudget(max_input_chars=900)) as run:
        run.record("user", "Go.")
        run.assemble(rest=KEPT)
        run.request()
        run.response("Fine.")
        more(run)
def more(run):
    {more}
'''


def _project(
    folder: Path, more: str = "pass", play: str = "mine = play", stops: str = "completed"
) -> None:
    (folder / "agent.py").write_text(AGENT.replace("{more}", more))
    case = f"CASES = [Case('c', 'it fails', {stops!r}, mine)]"
    imports = "from curriculum import Case, Recorder\nfrom agent import play"
    (folder / "cases.py").write_text(f"{imports}\n{play}\n{case}\n")
    (folder / "pyproject.toml").write_text('[tool.curriculum]\ncases = ["cases.py"]\n')


def _verify(folder: Path) -> list[str]:
    done = golden("verify", "--plain", cwd=folder)
    assert 6 == done.code, done.out + done.err
    return done.out.splitlines()


class TestWhere:
    """The line of the project's own code, by file, line and function."""

    def test_an_exception(self, tmp_path: Path) -> None:
        _project(tmp_path, "{}['boom']")
        assert [
            "FAILED    c  [case-failed]",
            "  evidence  c raised KeyError: 'boom'",
            "  evidence  at agent.py, line 13, in more",
            "  evidence  after request 1",
            "0 of 1 hold (exit 6)",
        ] == _verify(tmp_path)

    def test_a_library_that_raises_is_not_where_the_mistake_is(self, tmp_path: Path) -> None:
        _project(tmp_path, "json.loads('{')")
        assert "  evidence  at agent.py, line 13, in more" == _verify(tmp_path)[2]

    def test_a_step_that_breaks_a_law(self, tmp_path: Path) -> None:
        """The package's own lines say nothing to whoever calls it."""
        _project(tmp_path, "run.request()")
        assert [
            "  evidence  c stopped short.",
            "  evidence  Law 0, well formed: request(...) cannot come now. [law-0-well-formed]",
            "  evidence  next is record, assemble, tool_call, tool_result or stop",
            "  evidence  at agent.py, line 13, in more",
            "  evidence  after request 1",
        ] == _verify(tmp_path)[1:6]

    def test_before_the_first_request(self, tmp_path: Path) -> None:
        _project(tmp_path)
        agent = tmp_path / "agent.py"
        agent.write_text(agent.read_text().replace("run.assemble(rest=KEPT)", "run.assemble()"))
        lines = _verify(tmp_path)
        assert "  evidence  at agent.py, line 8, in play" in lines
        assert "  evidence  before the first request" in lines

    def test_from_a_folder_inside_the_project_the_file_is_named_in_full(
        self, tmp_path: Path
    ) -> None:
        _project(tmp_path, "{}['boom']")
        (tmp_path / "inside").mkdir()
        place = f"  evidence  at {tmp_path.resolve() / 'agent.py'}, line 13, in more"
        assert place == _verify(tmp_path / "inside")[2]

    def test_pytest_says_the_same(self, tmp_path: Path) -> None:
        _project(tmp_path, "{}['boom']")
        done = run("pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
        assert 1 == done.code
        for line in _verify(tmp_path)[:-1]:
            assert line.strip() in done.out


class TestHowItEnds:
    """A trace needs a beginning and an end, and a case says which end."""

    def test_a_case_that_uses_a_recorder_of_its_own(self, tmp_path: Path) -> None:
        _project(tmp_path, play="def mine(trace):\n    play(Recorder())")
        assert [
            "FAILED    c  [case-failed]",
            "  evidence  c wrote nothing: is the recorder given to Recording(...)?",
            "  next      give the recorder that the function gets to Recording(recorder, ...)",
        ] == _verify(tmp_path)[:3]

    def test_a_run_that_nobody_ended(self, tmp_path: Path) -> None:
        begun = "Recording(trace, 'a@1', policy='p@1', budget=ContextBudget(max_input_chars=9))"
        mine = f"from curriculum import *\ndef mine(trace):\n    {begun}"
        _project(tmp_path, play=mine)
        assert [
            "FAILED    c  [case-failed]",
            "  evidence  c did not write how it stopped.",
            "  evidence  its last event is 1",
            "  next      end it with recording.stop(), or use `with Recording(trace, ...) as run:`",
        ] == _verify(tmp_path)[:4]

    @pytest.mark.parametrize(
        ("stops", "near"),
        [("complete", "completed"), ("turns", "turn-limit"), ("max turn limit", "turn-limit")],
    )
    def test_a_stop_that_there_is_not(self, stops: str, near: str, tmp_path: Path) -> None:
        _project(tmp_path, stops=stops)
        done = golden("list", cwd=tmp_path)
        assert 2 == done.code
        lines = done.err.splitlines()
        assert lines[0].endswith("cases.py cannot be loaded. [project-cases-broken]")
        assert f"  '{stops}' is no reason that a run can stop with. [case-stop]" == lines[1]
        assert f"  nearest: {near}" == lines[2]
        assert lines[3].startswith("  known: completed, turn-limit, ")
        assert "cases.py, line 4: CASES = " in lines[4]
