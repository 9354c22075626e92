"""Records whose place a later record has taken, found again by one walk through the log."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from curriculum.context.pooling import Again
from curriculum.record.argument_value import argument_value, spelled
from curriculum.record.records import Kind, Record, rises

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


def keys_of(record: Record, called: Callable[[], tuple[str, str]], again: Sequence[Again]) -> Keys:
    """The keys of a record. `called` gives the name and arguments of the call that it answers."""
    kind = record.kind
    if kind is Kind.RESULT:
        name, arguments = called()
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


class Needless:
    """What is needless of a log, by step and position."""

    def __init__(self) -> None:
        self.steps: dict[str, dict[int, Instead]] = {DUPLICATES: {}, SUPERSEDED: {}, PREVIEWS: {}}

    @property
    def overruled(self) -> set[int]:
        """The records that are active no more."""
        return {at for at, why in self.steps[SUPERSEDED].items() if why.reason == "overruled"}

    def read(self, entries: Iterable[tuple[int, int, Record, Keys]]) -> "Needless":
        """Walk through a log's records in order: position, position of their turn, record, keys.

        The turn of a record that is no result is the record itself.
        """
        last: dict[Key, tuple[int, int, Record]] = {}
        previews: dict[str, list[tuple[int, int, Record]]] = {}
        for at, turn, record, keys in entries:
            mine = at, turn, record
            if keys.says is not None:
                self._take(last, keys.says, mine, DUPLICATES, "duplicate")
            if keys.about is not None:
                self._take(last, keys.about, mine, SUPERSEDED, keys.reason)
            for handle in keys.fetched & previews.keys():
                stay = [old for old in previews[handle] if not _takes(mine, old)]
                for old in previews[handle]:
                    if old not in stay:
                        self.steps[PREVIEWS][old[0]] = Instead("stale-preview", at)
                previews[handle] = stay
            if keys.preview:
                previews.setdefault(keys.preview, []).append(mine)
        return self

    def _take(
        self,
        last: dict[Key, tuple[int, int, Record]],
        key: Key,
        mine: tuple[int, int, Record],
        step: str,
        reason: str,
    ) -> None:
        old = last.get(key)
        if old is not None and rises(old[2].trust, mine[2].trust):
            return  # it is passed over
        if old is not None and old[1] != mine[1]:
            self.steps[step][old[0]] = Instead(reason, mine[0])
        last[key] = mine


def _takes(new: tuple[int, int, Record], old: tuple[int, int, Record]) -> bool:
    """Whether a record may take the other's place: of another turn, and of no lower trust."""
    return new[1] != old[1] and not rises(old[2].trust, new[2].trust)
