"""What a summary of another log replaces, said by the ids of this one."""

from collections.abc import Mapping, Sequence

from .exchange import Grouping
from .records import Kind, Record, Replaced, rises
from .unlawful import UnlawfulRecord

NEVER = (Kind.INSTRUCTION, Kind.TOOLS, Kind.CONSTRAINT, Kind.APPROVAL, Kind.DENIAL)
"""What no summary stands for."""


def renamed(replaces: Replaced, ids: Mapping[str, str]) -> Replaced | None:
    """The same under new ids; None where an end of it is not in this log, or comes too late."""
    first, last = ids.get(replaces.first), ids.get(replaces.last)
    if first is None or last is None or _place(last) < _place(first):
        return None
    stay = dict.fromkeys(ids[id] for id in replaces.but if id in ids)
    but = [id for id in stay if _place(first) <= _place(id) <= _place(last)]
    return Replaced(first, last, tuple(but))


def check_trust(summary: Record, before: Sequence[Record], start: int) -> None:
    """Raise `UnlawfulRecord` if the summary has a higher label than something it stands for.

    `before` are the records from position `start` up to it. Thinking is taken by itself: whether
    it stands with its turn depends on the wire.
    """
    by = summary.replaces
    assert by is not None
    grouping = Grouping(lambda record: "no-slot" if record.kind is Kind.THINKING else None)
    grouping.read(before, 0)
    first, last = _place(by.first) - start, _place(by.last) - start
    stay = {_place(id) - start for id in by.but}
    for group in grouping.groups:
        within = first <= group.members[0] and max(group.members) <= last
        stays = group.open or stay.intersection(group.members)
        if not within or stays or before[group.main].kind in NEVER:
            continue
        for at in group.members:
            if rises(summary.trust, before[at].trust):
                raise UnlawfulRecord(
                    f"A summary with the label {summary.trust} cannot stand for {before[at].id}.",
                    f"{before[at].id} is a {before[at].kind} with the label {before[at].trust} "
                    "(law 10: trust never rises)",
                )


def _place(id: str) -> int:
    return int(id[1:]) - 1
