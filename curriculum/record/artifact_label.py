"""The label of an artifact in a folder: where its text came from and how far it is trusted."""

import json
import re
from typing import Any

import attrs

from .artifacts import shown
from .records import Trust
from .text import scalar

_HASH = re.compile("[0-9a-f]{64}")


@attrs.frozen
class Label:
    """The SHA-256 of the text's UTF-8, and what came with it.

    Raises `ValueError` for a trust that there is not.
    """

    sha256: str
    source: str = attrs.field(converter=scalar)
    trust: Trust = attrs.field(converter=Trust)

    def spelled(self) -> bytes:
        """The one spelling: JSON in ASCII, sorted keys, one line that ends in LF."""
        return f"{json.dumps(attrs.asdict(self), sort_keys=True)}\n".encode("ascii")


def read_label(data: bytes, handle: str) -> Label | str:
    """The label of `handle` that `data` spells, or what is wrong with it, in our own words."""
    try:
        value: Any = json.loads(data.decode("ascii"))
        fields = {name: value[name] for name in ("sha256", "source", "trust")}
    except (ValueError, RecursionError, KeyError, TypeError):
        return "it is no JSON with sha256, source and trust"
    if not all(isinstance(part, str) for part in fields.values()):
        return "it is no JSON with sha256, source and trust"
    if fields["trust"] not in list[str](Trust):
        return f"it has the unknown trust {shown(fields['trust'])}"
    label = Label(**fields)
    if not _HASH.fullmatch(label.sha256):
        return f"its sha256 is none: {shown(label.sha256)}"
    if not label.sha256.startswith(handle[1:]):
        return f"it is of other content: sha256 {label.sha256}"
    return label if label.spelled() == data else "it is not spelled as a store spells it"
