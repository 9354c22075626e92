"""The same bytes on every Python here, and under any hash seed, locale, time zone and folder."""

import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.trace.otel import otlp
from curriculum.trace.reader import Trace

from .every_counter import EXACT, PURE, lines
from .kinds import of_each_kind

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import hashlib
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.trace.otel import otlp
from curriculum.trace.reader import Trace
from tests.every_counter import EXACT, PURE, lines
from tests.kinds import of_each_kind
cases = all_cases()
for id, case in ((id, cases[id]) for id in sorted(of_each_kind(cases))):
    text = run_case(case)
    for written in (text, otlp(Trace.parse(text), content=True)):
        print(hashlib.sha256(written.encode()).hexdigest(), id)
print(*lines((*PURE, *EXACT) if EXTRAS else PURE), sep="\\n")
"""


@cache
def here(extras: bool = True) -> str:
    """The fingerprints of a case of each kind, of their exports, and of each wire under each counter."""
    cases = all_cases()
    texts = [(id, run_case(cases[id])) for id in sorted(of_each_kind(cases))]
    found = [
        f"{hashlib.sha256(written.encode()).hexdigest()} {id}"
        for id, text in texts
        for written in (text, otlp(Trace.parse(text), content=True))
    ]
    found += lines((*PURE, *EXACT) if extras else PURE)
    return "\n".join(found) + "\n"


def elsewhere(python: str, folder: Path, *, extras: bool = True, **environment: str) -> str:
    """The fingerprints in another process. The libraries are pure Python, so they are shared."""
    import attrs

    libraries = Path(attrs.__file__).parents[1]
    known = {
        **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(libraries)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(
        [python, "-c", f"EXTRAS = {extras}{PROGRAM}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=known,
        timeout=120,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


def pythons() -> list[str]:
    """Every interpreter of 3.11 or newer that can be found."""
    names = [f"python3.{minor}" for minor in range(11, 20)]
    found = [path for name in names if (path := shutil.which(name))]
    found += [str(path) for path in Path.home().glob(".pyenv/versions/3.*/bin/python3")]
    kept: dict[str, str] = {}
    for path in [sys.executable, *found]:
        said = subprocess.run(
            [path, "-c", "import sys; print(*sys.version_info[:3])"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        if said and (int(said[0]), int(said[1])) >= (3, 11):
            kept.setdefault(".".join(said), path)
    return list(kept.values())


class TestFingerprints:
    """Law 8."""

    @pytest.mark.parametrize("python", pythons())
    def test_on_every_python_that_is_here(self, python: str, tmp_path: Path) -> None:
        """Exact counters are compared where they are installed: they are no pure Python."""
        extras = python == sys.executable
        assert here(extras) == elsewhere(python, tmp_path, extras=extras)

    @pytest.mark.parametrize("seed", ["0", "1", "4242", "random"])
    def test_under_any_hash_seed(self, seed: str, tmp_path: Path) -> None:
        assert here() == elsewhere(sys.executable, tmp_path, PYTHONHASHSEED=seed)

    @pytest.mark.parametrize("locale", ["C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"])
    def test_under_any_locale(self, locale: str, tmp_path: Path) -> None:
        assert here() == elsewhere(sys.executable, tmp_path, LC_ALL=locale, LANG=locale)

    @pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/St_Johns"])
    def test_in_any_time_zone(self, zone: str, tmp_path: Path) -> None:
        assert here() == elsewhere(sys.executable, tmp_path, TZ=zone)

    def test_in_a_folder_with_spaces_and_umlauts(self, tmp_path: Path) -> None:
        folder = tmp_path / "ein Ordner für Übungen"
        folder.mkdir()
        assert here() == elsewhere(sys.executable, folder)

    def test_with_assertions_switched_off(self, tmp_path: Path) -> None:
        """`python -O` checks less and must write the same."""
        assert here() == elsewhere(sys.executable, tmp_path, PYTHONOPTIMIZE="1")

    def test_in_a_second_run_of_the_same_process(self) -> None:
        assert here() == here.__wrapped__()


class TestNothingThatDiffers:
    """What would make bytes differ is not used where bytes are written."""

    @pytest.mark.parametrize(
        "word", ["import time", "import random", "import uuid", "datetime", "hash(", "float("]
    )
    def test_no_clock_no_random_id_no_hash_no_float(self, word: str) -> None:
        rooms = ("record", "wire", "count", "context", "trace", "agent", "replay", "golden")
        files = [path for room in rooms for path in (ROOT / "curriculum" / room).glob("*.py")]
        assert len(files) > 30
        hits = [path.name for path in files if word in path.read_text(encoding="utf-8")]
        assert [] == hits

    def test_importing_the_package_does_nothing(self, tmp_path: Path) -> None:
        """No folder is made, nothing is printed, nothing else is imported."""
        done = subprocess.run(
            [sys.executable, "-c", "import curriculum, sys; print([m for m in sys.modules if m[:10] == 'curriculum'])"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
        )  # fmt: skip
        assert "['curriculum']\n" == done.stdout
        assert [] == list(tmp_path.iterdir())
