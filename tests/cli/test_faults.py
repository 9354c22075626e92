"""Each fault of a trace file: its code, its line, its evidence, what to run next. Exit 5.

The same table is read twice: by `curriculum trace validate FILE`, and by `golden verify` where the
file is a golden. In it s06 is the golden of the first lesson, 18 lines long.
"""

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from curriculum.count.registry import counter_of
from curriculum.course.lessons import all_cases
from curriculum.golden.verify import verify
from curriculum.wire.registry import wire_of

from .command import GOLDEN, ROOT, curriculum, golden

S06 = (GOLDEN / "s06-context-budget.jsonl").read_bytes()
LINES = S06.split(b"\n")[:-1]
WHOLE = "curriculum run s06-context-budget -o whole.jsonl   # writes a whole trace"


def line(number: int, *edit: bytes) -> bytes:
    """s06 with an edit in one line: the whole line anew, or an old and a new part."""
    old = LINES[number - 1]
    assert len(edit) == 1 or edit[0] in old
    new = edit[0] if len(edit) == 1 else old.replace(*edit)
    return b"\n".join([*LINES[: number - 1], new, *LINES[number:], b""])


@attrs.frozen
class Fault:
    """What is in the file, and what is said about it."""

    data: bytes
    line: int
    code: str
    headline: str
    evidence: str
    next: str = WHOLE


