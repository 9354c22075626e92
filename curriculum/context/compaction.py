"""When old exchanges should give way to a summary, which ones, and what is asked for.

Nothing is replaced here: an assembly says that it needs a compaction, whoever drives it gets the
summary, appends it, and assembles again.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

import attrs

from curriculum.record.cut import Cut
from curriculum.record.exchange import Group
from curriculum.record.records import Author, Kind, Record, Replaced, Trust, record_id, rises
from curriculum.wire.request import Message, Request, message_of
from curriculum.wire.segments import framed, segments_of

from .pooling import SAFETY, Compaction, amount

if TYPE_CHECKING:
    from .index import SessionIndex
    from .ledger import Ledger


KEPT = "artifact "
"""How a line of a summary begins that names what a store still has."""


@attrs.frozen
class Needs:
    """What a policy wants to have replaced, and why: `measured` is over `limit`.

    `limit` and `measured` are in the counter's unit, or records where the trigger is `records`.
    `groups` are those that the summary would stand for, `before` what they take (the counter's
    unit).
    """

    trigger: str
    limit: int
    measured: int
    replaces: Replaced
    groups: tuple[Group, ...]
    before: int

    @property
    def members(self) -> list[int]:
        """The positions of the records that would be replaced, in log order."""
        return sorted(at for group in self.groups for at in group.members)


def due(ledger: "Ledger", limit: int, trigger: str = "") -> Needs | None:
    """The compaction that is due now, or with a `trigger` from outside; None if there is none."""
    terms = ledger.pooling.compact
    if terms is None:
        return None
    size, count = ledger.total(0), _candidates(ledger)
    if not trigger:
        if terms.at is not None and size > amount(terms.at, limit):
            return _span(ledger, terms, limit, "share", amount(terms.at, limit), size)
        if terms.records is not None and count > terms.records:
            return _span(ledger, terms, limit, "records", terms.records, count)
        return None
    most = ledger.pooling.most(limit) if trigger == "overflow" else limit
    return _span(ledger, terms, limit, trigger, most, size)


def _candidates(ledger: "Ledger") -> int:
    """The candidates for which no summary stands."""
    return ledger.index.candidates - ledger.retired_records


def _span(
    ledger: "Ledger", terms: Compaction, ceiling: int, trigger: str, limit: int, measured: int
) -> Needs | None:
    """From the oldest exchange that may be replaced to the last before the recent ones."""
    index = ledger.index
    border = ledger.recent_from(terms.recent)
    gone = [
        group
        for group in index.groups
        if max(group.members) < border
        and group.members[0] not in index.retired
        and _replaceable(ledger, terms, group)
    ]
    before = sum(
        ledger.entries[group.members[0]].forms[0].charge
        for group in gone
        if group.members[0] in ledger.entries
    )
    turns = [group for group in gone if index.records[group.main].kind is Kind.ASSISTANT]
    if not turns or before < amount(terms.least, ceiling):
        return None
    first, last = gone[0].members[0], max(at for group in gone for at in group.members)
    names = {group.members[0] for group in gone}
    but = tuple(
        record_id(group.main + 1)
        for group in index.groups
        if first <= group.members[0] <= last
        and group.members[0] not in names
        and group.members[0] not in index.retired
        and index.records[group.main].kind not in SAFETY
    )
    span = Replaced(record_id(first + 1), record_id(last + 1), but)
    return Needs(trigger, limit, measured, span, tuple(gone), before)


def _replaceable(ledger: "Ledger", terms: Compaction, group: Group) -> bool:
    """Whether a summary may stand for a group: not what governs, nor what the policy keeps."""
    kind = ledger.index.records[group.main].kind
    if kind is Kind.SUMMARY:
        return True  # a new summary takes an older one in
    if kind in SAFETY or kind in terms.keep:
        return False
    entry = ledger.entries.get(group.members[0])
    return entry is None or not entry.required


def trust_of(records: list[Record]) -> Trust:
    """The label of a summary: the lowest of what it replaces, and never more than the user's."""
    lowest = Trust.USER
    for record in records:
        if rises(lowest, record.trust):
            lowest = record.trust
    return lowest


