"""A folder of files to plan, and the command run in it."""

import json
from pathlib import Path
from typing import Any

from .command import Done, curriculum

SPEC = ".paqad/specs/login.md"


def put(folder: Path, path: str, text: str | bytes) -> None:
    """Write a file of the folder."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


def supported_spec(folder: Path) -> Path:
    """A spec and what supports it; by the seed's weights 300 + 150 + 100 + 100 + 24 = 674."""
    for path, count in {
        SPEC: 100,  # x 3.0
        "docs/modules/billing/api.md": 60,  # x 2.5
        "docs/modules/auth/api.md": 40,  # x 2.5
        "history/turn-1.txt": 50,  # x 2.0
        "history/turn-2.txt": 0,
        "history/turn-3.txt": 0,
        "rules/constitution.txt": 12,  # x 2.0
    }.items():
        put(folder, path, "one two three\n" * count)
    return folder


def files(folder: Path) -> list[str]:
    """Every file of the folder, by name."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def plan(folder: Path, *args: str, **env: str) -> Done:
    """Run `curriculum plan` in the folder."""
    return curriculum("plan", *args, cwd=folder, **env)


def data(folder: Path, *args: str) -> dict[str, Any]:
    """What `curriculum plan --json` says; it must not fail."""
    done = plan(folder, *args, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)
