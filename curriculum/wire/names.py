"""Ids of calls that are unique in a request, whatever ids the model gave.

Models reuse ids from turn to turn, and providers refuse a request in which one stands twice. So
the record that made the call is part of the id that is sent: `c1` of r0003 is sent as `c1-r0003`.
"""

import re

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SENT = re.compile(r"(.+)-r\d{4,}", re.DOTALL)


def sent_id(id: str, turn: str) -> str:
    """The id as it is sent: letters, digits, _ and - only; any other id as hex behind `x-`."""
    plain = _PLAIN.fullmatch(id) and not id.startswith("x-")
    return f"{id if plain else f'x-{id.encode().hex()}'}-{turn}"


def own_id(sent: str) -> tuple[str, str]:
    """The id that the model gave, and the record of its turn. Raises `ValueError` for another."""
    found = _SENT.fullmatch(sent)
    if found is None:
        raise ValueError(f"{sent!a} is no id of these wires")
    id, turn = found[1], sent[len(found[1]) + 1 :]
    own = bytes.fromhex(id[2:]).decode() if id.startswith("x-") else id
    if sent_id(own, turn) != sent:
        raise ValueError(f"{sent!a} is no id of these wires")
    return own, turn