def instruction(terms: Compaction) -> str:
    """What whoever writes the summary is told."""
    told = [terms.instruction]
    if terms.preserve:
        told.append("Repeat every line that begins with one of:")
        told += terms.preserve
    return "\n".join(told)


@attrs.frozen
class Asking:
    """The request for a summary, and its size in the counter's unit."""

    request: Request
    size: int


def asking(index: "SessionIndex", needs: Needs, terms: Compaction) -> Asking:
    """The request that asks for the summary: what is told, then what is to be replaced."""
    told = Record("r0000", Kind.INSTRUCTION, Trust.DEVELOPER, Author.HARNESS, "compaction")
    message = message_of(attrs.evolve(told, text=instruction(terms)), None, "")
    items = [(index.wire.places[Kind.INSTRUCTION], _spelled(index, message))]
    messages, size = [message], index.counter.size(items[0][1])
    for at, cut in shown(index, needs, terms):
        item = index.item(at, cut)
        items.append((index.wire.places[index.records[at].kind], item))
        messages.append(index.message(at, cut))
        size += index.size(at, item)
    parts = framed(index.wire, items)
    size += sum(index.counter.size(part) for part in parts[::2]) + index.counter.around(False)
    body = "".join(parts).encode()
    return Asking(Request(body, lambda: segments_of(index.wire, messages)), size)


def _spelled(index: "SessionIndex", message: Message) -> str:
    return "".join(text for _, text in index.wire.pieces(message))


def shown(
    index: "SessionIndex", needs: Needs, terms: Compaction
) -> Iterator[tuple[int, Cut | None]]:
    """What the writer of the summary is shown: positions, and a cut where less than all."""
    order = sorted(needs.groups, key=lambda group: _place(index, group))
    for group in order:
        if index.defect(group) is not None:
            continue
        kind = index.records[group.main].kind
        if kind in terms.drop and kind is not Kind.ASSISTANT:
            continue
        for at in group.members:
            result = index.records[at].kind is Kind.RESULT
            cut = None
            if result and Kind.RESULT in terms.drop:
                cut = index.records[at].whole().to(0)
                cut = cut if cut.missing else None
            yield at, cut


def _place(index: "SessionIndex", group: Group) -> int:
    return index.places.get(group.members[0], group.members[0])


def digest(index: "SessionIndex", needs: Needs) -> str:
    """SHA-256 of what is replaced: each record's id and the hash of its content, a line each."""
    lines = [f"{record_id(at + 1)} {index.records[at].whole().sha256}" for at in needs.members]
    return sha256("\n".join(lines).encode()).hexdigest()


def handles(index: "SessionIndex", needs: Needs) -> list[str]:
    """A line for each artifact that only what is replaced could name, so that it can be fetched.

    Lines of an older summary that is taken in are said again.
    """
    found: dict[str, None] = {}
    for at in needs.members:
        record = index.records[at]
        if record.replaces is not None:
            lines = record.text.split("\n")
            found |= dict.fromkeys(line for line in lines if line.startswith(KEPT))
        elif handle := record.whole().artifact:
            found[f"{KEPT}{handle}: {record.source}, {record.id}"] = None
    return list(found)


def must_survive(index: "SessionIndex", needs: Needs, terms: Compaction) -> list[str]:
    """The lines that the summary must hold, each once, in log order.

    They are looked for in what is replaced, but not in kinds that the policy drops.
    """
    found: dict[str, None] = {}
    for at in needs.members:
        record = index.records[at]
        if record.kind in terms.drop:
            continue
        text = record.text if record.cut is None else f"{record.cut.head}\n{record.cut.tail}"
        for line in text.split("\n"):
            if line.startswith(terms.preserve):
                found[line.strip()] = None
    return list(found)


def lost(index: "SessionIndex", needs: Needs, terms: Compaction, summary: str) -> list[str]:
    """What had to survive and does not stand in the summary as a line of its own."""
    stands = {line.strip() for line in summary.split("\n")}
    return [line for line in must_survive(index, needs, terms) if line not in stands]
