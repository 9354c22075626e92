"""Ids of calls that are unique in a request, whatever ids the model gave.

Models reuse ids from turn to turn, and providers refuse a request in which one stands twice. So
the record that made the call is part of the id that is sent: `c1` of r0003 is sent as `c1-r0003`.
"""

import re

from curriculum.record.text import sha256

LONGEST = 40
"""Characters of an id that is sent. OpenAI has answered longer ones with `string_above_max_length`:
"a string with maximum length 40" for its chat models, and 64 for newer ones and for Responses."""
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_SENT = re.compile(r"(.+)-(r(?!0000)(?:[0-9]{4}|[1-9][0-9]{4,}))", re.DOTALL)


def sent_id(id: str, turn: str) -> str:
    """The id as it is sent: letters, digits, _ and - only; any other id as hex behind `x-`.

    An id that would be too long is sent as the first 24 hex digits of its SHA-256 behind `h-`. An
    id that is already such a name stays as it is.
    """
    plain = _PLAIN.fullmatch(id) and not id.startswith("x-")
    sent = f"{id if plain else f'x-{id.encode().hex()}'}-{turn}"
    return sent if len(sent) <= LONGEST else f"h-{sha256(id)[:24]}-{turn}"


def own_id(sent: str) -> tuple[str, str]:
    """The id that the model gave, and the record of its turn; of a long id only its name.

    Raises `ValueError` for an id that these wires do not send.
    """
    found = _SENT.fullmatch(sent)
    if found is None:
        raise ValueError(f"{sent!a} is no id of these wires")
    id, turn = found[1], found[2]
    own = bytes.fromhex(id[2:]).decode() if id.startswith("x-") else id
    if sent_id(own, turn) != sent:
        raise ValueError(f"{sent!a} is no id of these wires")
    return own, turn


def heard_id(id: str, turn: str) -> str:
    """What a reader of the body knows of the id that the model gave."""
    return own_id(sent_id(id, turn))[0]
