"""Teams that use syrupy get the same files, the same explanation and the same safety."""

import pytest

from .conftest import Own

ID = "pytest/tests/test_snap/test_snap"
TESTS = """
import pytest
from curriculum import Recorder
from curriculum.testing.snapshots import GoldenTraceExtension
from my_agent import run_agent

@pytest.fixture
def snapshot(snapshot):
    return snapshot.use_extension(GoldenTraceExtension)

def trace_of(question):
    trace = Recorder()
    run_agent(trace, question)
    return trace

def test_snap(snapshot):
    assert trace_of("Hello?") == snapshot
"""


@pytest.fixture
def snap(bare: Own) -> Own:
    bare.write("tests/test_snap.py", TESTS)
    return bare


def test_an_update_writes_a_pending_file_and_nothing_else(snap: Own) -> None:
    done = snap.pytest("--snapshot-update", "-q")
    assert "1 passed" in done.out
    assert f"PENDING   {ID}  [pending]\n" in done.out
    assert done.code == 1  # as any full run with a trace that waits
    assert list(snap.files()) == [f"{ID}.pending.jsonl"]
    snap.accept()
    done = snap.pytest()
    assert (done.code, "1 passed" in done.out) == (0, True)
    before = snap.files()
    snap.change("tests/test_snap.py", "Hello?", "Hallo?")
    snap.pytest("--snapshot-update")
    after = snap.files()
    assert b"Hallo?" in after.pop(f"{ID}.pending.jsonl")
    assert after == before
    assert not list(snap.root.rglob("__snapshots__"))


def test_the_file_is_the_one_that_golden_trace_uses(snap: Own) -> None:
    snap.record("--snapshot-update")
    plain = TESTS.partition("@pytest.fixture")[0]
    snap.write(
        "tests/test_snap.py",
        plain + "def test_snap(golden_trace):\n    run_agent(golden_trace, 'Hello?')\n",
    )
    done = snap.pytest()
    assert (done.code, "1 passed" in done.out) == (0, True)


def test_a_difference_is_explained(snap: Own) -> None:
    snap.record("--snapshot-update")
    snap.change("tests/test_snap.py", "Hello?", "Hallo?")
    out = snap.pytest().out
    assert "changed   the user's text, r0003 (user) text: 'Hello?' -> 'Hallo?'\n" in out
    assert "requests  1 of 1 change: request 1\n" in out
    assert "Traceback" not in out


def test_a_missing_golden_fails(snap: Own) -> None:
    done = snap.pytest()
    assert (done.code, "Snapshot 'test_snap' does not exist!" in done.out) == (1, True)


def test_two_traces_of_one_test(snap: Own) -> None:
    """Numbered, or named; none of them is called unclaimed."""
    more = '    assert trace_of("Two?") == snapshot\n    assert trace_of("Three?") == snapshot(name="a/b")\n'
    snap.write("tests/test_snap.py", TESTS + more)
    snap.record("--snapshot-update")
    assert sorted(snap.files()) == [f"{ID}.1.jsonl", f"{ID}.a%2Fb.jsonl", f"{ID}.jsonl"]
    assert snap.pytest().code == 0
    snap.change("tests/test_snap.py", "Two?", "Zwei?")
    assert "'Two?' -> 'Zwei?'" in snap.pytest().out


@pytest.mark.parametrize("option", ["--snapshot-update", "--snapshot-update-new-only"])
def test_nothing_is_written_under_ci(snap: Own, option: str) -> None:
    done = snap.pytest(option, TF_BUILD="True")
    if "unrecognized arguments" in done.err:
        pytest.skip("this syrupy has no such option")
    assert done.code == 1
    assert "Goldens are not written under CI: TF_BUILD is set to 'True'. [golden-ci]" in done.out
    assert not (snap.root / "golden").exists()
    snap.record("--snapshot-update")
    assert snap.pytest(option, CI="1").code == 1  # refused before it is known what would be written


def test_a_trace_that_breaks_a_law_or_does_not_stop_is_refused(snap: Own) -> None:
    snap.write("tests/test_snap.py", TESTS.replace('trace_of("Hello?")', 'trace_of("Hello?").text().replace(\'"turns":1\', \'"turns":2\')') + """
def test_open(snapshot):
    text = trace_of("Hello?").text()
    assert "\\n".join([*text.splitlines()[:-1], ""]) == snapshot

def test_no_trace(snapshot):
    assert "hello" == snapshot
""")  # fmt: skip
    for option in ("--snapshot-update", "-q"):
        done = snap.pytest(option)
        assert (done.code, "3 failed" in done.out) == (1, True)
        assert "it cannot be a golden. [golden-unlawful]\n  law 0" in done.out
        assert "expected session.stop, got record.append (a run ends in one stop)" in done.out
        assert "[trace-cut-off]" in done.out
        assert "During handling" not in done.out
        assert "Traceback" not in done.out
        assert not (snap.root / "golden").exists()