CONFLICT = "golden record ID   # of the case whose golden this is"
FAULTS = {
    "CR LF": Fault(
        S06.replace(b"\n", b"\r\n"), 1, "trace-crlf",
        "it ends in CR LF; traces use LF", "CR is character 46 of the line"),
    "CR LF in one line": Fault(
        line(7, LINES[6] + b"\r"), 7, "trace-crlf",
        "it ends in CR LF; traces use LF", f"CR is character {len(LINES[6]) + 1} of the line"),
    "CR between two tokens": Fault(
        line(1, b",", b",\r"), 1, "trace-crlf",
        "it holds a CR; traces end lines in LF", "CR is character 30 of the line"),
    "byte order mark": Fault(
        b"\xef\xbb\xbf" + S06, 1, "trace-bom",
        "it begins with a byte order mark; traces have none",
        "the first bytes are EF BB BF: UTF-8 with a mark"),
    "UTF-16, as a shell may write": Fault(
        S06.decode().encode("utf-16"), 1, "trace-bom",
        "it begins with a byte order mark; traces have none", "the first bytes are FF FE: UTF-16"),
    "conflict, ours": Fault(
        line(5, b"<<<<<<< HEAD"), 5, "trace-conflict",
        "it is a conflict marker of git", "the line is '<<<<<<< HEAD'", CONFLICT),
    "conflict, base": Fault(
        line(5, b"||||||| 1f3a"), 5, "trace-conflict",
        "it is a conflict marker of git", "the line is '||||||| 1f3a'", CONFLICT),
    "conflict, middle": Fault(
        line(5, b"======="), 5, "trace-conflict",
        "it is a conflict marker of git", "the line is '======='", CONFLICT),
    "conflict, theirs": Fault(
        line(5, b">>>>>>> other"), 5, "trace-conflict",
        "it is a conflict marker of git", "the line is '>>>>>>> other'", CONFLICT),
    "NaN": Fault(
        line(5, b'"seq":4', b'"seq":NaN'), 5, "trace-number",
        "NaN is no number that a trace may hold", "the key is 'seq'"),
    "Infinity": Fault(
        line(5, b'"turn":0', b'"turn":-Infinity'), 5, "trace-number",
        "-Infinity is no number that a trace may hold", "the key is 'turn'"),
    "a fraction": Fault(
        line(5, b'"seq":4', b'"seq":4.0'), 5, "trace-number",
        "4.0 is no number that a trace may hold", "the key is 'seq'"),
    "an exponent": Fault(
        line(14, b'"turn":2', b'"turn":2e0'), 14, "trace-number",
        "2e0 is no number that a trace may hold", "the key is 'turn'"),
    "sixteen digits": Fault(
        line(5, b'"turn":0', b'"turn":1000000000000000'), 5, "trace-number",
        "1000000000000000 is no number that a trace may hold",
        "traces hold integers only, of at most 15 digits"),
    "duplicate key": Fault(
        line(5, b'{"', b'{"seq":4,"'), 5, "trace-duplicate-key",
        "the key 'seq' stands twice", "readers differ in which of the two they take"),
    "cut-off last line": Fault(
        S06[:-5], 18, "trace-cut-off",
        "the last line has no end: the run was cut off, or the file was", "its "),
    "last LF gone": Fault(
        S06[:-1], 18, "trace-cut-off",
        "the last line has no end: the run was cut off, or the file was", "its "),
    "non-UTF-8": Fault(
        line(5, b"Read", b"Re\xe4d"), 5, "trace-not-utf8",
        "the bytes are no UTF-8", f"byte {LINES[4].index(b'Read') + 3} of the line is 0xe4"),
    "older major": Fault(
        line(1, b"1.3", b"0.9"), 1, "trace-version",
        "a trace of version 0.9; this program reads curriculum-trace 1.3",
        "the file is older: major 0, here 1", "golden migrate {path}"),
    "newer major": Fault(
        line(1, b"1.3", b"12.3"), 1, "trace-version",
        "a trace of version 12.3; this program reads curriculum-trace 1.3",
        "the file is newer: major 12, here 1", "pip install --upgrade curriculum"),
    "no JSON": Fault(
        line(5, b"hello"), 5, "trace-line", "it is no JSON object", ""),
    "a number that counts wrong": Fault(
        line(5, b'"seq":4', b'"seq":5'), 5, "trace-line",
        "seq is 5, and the line is event 4", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_validate_names_the_fault(name: str, tmp_path: Path) -> None:
    fault, path = FAULTS[name], tmp_path / "t.jsonl"
    path.write_bytes(fault.data)
    done = curriculum("trace", "validate", str(path))
    assert (done.code, done.out) == (5, "")
    said = done.err.splitlines()
    assert said[0] == f"error: {path}, line {fault.line}: {fault.headline}. [{fault.code}]"
    assert fault.evidence in "\n".join(said[1:-1])
    assert said[-1] == f"  next: {fault.next.format(path=path)}"


@pytest.mark.parametrize("name", FAULTS)
def test_a_golden_with_the_fault_is_unreadable(name: str, folder: Path, s06: Path) -> None:
    fault = FAULTS[name]
    s06.write_bytes(fault.data)
    done = golden("verify", "--golden", str(folder), "--plain", "s06-context-budget")
    assert (done.code, done.err) == (5, "")
    said = done.out.splitlines()
    assert said[0] == "UNREADABLE s06-context-budget  [fixture-unreadable]"
    headline = f"{s06}, line {fault.line}: {fault.headline}. [{fault.code}]"
    assert said[1] == f"  evidence  {headline}"
    assert fault.evidence in "\n".join(said[2:-2])
    # A golden is recorded anew; one of another major is rewritten, or needs a newer program.
    record = f"golden record --golden {folder} s06-context-budget"
    next = fault.next.format(path=s06) if fault.code == "trace-version" else record
    assert (
        said[-2]
        == f"  next      {next.replace('golden migrate', f'golden migrate --golden {folder}')}"
    )


BOM = b"\xef\xbb\xbf"
NAN: Callable[[bytes], bytes] = lambda data: data.replace(b'"seq":4', b'"seq":NaN')  # noqa: E731
SEVERAL = {
    "a mark comes before all": (BOM + NAN(S06)[:-1], 1, "trace-bom"),
    "line 5 before the cut at the end": (NAN(S06)[:-1], 5, "trace-number"),
    "line 5 before the byte in line 9": (
        NAN(line(9, b"{", b"\xff{")), 5, "trace-number"),
    "the byte in line 2 before line 5": (
        NAN(line(2, b"{", b"\xff{")), 2, "trace-not-utf8"),
    "the byte in line 9 before the cut": (line(9, b"{", b"\xff{")[:-1], 9, "trace-not-utf8"),
    "the major before what only it could read": (NAN(line(1, b"1.3", b"2.0")), 1, "trace-version"),
    "a marker in a file with CR LF": (
        b"<<<<<<< HEAD\r\n" + S06.replace(b"\n", b"\r\n"), 1, "trace-conflict"),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_of_several_faults_the_first_line_is_named(name: str, tmp_path: Path) -> None:
    data, number, code = SEVERAL[name]
    path = tmp_path / "t.jsonl"
    path.write_bytes(data)
    done = curriculum("trace", "validate", str(path))
    assert done.code == 5
    headline = done.err.splitlines()[0]
    assert headline.startswith(f"error: {path}, line {number}: ")
    assert headline.endswith(f" [{code}]")


def test_conflict_markers_are_only_what_git_writes(tmp_path: Path) -> None:
    """Eight signs, or text right behind them, are some other line that is no JSON."""
    for odd in (b"<<<<<<<<", b"=======x", b" ======="):
        (tmp_path / "t.jsonl").write_bytes(line(5, odd))
        assert "[trace-line]" in curriculum("trace", "validate", str(tmp_path / "t.jsonl")).err


@pytest.mark.parametrize("limit", ["0", "640", "4300"])
def test_a_long_number_is_refused_whatever_the_interpreter_takes(
    limit: str, tmp_path: Path
) -> None:
    """A limit of 0 is none: Python would read all of the 5,000 digits."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(line(2, b'"max_turns":8', b'"max_turns":' + b"9" * 5000))
    done = curriculum("trace", "validate", str(path), PYTHONINTMAXSTRDIGITS=limit)
    assert done.code == 5
    assert done.err.splitlines()[0] == (
        f"error: {path}, line 2: {'9' * 60} is no number that a trace may hold. [trace-number]"
    )
    assert "the key is 'max_turns'" in done.err


HAND_EDITED = {
    "a size": (b'"size":300', b'"size":301', "law 3, event 13 size: expected 300, got 301"),
    "a text": (b"row 0001. row", b"row 0009. row", "law 7, event 13 fingerprint: expected "),
    "a cause": (
        b'"cause":12',
        b'"cause":11',
        "law 0, event 13 cause: expected record.append, got tool.",
    ),
    "a reason": (b'"reason":"completed"', b'"reason":"error"', "law 0, event 17 "),
}


@pytest.mark.parametrize("name", HAND_EDITED)
def test_a_fact_edited_by_hand_is_named_with_its_law(name: str, folder: Path, s06: Path) -> None:
    old, new, law = HAND_EDITED[name]
    assert old in S06
    s06.write_bytes(S06.replace(old, new))
    done = golden("verify", "--golden", str(folder), "--plain", "s06-context-budget")
    assert done.code == 5
    assert done.out.splitlines()[0] == "UNLAWFUL  s06-context-budget  [fixture-unlawful]"
    assert law in done.out
    assert curriculum("trace", "validate", str(s06)).code == 5


NOT_INSTALLED = {
    "wire": (b"plain@1", b"smoke-signals@1", "No wire is called 'smoke-signals@1'. [wire-unknown]"),
    "counter": (b"chars@1", b"words@9", "No counter is called 'words@9'. [counter-unknown]"),
}
PIP = "pip install --upgrade curriculum"


@pytest.mark.parametrize("name", NOT_INSTALLED)
def test_a_trace_of_a_component_that_is_not_installed(name: str, tmp_path: Path) -> None:
    """Exit 7: nothing is held against the file. pip is what helps."""
    old, new, words = NOT_INSTALLED[name]
    path = tmp_path / "t.jsonl"
    path.write_bytes(S06.replace(old, new))
    done = curriculum("trace", "validate", str(path))
    said = done.err.splitlines()
    assert (done.code, said[0], said[-1]) == (7, f"error: {words}", f"  next: {PIP}")


@pytest.mark.parametrize(
    "find", [lambda: wire_of("smoke-signals@1"), lambda: counter_of("words@9")]
)
def test_a_case_whose_component_is_not_installed(find: Callable[[], object], folder: Path) -> None:
    """Exit 7 as well, and the golden is not judged."""

    class Needs:
        prompts = ("Read.",)

        def runner(self, trace: object) -> object:
            return find()

    case = attrs.evolve(all_cases()["s06-context-budget"], scenario=Needs())
    (verdict,) = verify({case.id: case}, [case.id], folder)
    assert ("could-not-check", 7) == (verdict.status.code, verdict.status.exit)
    assert verdict.next == PIP


@pytest.mark.parametrize("name", NOT_INSTALLED)
def test_a_golden_of_another_component_is_a_divergence(name: str, folder: Path, s06: Path) -> None:
    """The case runs here, with what it uses now: that is what changed."""
    old, new, _ = NOT_INSTALLED[name]
    s06.write_bytes(S06.replace(old, new))
    done = golden("verify", "--golden", str(folder), "--plain", "s06-context-budget")
    assert done.code == 1
    was, now = new.decode(), old.decode()
    assert f"  changed   a component's version, components.{name}: {was!r} -> {now!r}" in done.out


@pytest.mark.parametrize("name", ["policy", "cutter", "unicode"])
def test_a_component_of_another_version_leads_to_pip_as_well(name: str, tmp_path: Path) -> None:
    start = LINES[1].split(f'"{name}":"'.encode(), 1)
    other = start[0] + f'"{name}":"other@9"'.encode() + start[1][start[1].index(b'"') + 1 :]
    path = tmp_path / "t.jsonl"
    path.write_bytes(line(2, other))
    done = curriculum("trace", "validate", str(path))
    assert done.code == 7
    said = done.err.splitlines()
    assert said[0].startswith(f"error: The trace was made with {name} other@9; here is ")
    assert said[0].endswith(" [component-not-installed]")
    assert said[-1] == f"  next: {PIP}"


def test_a_checked_in_golden_with_a_fault_leads_to_record(tmp_path: Path) -> None:
    """Inside the folder of goldens the reader knows the case, so the command has its id."""
    from curriculum.course.sources import checkout, run_in

    copy = checkout(tmp_path / "checkout")
    path = copy / "golden" / "harness" / "artifact.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    done = run_in("curriculum trace validate golden/harness/artifact.jsonl", copy)
    assert (ROOT / "golden" / "harness" / "artifact.jsonl").is_file()
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1] == "  next: golden record harness/artifact"
