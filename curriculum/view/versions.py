"""One request in two versions, for people: what is gone is marked `-`, what is new `+`.

Of a record that has changed both versions are shown around the stretch that differs, which stands
between `<<` and `>>`. Marks are letters first; colour only repeats them.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from curriculum.trace.versions import Changed, Item, Version, Versions

from .gates import UNITS
from .request import some
from .safe import brief, ends, many
from .screen import STYLES, Part, Screen

AROUND = 30
"""Characters before and after the stretch that differs."""
STRETCH, WHOLE = 400, 100
"""Characters of a stretch, and of a record that is on one side only, that are shown."""
SAME = 12
"""Unchanged neighbours that the rich look names one by one; of more, the first and the last."""
MARKS = {"same": "=", "changed": "~", "gone": "-", "new": "+"}


def show_versions(
    screen: Screen, versions: Versions, numbers: Sequence[int], names: tuple[str, str]
) -> None:
    """Print the requests `numbers` in both versions; `names` says what the two traces are."""
    for number in numbers:
        _show(screen, versions.request(number), names)


def _show(screen: Screen, changed: Changed, names: tuple[str, str]) -> None:
    sides = zip(names, (changed.expected, changed.got), strict=True)
    screen.head(
        f"Request {changed.number}: {' -> '.join(f'{n} {_size(side)}' for n, side in sides)}"
    )
    for same, group in groupby(changed.items, key=lambda item: item.change == "same"):
        items = list(group)
        first, hidden, last = some(items, SAME if same and not screen.plain else len(items))
        for item in first:
            _item(screen, item)
        if hidden:
            screen.line(f"  ... {many(hidden, 'unchanged record')} not shown; --plain has them ...")
        for item in last:
            _item(screen, item)


def _size(version: Version | None) -> str:
    if version is None:
        return "does not send it"
    sent = version.manifest
    return f"{sent.size} of {sent.limit} {UNITS.get(sent.unit, sent.unit)}"


def _item(screen: Screen, item: Item) -> None:
    mark, style = MARKS[item.change], item.change if item.change in STYLES else ""
    id = f"{item.id}, there {item.other}" if item.other else item.id
    named = f"{id} ({item.what})" if item.what else id
    text: Sequence[Part] = ()
    if item.expected is not None and item.got is not None:
        sizes = many(len(item.got), "character")
        if item.change == "changed":
            sizes = f"{len(item.expected)} -> {many(len(item.got), 'character')}"
    else:
        whole = item.expected if item.expected is not None else item.got or ""
        sizes = many(len(whole), "character")
        text = (": ", (style, brief(whole, WHOLE)))
    screen.line((style, f"  {mark} "), f"{named}: {sizes}{_decided(item)}", *text, indent=6)
    if item.change == "changed":
        start, end, stop = item.stretch()
        for sign, words, to in (("gone", item.expected, end), ("new", item.got, stop)):
            assert words is not None
            gutter = (sign, f"    {MARKS[sign]} ")
            screen.line(gutter, *_stretch(sign, words, start, to), indent=6)


def _decided(item: Item) -> str:
    """What was decided, where that is another thing now."""
    if item.was == item.now:
        return ""
    return f", {item.was or 'no candidate'} -> {item.now or 'no candidate'}"


def _stretch(sign: str, text: str, start: int, end: int) -> list[Part]:
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    head, note, tail = ends(text[start:end], STRETCH)
    inside: list[Part] = [(sign, head), ("marker", note), (sign, tail)] if note else [(sign, head)]
    return [
        "..." if start > AROUND else "",
        before,
        (sign, "<<"),
        *inside,
        (sign, ">>"),
        after,
        "..." if end + AROUND < len(text) else "",
    ]


def versions_data(versions: Versions, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The same as data: which requests changed, and per record what; unchanged ones by name."""
    return [_request_data(versions.request(number)) for number in numbers]


def _request_data(changed: Changed) -> dict[str, Any]:
    sides = (("expected", changed.expected), ("got", changed.got))
    sizes = {name: side.manifest.size if side else None for name, side in sides}
    return {
        "request": changed.number,
        "size": sizes,
        "records": [_item_data(item) for item in changed.items],
    }


def _item_data(item: Item) -> dict[str, Any]:
    data: dict[str, Any] = {"change": item.change, "record": item.id}
    named = {"what": item.what, "other": item.other}
    data.update({name: value for name, value in named.items() if value})
    if item.was != item.now:
        data["decision"] = {"expected": item.was or None, "got": item.now or None}
    if item.change != "same":
        data |= {"expected": item.expected, "got": item.got}
    if item.change == "changed":
        data["part_at"] = item.stretch()[0] + 1
    return data
