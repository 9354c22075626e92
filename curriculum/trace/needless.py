"""Records whose place a later record has taken, found again by one walk through the log."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from curriculum.context.pooling import Again
from curriculum.record.argument_value import argument_value, spelled
from curriculum.record.records import Call, Kind, Record, rises

DUPLICATES, SUPERSEDED, PREVIEWS = "duplicates", "superseded", "previews"
ABOUT = "about:"
_SUBJECTS = (Kind.APPROVAL, Kind.DENIAL, Kind.PLAN, Kind.MEMORY, Kind.SKILL, Kind.HANDOFF)
_REPEATED = (Kind.MEMORY, Kind.SKILL, Kind.PLAN, Kind.HANDOFF)

Key = tuple[str, ...]


class Instead(NamedTuple):
    """Why a record is needless: the reason, and the position of the later record."""

    reason: str
    later: int


class Keys(NamedTuple):
    """By what a record may take another's place: what it says, asked, and fetched.

    `preview` is the handle that it is a preview of, `fetched` are texts that its call names.
    """

    says: Key | None = None
    about: Key | None = None
    reason: str = "overruled"
    preview: str | None = None
    fetched: frozenset[str] = frozenset()


def keys_of(record: Record, call: Call | None, again: Sequence[Again]) -> Keys:
    """The keys of a record. `call` is what it answers, if it is a result."""
    kind = record.kind
    if kind is Kind.RESULT:
        name, arguments = (call.name, call.arguments) if call is not None else ("", "")
        whole = record.whole()
        says = ("result", whole.sha256) if whole.original else None
        value = argument_value(arguments)
        texts = value.values() if isinstance(value, dict) else ()  # pyright: ignore
        fetched = frozenset(text for text in texts if isinstance(text, str))  # pyright: ignore
        preview = record.cut.artifact if record.cut else None
        return Keys(says, _asked(name, value, again), "asked-again", preview, fetched)
    said = record.text and (kind in _REPEATED or (kind is Kind.ASSISTANT and not record.calls))
    return Keys((str(kind), record.text) if said else None, _subject(record))


def _asked(name: str, value: Any, again: Sequence[Again]) -> Key:
    for rule in again:
        if rule.tool == name and isinstance(value, dict) and rule.argument in value:
            return "asked-part", name, rule.argument, spelled(value[rule.argument])
    return "asked", name, spelled(value)


def _subject(record: Record) -> Key | None:
    kind = record.kind
    if kind not in _SUBJECTS:
        return None
    named = [tag[len(ABOUT) :] for tag in record.tags if tag.startswith(ABOUT)]
    if not named and kind is not Kind.PLAN:
        return None
    one = "leave" if kind in (Kind.APPROVAL, Kind.DENIAL) else str(kind)
    return "about", one, named[0] if named else ""


class Entry(NamedTuple):
    """A record on the walk: its position, that of the turn it belongs to or its own, its keys."""

    at: int
    turn: int
    record: Record
    keys: Keys


class Needless:
    """What is needless of a log, by step and position."""

    def __init__(self) -> None:
        self.steps: dict[str, dict[int, Instead]] = {DUPLICATES: {}, SUPERSEDED: {}, PREVIEWS: {}}

    @property
    def overruled(self) -> set[int]:
        """The records that are active no more."""
        return {at for at, why in self.steps[SUPERSEDED].items() if why.reason == "overruled"}

    def read(self, entries: Iterable[Entry]) -> "Needless":
        """Walk through the records of a log that can be sent, in order."""
        last: dict[Key, Entry] = {}
        previews: dict[str, list[Entry]] = {}
        for mine in entries:
            says, about, reason, preview, fetched = mine.keys
            if says is not None:
                self._take(last, says, mine, DUPLICATES, "duplicate")
            if about is not None:
                self._take(last, about, mine, SUPERSEDED, reason)
            for handle in fetched & previews.keys() if fetched else ():
                stay = [old for old in previews[handle] if not _takes(mine, old)]
                gone = [old for old in previews[handle] if _takes(mine, old)]
                self.steps[PREVIEWS] |= {old.at: Instead("stale-preview", mine.at) for old in gone}
                previews[handle] = stay
            if preview:
                previews.setdefault(preview, []).append(mine)
        return self

    def _take(self, last: dict[Key, Entry], key: Key, mine: Entry, step: str, reason: str) -> None:
        old = last.get(key)
        if old is not None:
            if old.record.trust is not mine.record.trust and rises(
                old.record.trust, mine.record.trust
            ):
                return  # it is passed over
            if old.turn != mine.turn:
                self.steps[step][old.at] = Instead(reason, mine.at)
        last[key] = mine


def _takes(new: Entry, old: Entry) -> bool:
    """Whether a record may take the other's place: of another turn, and of no lower trust."""
    return new.turn != old.turn and not rises(old.record.trust, new.record.trust)
