"""Checks a JSON value against the types of a provider's package, and against nothing else.

A TypedDict allows no member that it does not name and lacks none that it requires. (pydantic takes
members that are unknown, and reads what is `Iterable` only when somebody iterates.)
"""

from collections.abc import Iterable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict


def faults(value: object, hint: Any, place: str = "body") -> list[str]:
    """What of `value` is not as `hint` says, as sentences; none if all is."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Required, NotRequired, Annotated):
        return faults(value, inner[0], place)
    if origin in (Union, UnionType):
        return min((faults(value, one, place) for one in inner), key=len)
    if origin is Literal:
        return [] if value in inner else [f"{place} is {value!r}, none of {inner}"]
    if is_typeddict(hint):
        return _members(value, hint, place)
    if origin in (list, Iterable, Sequence):
        if not isinstance(value, list):
            return [f"{place} is no list"]
        found = [faults(one, inner[0], f"{place}[{n}]") for n, one in enumerate(value)]
        return [fault for one in found for fault in one]
    if origin is dict:
        if not isinstance(value, dict):
            return [f"{place} is no object"]
        found = [faults(one, inner[1], f"{place}.{name}") for name, one in value.items()]
        return [fault for one in found for fault in one]
    if hint in (Any, object):
        return []
    if hint in (None, NoneType):
        return [] if value is None else [f"{place} is not null"]
    wanted = (int, float) if hint is float else hint
    right = isinstance(hint, type) and isinstance(value, wanted)
    return (
        [] if right and (hint is bool or not isinstance(value, bool)) else [f"{place} is no {hint}"]
    )


def _members(value: object, hint: Any, place: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{place} is no object"]
    known = get_type_hints(hint, include_extras=True)
    found = [f"{place}.{name} is unknown" for name in value if name not in known]
    # Where the annotations are texts, the class itself does not know which are Required.
    must = {name for name, one in known.items() if get_origin(one) is Required}
    must |= {n for n in hint.__required_keys__ if get_origin(known[n]) is not NotRequired}
    found += [f"{place}.{name} is missing" for name in sorted(must - set(value))]
    for name in value:
        if name in known:
            found += faults(value[name], known[name], f"{place}.{name}")
    return found
