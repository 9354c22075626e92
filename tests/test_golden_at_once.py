"""Several processes record and accept at once, while another verifies: files are always whole.

The workers of one id are of two kinds, whose runs differ: as if two checkouts with other code
worked in the same folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case

from .points import ROOT, texts

ID = "s06-context-budget"
IDS = sorted(id for id in all_cases() if id.startswith("harness/"))[:8]
CASES = """
import attrs, json, sys
from pathlib import Path
from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget
from curriculum.course.lessons import all_cases
from curriculum.golden.files import GoldenError
folder, ids, ceiling, rounds = Path(sys.argv[1]), sys.argv[2].split(), sys.argv[3], int(sys.argv[4])
cases = {id: case for id, case in all_cases().items() if id in ids}
if ceiling != "-":
    def under(case):
        budget = ContextBudget(max_input_chars=300, max_tool_output_chars=int(ceiling))
        scenario = Staged(case.scenario.runner, case.scenario.prompts).under(budget=budget)
        return attrs.evolve(case, scenario=scenario)
    cases = {id: under(case) for id, case in cases.items()}
"""
WORKER = (
    CASES
    + """
from curriculum.golden.decide import accept
from curriculum.golden.record import record
said = {"recorded": 0, "accepted": 0}
print("ready", flush=True)
sys.stdin.readline()
for _ in range(rounds):
    for act, word in ((record, "recorded"), (accept, "accepted")):
        try:
            said[word] += len(act(cases, ids, folder))
        except GoldenError as error:  # another one was faster
            said[error.code] = said.get(error.code, 0) + 1
print(json.dumps(said))
"""
)
READER = (
    CASES
    + """
from curriculum.golden.verify import verify
from curriculum.trace.reader import Trace
said = {"rounds": 0}
print("ready", flush=True)
sys.stdin.readline()
while not (folder / "over").exists() or not said["rounds"]:
    said["rounds"] += 1
    for verdict in verify(cases, (), folder):
        said[verdict.status.code] = said.get(verdict.status.code, 0) + 1
print(json.dumps(said))
"""
)
BENIGN = {"golden-nothing-pending", "golden-stale"}
"""Another process has accepted already, or has recorded with its own code."""


def start(
    code: str, folder: Path, ids: list[str], ceiling: str, rounds: int
) -> subprocess.Popen[str]:
    hidden = ("CI", "TF_BUILD")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), " ".join(ids), ceiling, str(rounds)],
        cwd=ROOT,
        env={**env, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def together(
    folder: Path, works: list[tuple[list[str], str]], rounds: int
) -> tuple[list[dict[str, int]], dict[str, int]]:
    """What each worker and the one reader counted; all begin when all are ready."""
    everything = sorted({id for ids, _ in works for id in ids})
    workers = [start(WORKER, folder, ids, ceiling, rounds) for ids, ceiling in works]
    reader = start(READER, folder, everything, "-", 0)
    for process in (*workers, reader):
        assert process.stdout is not None
        assert "ready\n" == process.stdout.readline()
    for process in (*workers, reader):
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    counted = [_ended(process) for process in workers]
    (folder / "over").touch()
    seen = _ended(reader)
    (folder / "over").unlink()
    return counted, seen


def _ended(process: subprocess.Popen[str]) -> dict[str, int]:
    out, err = process.communicate(timeout=240)
    assert 0 == process.returncode, err
    return json.loads(out.splitlines()[-1])


def check(counted: list[dict[str, int]], seen: dict[str, int]) -> None:
    """Only what a faster one explains went wrong; the reader never saw a file that is not whole."""
    for said in counted:
        refused = set(said) - {"recorded", "accepted"}
        if sys.platform == "win32":  # a file that is being read cannot be replaced there
            refused -= {"golden-write"}
        assert refused <= BENIGN, said
    assert sum(said["accepted"] for said in counted) > 0
    assert seen["rounds"] > 0
    assert set(seen) - {"rounds"} <= {"holds", "diverged", "fixture-missing", "pending"}, seen


@pytest.mark.parametrize(("processes", "rounds"), [(2, 30), (8, 8)])
def test_the_same_id(processes: int, rounds: int, tmp_path: Path) -> None:
    """At the end the golden is what one of them gives, and nothing but that waits."""
    works = [([ID], "180" if n % 2 else "120") for n in range(processes)]
    check(*together(tmp_path, works, rounds))
    wide = run_case(all_cases()[ID])
    left = texts(tmp_path)
    assert {f"{ID}.jsonl"} <= set(left) <= {f"{ID}.jsonl", f"{ID}.pending.jsonl"}
    for text in left.values():
        assert text == wide or '"max_tool_output_chars":120' in text
        assert text.endswith('"type":"session.stop"}\n')


@pytest.mark.parametrize("processes", [2, 8])
def test_different_ids(processes: int, tmp_path: Path) -> None:
    """Each has its own file, so no work of one is lost to another, and nothing is refused."""
    rounds = 5
    works = [(IDS[n::processes], "-") for n in range(processes)]
    counted, seen = together(tmp_path, works, rounds)
    check(counted, seen)
    for (ids, _), said in zip(works, counted, strict=True):
        assert {"recorded": rounds * len(ids), "accepted": rounds * len(ids)} == said
    cases = all_cases()
    assert {f"{id}.jsonl": run_case(cases[id]) for id in IDS} == texts(tmp_path)
    assert "diverged" not in seen


def test_ids_that_overlap(tmp_path: Path) -> None:
    """Nothing is lost: each is golden or waits at the end, and is its case's run."""
    works = [(IDS[:5], "-"), (IDS[2:7], "-"), (IDS[1:6], "-"), (IDS, "-")]
    counted, seen = together(tmp_path, works, 4)
    check(counted, seen)
    left, cases = texts(tmp_path), all_cases()
    for name, text in left.items():
        assert run_case(cases[name.removesuffix(".jsonl").removesuffix(".pending")]) == text
    there = {name.removesuffix(".jsonl").removesuffix(".pending") for name in left}
    assert set(IDS) == there
