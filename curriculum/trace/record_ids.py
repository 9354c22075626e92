"""Ids of records inside event data: how one is spelled, and which fields hold them."""

import re
from typing import Any

PATTERN = r"r(?=.*[1-9])[0-9]{4,15}"
"""The id of some position, counted from 1; of no more digits than a number in a trace has."""
ID_FIELDS = {
    ("Record", "id"),
    ("Answers", "record"),
    ("Decision", "first"),
    ("Decision", "last"),
    ("Decision", "because"),
    ("Need", "record"),
    ("PoolUse", "stopped"),
    ("Replaced", "first"),
    ("Replaced", "last"),
    ("ToolRequest", "record"),
}
"""The class and name of every field that names a record."""
ID_LISTS = {("Manifest", "front"), ("Manifest", "back"), ("Replaced", "but")}
"""The same for fields that name some records."""
_spells = re.compile(PATTERN + r"\Z").match


def is_record_id(value: Any) -> bool:
    """Whether `value` is the id of some position."""
    return isinstance(value, str) and _spells(value) is not None