def test_an_update_deletes_nothing(snap: Own) -> None:
    """Goldens that no test of this run has asked for stay."""
    snap.record("--snapshot-update")
    more = [f"{ID}.7.jsonl", "other.jsonl", "pytest/tests/test_gone/test_x.jsonl"]
    for name in more:
        snap.write(f"golden/{name}", "x")
    for args in ((), ("-k", "snap")):
        snap.pytest("--snapshot-update", *args)
    assert sorted(snap.files()) == sorted([f"{ID}.jsonl", *more])


def test_line_ends_that_an_editor_changed_do_not_hold(snap: Own) -> None:
    snap.record("--snapshot-update")
    path = snap.root / "golden" / f"{ID}.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    done = snap.pytest()
    assert (done.code, "traces use LF" in done.out) == (1, True)


def test_workers_write_one_file_each(snap: Own) -> None:
    more = '\n\n@pytest.mark.parametrize("n", range(20))\ndef test_many(snapshot, n):\n    assert trace_of(f"{n}?") == snapshot\n'
    snap.write("tests/test_snap.py", TESTS + more)
    snap.pytest("-n", "4", "--snapshot-update")
    assert len([name for name in snap.files() if name.endswith(".pending.jsonl")]) == 21
    snap.accept()
    assert snap.pytest("-n", "4").code == 0


def test_a_name_is_never_a_number_nor_the_word_for_what_waits(snap: Own) -> None:
    """Each trace has a file of its own, and no golden is taken for a pending file."""
    more = "".join(
        f"    assert trace_of('{question}') == snapshot{name}\n"
        for question, name in [
            ("Two?", ""),
            ("One, by name?", "(name='1')"),
            ("Pending, by name?", "(name='pending')"),
            ("Pending, again?", "(name='Pending')"),
            ("Not yet?", "(name='not.pending')"),
        ]
    )
    snap.write("tests/test_snap.py", TESTS + more)
    snap.record("--snapshot-update")
    names = ["", ".1", ".%31", ".%70ending", ".%50ending", ".not%2Epending"]
    assert sorted(snap.files()) == sorted(f"{ID}{name}.jsonl" for name in names)
    done = snap.pytest()
    assert (done.code, "1 passed" in done.out, "PENDING" in done.out) == (0, True, False)


def test_names_that_differ_in_case_alone_are_refused(snap: Own) -> None:
    """They are one file on some systems."""
    more = "    assert trace_of('a') == snapshot(name='a')\n    assert trace_of('A') == snapshot(name='A')\n"
    snap.write("tests/test_snap.py", TESTS + more)
    done = snap.pytest("--snapshot-update")
    assert f"{ID}.A is the golden of tests/test_snap.py::test_snap 'a' already. [golden-claims]" in done.out  # fmt: skip
    assert "1 failed" in done.out


class TestFurtherTracesThatAreGone:
    """An assertion was deleted; its golden was not. Only a test that has passed can say so."""

    @pytest.fixture
    def gone(self, snap: Own) -> Own:
        snap.write("tests/test_snap.py", TESTS + "    assert trace_of('Two?') == snapshot\n")
        snap.record("--snapshot-update")
        snap.write("tests/test_snap.py", TESTS)
        return snap

    @pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["one", "workers"])
    def test_a_full_run_names_it(self, gone: Own, more: tuple[str, ...]) -> None:
        done = gone.pytest(*more)
        path = gone.root / "golden" / f"{ID}.1.jsonl"
        assert (done.code, "1 passed" in done.out) == (1, True)
        assert (
            f"UNCLAIMED {ID}.1  [unclaimed]\n"
            f"  evidence  no snapshot claims {path}: {ID} passed without it\n"
            f"  next      git rm {path}\n"
        ) in done.out
        gone.write("tests/test_snap.py", TESTS + "    assert trace_of('Two?') == snapshot\n")
        assert gone.pytest(*more).code == 0

    @pytest.mark.parametrize("early", ["pytest.skip('not here')", "assert 0", "pytest.xfail()"])
    def test_a_test_that_did_not_come_to_its_end_spares_it(self, gone: Own, early: str) -> None:
        gone.write("tests/test_snap.py", TESTS + f"    {early}\n")
        assert "UNCLAIMED" not in gone.pytest().out
