"""One request in two versions: which of its records are the same, changed, gone or new.

Records answer each other as their events do, so an id that has moved on is no difference.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Literal

import attrs

from curriculum.context.manifest import Manifest

from .diff import Alignment
from .facts import View
from .naming import what
from .quoting import parted
from .reader import Event, Trace

Change = Literal["same", "changed", "gone", "new"]


@attrs.frozen
class Item:
    """One record in two versions of a request: its item as sent, None where it is not sent.

    `id` is its id in the first trace, or in the second if it is only there; `other` is the second
    trace's id where that is another one. `was` and `now` are the decisions on it, with their
    reasons; empty if that version has no such candidate. The frame around the records is an item
    of its own, with the id `frame`.
    """

    change: Change
    id: str
    what: str
    expected: str | None
    got: str | None
    other: str = ""
    was: str = ""
    now: str = ""

    def stretch(self) -> tuple[int, int, int]:
        """Where the two texts differ: from, to in `expected`, to in `got` (in characters)."""
        a, b = self.expected or "", self.got or ""
        start = parted(a, b)
        back = parted(a[start:][::-1], b[start:][::-1])
        return start, len(a) - back, len(b) - back


@attrs.frozen
class Version:
    """One version of a request: the manifest, and the item of each record; the frame apart."""

    manifest: Manifest
    items: dict[str, str]
    frame: str
    decisions: dict[str, str]


@attrs.frozen
class Changed:
    """Request `number` (from 1) of two traces; a version is None where it was not sent."""

    number: int
    expected: Version | None
    got: Version | None
    items: tuple[Item, ...]


class Versions:
    """Two traces, for looking at single requests of both."""

    def __init__(self, expected: Trace, got: Trace) -> None:
        self.left, self.right = View(expected), View(got)

    @cached_property
    def _names(self) -> dict[str, str]:
        """The first trace's id of each record of the second that has a partner."""
        return Alignment(self.left.trace, self.right.trace).names

    @cached_property
    def _partners(self) -> dict[str, str]:
        return {ours: theirs for theirs, ours in self._names.items()}

    def request(self, number: int) -> Changed:
        """Request `number` in both versions, record by record, in sending order."""
        left, right = _version(self.left, number), _version(self.right, number)
        return Changed(number, left, right, tuple(self._items(left, right)))

    def _items(self, left: Version | None, right: Version | None) -> Iterator[Item]:
        ours = list(left.items) if left else []
        theirs = list(right.items) if right else []
        back = [self._names.get(id, f"{id}(new)") for id in theirs]
        for tag, a, b, c, d in SequenceMatcher(None, ours, back, autojunk=False).get_opcodes():
            if tag == "equal":
                yield from (
                    self._item(left, right, ours[a + n], theirs[c + n]) for n in range(b - a)
                )
                continue
            yield from (self._item(left, right, id, "") for id in ours[a:b])
            yield from (self._item(left, right, "", id) for id in theirs[c:d])
        frames = left.frame if left else "", right.frame if right else ""
        if frames[0] != frames[1]:
            yield Item("changed", "frame", "", *frames)

    def _item(self, left: Version | None, right: Version | None, ours: str, theirs: str) -> Item:
        expected = left.items[ours] if left and ours else None
        got = right.items[theirs] if right and theirs else None
        change: Change = "same" if expected == got else "changed"
        change = "new" if expected is None else "gone" if got is None else change
        view, id = (self.left, ours) if ours else (self.right, theirs)
        # What is gone or new here may still be a candidate on the other side, left out there.
        ours = ours or self._names.get(theirs, "")
        theirs = theirs or self._partners.get(ours, "")
        return Item(
            change,
            id,
            what(view, view.event(view.appended(id))),
            expected,
            got,
            theirs if theirs and theirs != id else "",
            left.decisions.get(ours, "") if left else "",
            right.decisions.get(theirs, "") if right else "",
        )


def _version(view: View, number: int) -> Version | None:
    sent = list(view.trace.of("model.request"))[number - 1 : number]
    event: Event[Any] | None = view.before(sent[0], "context.assemble") if sent else None
    if event is None:
        return None
    items: dict[str, str] = {}
    for segment in view.rebuild.request(event).segments:
        name = segment.record or ""
        items[name] = items.get(name, "") + segment.text
    frame = items.pop("", "")
    rows = view.rebuild.table(event)
    decisions = {row.record.id: f"{row.decision} [{row.reason}]" for row in rows}
    return Version(event.data, items, frame, decisions)
