"""Which golden a test claims: an id made of the test's place, the same on every system.

The trace of `test_reads[x]` in `tests/test_agent.py` is `pytest/tests/test_agent/test_reads[x]`.
"""

from hashlib import sha256
from pathlib import Path

import pytest

from curriculum.golden.cases import BY_TESTS
from curriculum.golden.project import Project

LONGEST = 120
"""Characters of a file name; a longer one ends in a hash of the whole."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+=,@~()[]{}")


def golden_id(item: pytest.Item, project: Project) -> str:
    """The id of the trace that `item` records. Raises `pytest.UsageError` for a bad marker."""
    file = Path(item.path)
    place = file.relative_to(project.root) if file.is_relative_to(project.root) else Path(file.name)
    marker = item.get_closest_marker("golden")
    names = str(item.nodeid).split("::")[1:]
    own = ".".join(names) or item.name
    if marker is not None:
        if len(marker.args) != 1 or not isinstance(marker.args[0], str) or not marker.args[0]:
            raise pytest.UsageError(f"{item.nodeid}: the marker is golden('name'), with one name")
        own = marker.args[0]
    parts = [*place.with_suffix("").parts, own]
    return BY_TESTS + "/".join(_part(part) for part in parts)


def _part(text: str) -> str:
    """One part of a path: whatever some file system cannot hold is spelled as %XX."""
    spelled = "".join(
        char
        if char in _PLAIN
        else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in text
    )
    if spelled.endswith("."):
        spelled = f"{spelled[:-1]}%2E"
    if len(spelled) <= LONGEST:
        return spelled
    return f"{spelled[: LONGEST - 9]}~{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def claim(item: pytest.Item, claims: dict[str, str], project: Project) -> None:
    """Note that `item` claims its golden. Raises `pytest.UsageError` if another test has it.

    Ids that differ only in case are one file on some systems.
    """
    id = golden_id(item, project)
    taken = {known.casefold(): node for known, node in claims.items() if node != item.nodeid}
    if id.casefold() in taken:
        raise pytest.UsageError(
            f"{item.nodeid} and {taken[id.casefold()]} have the same golden trace, {id}; "
            "give one a name of its own: @pytest.mark.golden('name')"
        )
    claims[id] = item.nodeid
