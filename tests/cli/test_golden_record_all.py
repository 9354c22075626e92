"""`golden record --all`: every case that does not hold, and no other."""

import json
from pathlib import Path

from curriculum.course.lessons import all_cases

from .command import golden


def _spoil(folder: Path) -> list[str]:
    """One golden missing, one that diverged, one that is no trace; returns their ids."""
    ids = ["harness/artifact", "harness/turn-limit", "s06-context-budget"]
    (folder / f"{ids[0]}.jsonl").unlink()
    (folder / f"{ids[1]}.jsonl").write_text("hello\n")
    other = (folder / "s06-context-budget" / "with-reserve.jsonl").read_text("ascii")
    text = other.replace("s06-context-budget/with-reserve", "s06-context-budget")
    (folder / f"{ids[2]}.jsonl").write_text(text, encoding="ascii", newline="\n")
    return ids


def _waiting(folder: Path) -> list[str]:
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.pending.jsonl")]
    return sorted(name.removesuffix(".pending.jsonl") for name in names)


def test_what_does_not_hold_is_recorded_and_the_rest_is_left(folder: Path) -> None:
    ids, many = _spoil(folder), len(all_cases())
    done = golden("record", "--all", "--golden", str(folder))
    assert 0 == done.code, done.err
    assert [
        *(f"recorded  {folder / f'{id}.pending.jsonl'}" for id in ids),
        f"left      {many - 3} cases as they are: their goldens hold",
    ] == done.out.splitlines()[:4]
    assert ids == _waiting(folder)
    assert 0 == golden("accept", "--golden", str(folder), *ids).code
    assert 0 == golden("verify", "--golden", str(folder)).code


def test_where_all_hold_nothing_is_written(folder: Path) -> None:
    done = golden("record", "--all", "--golden", str(folder))
    assert 0 == done.code
    assert [
        f"left      {len(all_cases())} cases as they are: their goldens hold",
        f"next: golden verify --golden {folder}",
    ] == done.out.splitlines()
    assert [] == _waiting(folder)


def test_as_data(folder: Path) -> None:
    ids = _spoil(folder)
    data = json.loads(golden("record", "--all", "--json", "--golden", str(folder)).out)
    assert [str(folder / f"{id}.pending.jsonl") for id in ids] == data["written"]
    assert len(all_cases()) - 3 == data["left"]


def test_ids_and_all_exclude_each_other_and_one_is_needed(folder: Path) -> None:
    for words in ((), ("--all", "s06-context-budget")):
        done = golden("record", *words, "--golden", str(folder))
        assert 2 == done.code
        assert "Give the IDs of cases, or --all for every one that does not hold. [usage]" in (
            done.err
        )


def test_one_case_that_fails_and_nothing_is_written(project: Path) -> None:
    """As with ids: all are recorded, or none."""
    cases = project / "golden_cases.py"
    text = cases.read_text("utf-8").replace("CASES = [", "def bad(trace): 1 / 0\nCASES = [")
    text = text.replace("    Case(", "    Case('bad', 'it fails', 'completed', bad),\n    Case(")
    cases.write_text(text, "utf-8")
    (project / "golden" / "three-turns.jsonl").unlink()
    done = golden("record", "--all", cwd=project)
    assert (6, "") == (done.code, done.out)
    assert "error: bad raised ZeroDivisionError: division by zero [case-failed]" in done.err
    assert [] == _waiting(project)


def test_under_ci_it_is_refused(folder: Path) -> None:
    done = golden("record", "--all", "--golden", str(folder), CI="true")
    assert 2 == done.code
    assert "[golden-ci]" in done.err
