"""Which goldens the tests of a project claim: pytest collects all of them, and is asked."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import attrs

from .files import GoldenError


@attrs.frozen
class Claims:
    """The ids that tests claim. Further traces of a test add a dot, and a number or a name."""

    ids: frozenset[str]

    def __contains__(self, id: object) -> bool:
        return self.of(str(id)) is not None

    def of(self, id: str) -> str | None:
        """The claimed id that this is, or the nearest of which it may be a further trace."""
        dots = [at for at, char in enumerate(id) if char == "."]
        begins = [id, *(id[:at] for at in reversed(dots))]
        return next((begin for begin in begins if begin in self.ids), None)


def by_tests(root: Path) -> Claims:
    """What the tests under `root` claim, none of them run.

    Raises `GoldenError` if pytest could not collect every one: then nobody knows who claims what.
    """
    with tempfile.TemporaryDirectory() as place:
        answer = Path(place) / "claims.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--golden-claims"]
        done = subprocess.run(
            [*command, str(answer)],
            cwd=root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )
        if not answer.is_file():
            raise _unknown(root, (done.stdout + done.stderr).strip().splitlines()[-3:])
        told: dict[str, Any] = json.loads(answer.read_text(encoding="ascii"))
    if told["gaps"]:
        raise _unknown(root, told["gaps"])
    return Claims(frozenset(told["claims"]))


def _unknown(root: Path, why: list[str]) -> GoldenError:
    return GoldenError(
        "Not every test could be collected, so no golden of theirs can be called unclaimed.",
        *why,
        code="golden-claims",
        next=f"cd {root} && python -m pytest --collect-only",
    )
