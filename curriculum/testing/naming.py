"""Which golden a test claims: an id made of the test's place, the same on every system.

The trace of `test_reads[x]` in `tests/test_agent.py` is `pytest/tests/test_agent/test_reads[x]`.
"""

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from curriculum.golden.cases import BY_TESTS
from curriculum.golden.project import RESERVED, Project

if TYPE_CHECKING:
    from .plugin import GoldenRun

LONGEST = 120
"""Characters of a file name; a longer one ends in a hash of the whole."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+=,@~()[]{}")


def golden_id(item: pytest.Item, project: Project) -> str:
    """The id of the trace that `item` records. Raises `ValueError` for a bad marker.

    A marker replaces the names of the test and its classes; its parameters stay.
    """
    names = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    own = ".".join([*names, item.name])
    marker = item.get_closest_marker("golden")
    if marker is not None:
        if len(marker.args) != 1 or not isinstance(marker.args[0], str) or not marker.args[0]:
            raise ValueError(f"{item.nodeid}: the marker is golden('name'), with one name")
        original = getattr(item, "originalname", None) or item.name
        own = marker.args[0] + item.name.removeprefix(original)
    return f"{place(Path(item.path), project)}/{part(own)}"


def place(path: Path, project: Project) -> str:
    """How the ids of all tests in a file or a folder begin, without the last slash."""
    inside = path.relative_to(project.root) if path.is_relative_to(project.root) else path.name
    parts = Path(str(inside).removesuffix(".py")).parts
    return "/".join([BY_TESTS.removesuffix("/"), *map(part, parts)])


def part(text: str) -> str:
    """One part of a path: whatever some file system cannot hold is spelled as %XX."""
    spelled = "".join(char if char in _PLAIN else _spelled(char) for char in text)
    if RESERVED.match(spelled):
        spelled = _spelled(spelled[0]) + spelled[1:]
    if spelled.lower().endswith((".", ".pending")):
        at = spelled.rindex(".")
        spelled = f"{spelled[:at]}{_spelled('.')}{spelled[at + 1 :]}"
    if len(spelled) <= LONGEST:
        return spelled
    return f"{spelled[: LONGEST - 9]}~{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def further(index: int | str) -> str:
    """How the id of a further trace ends: `.1`, or `.name`; a name is never taken for a number.

    Nor for the word by which a pending file is known, in any case of its letters.
    """
    name = part(str(index))
    if isinstance(index, str) and (index.isdecimal() or index.lower() == "pending"):
        name = _spelled(name[0]) + name[1:]
    return f".{name}"


def _spelled(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))


def claim(item: pytest.Item, run: "GoldenRun") -> None:
    """Note that `item` claims its golden. Raises `ValueError` if another test has it."""
    project = run.home(item.path.parent)
    id = golden_id(item, project)
    if other := run.claim(project, id, item.nodeid):
        raise ValueError(
            f"{item.nodeid} and {other} have the same golden trace, {id}; "
            "give one a name of its own: @pytest.mark.golden('name')"
        )
