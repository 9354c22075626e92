"""Parameters of tools: JSON that stands in a request as it is, and brings nothing beside it."""

import json


def canonical(value: object) -> str:
    """The one spelling of a JSON value: ASCII, sorted keys, no blanks. Raises `ValueError`."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def is_canonical(text: str) -> bool:
    """Whether `text` is a JSON object in its one spelling."""
    try:
        value = json.loads(text)
        return isinstance(value, dict) and canonical(value) == text  # pyright: ignore
    except (ValueError, RecursionError):
        return False
