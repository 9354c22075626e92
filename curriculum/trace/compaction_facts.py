"""What a compaction must say, found again from the log before it and the policy as data.

It takes nothing from the assembler or the runner; what a summary says nobody can compute, so of
that only what it must keep and what it takes are found again.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from curriculum.context.pooling import SAFETY, Compaction, amount
from curriculum.record.cut import Cut
from curriculum.record.exchange import Group
from curriculum.record.records import Author, Kind, Record, Replaced, Trust, record_id
from curriculum.record.text import sha256
from curriculum.wire.request import message_of
from curriculum.wire.segments import framed

from .compacting_events import ContextCompact
from .facts import View
from .log_reading import Reading
from .pool_groups import Standing
from .pool_log import PoolLog
from .pool_rungs import Rungs
from .reader import Event

LABELS = list(Trust)
"""From the highest label to the lowest."""


class Due:
    """One compaction, as it must have been: `event` is where the trace has it."""

    def __init__(self, view: View, event: Event[ContextCompact]) -> None:
        log = view.pool_log
        assert log is not None
        assert log.pooling.compact is not None
        self.view, self.event, self.log = view, event, log
        self.terms: Compaction = log.pooling.compact
        self.reading: Reading = view.reading(event)
        self.standing = Standing(log, self.reading, False)
        self.ceiling = view.trace.start.budget[view.trace.start.ceiling]
        self.trigger: str = event.data.trigger
        self.facts = self._facts()  # at once: the reading goes on after this event

    @cached_property
    def limits(self) -> tuple[int | None, int]:
        """The limit of this trigger and what was measured; None if the policy has no such limit."""
        size = next(Rungs(self.standing).down()).size
        if self.trigger == "share":
            at = self.terms.at
            return None if at is None else amount(at, self.ceiling), size
        if self.trigger == "records":
            known = self.view.candidates_before(self.view.known(self.event))
            return self.terms.records, known - len(self.standing.compacted)
        if self.trigger == "overflow":
            return self.log.pooling.most(self.ceiling), size
        return self.ceiling, size

    @cached_property
    def gone(self) -> list[Group]:
        """What is replaced: all that is older than the recent turns, but what stays."""
        records, groups = self.log.records, self.reading.grouping.groups
        turns = [group for group in groups if records[group.main].kind is Kind.ASSISTANT]
        if len(turns) <= self.terms.recent:
            return []
        border = turns[-self.terms.recent].members[0]
        required = {group.members[0] for group in self.standing.groups if group.required}
        return [
            group
            for group in groups
            if max(group.members) < border
            and group.members[0] not in self.standing.compacted
            and self._may_go(records[group.main].kind, group.members[0] in required)
        ]

    def _may_go(self, kind: Kind, required: bool) -> bool:
        if kind is Kind.SUMMARY:
            return True
        return not required and kind not in SAFETY and kind not in self.terms.keep

    @cached_property
    def members(self) -> list[int]:
        """The positions of what is replaced."""
        return sorted(at for group in self.gone for at in group.members)

    @property
    def replaces(self) -> Replaced:
        """The span, and what in it stays; there must be something that goes."""
        records = self.log.records
        first, last = self.members[0], self.members[-1]
        gone = {group.members[0] for group in self.gone}
        stay = [
            record_id(group.main + 1)
            for group in self.reading.grouping.groups
            if first <= group.members[0] <= last
            and group.members[0] not in gone
            and group.members[0] not in self.standing.compacted
            and records[group.main].kind not in SAFETY
        ]
        return Replaced(record_id(first + 1), record_id(last + 1), tuple(stay))

    @cached_property
    def before(self) -> int:
        """What the replaced groups take, whole."""
        firsts = {group.members[0] for group in self.gone}
        return sum(group.takes for group in self.standing.groups if group.members[0] in firsts)

    @property
    def sha256(self) -> str:
        """The hash of what is replaced: ids and content hashes, a line each."""
        records = self.log.records
        lines = (f"{record_id(at + 1)} {records[at].whole().sha256}" for at in self.members)
        return sha256("\n".join(lines))

    @property
    def told(self) -> str:
        """What whoever writes the summary is told, by the policy."""
        lines = [self.terms.instruction]
        if self.terms.preserve:
            lines += ["Repeat every line that begins with one of:", *self.terms.preserve]
        return "\n".join(lines)

    @cached_property
    def asked(self) -> tuple[int, str]:
        """The size and the body of the request for the summary."""
        rebuild = self.log.rebuild
        told = Record("", Kind.INSTRUCTION, Trust.DEVELOPER, Author.HARNESS, "", self.told)
        spelled = "".join(text for _, text in rebuild.wire.pieces(message_of(told, None, "")))
        items = [(rebuild.wire.places[Kind.INSTRUCTION], spelled)]
        size = rebuild.counter.size(spelled) + rebuild.counter.around(False)
        for at, cut in self._shown():
            item = rebuild.item(at) if cut is None else rebuild.cut_item(at, cut)
            items.append((item.place, item.text))
            size += item.size
        parts = framed(rebuild.wire, items)
        return size + sum(rebuild.framing[part] for part in parts[::2]), "".join(parts)

    def _shown(self) -> Iterator[tuple[int, Cut | None]]:
        records = self.log.records
        sendable = {group.members[0] for group in self.standing.groups}
        for group in sorted(self.gone, key=self._place):
            kind = records[group.main].kind
            dropped = kind in self.terms.drop and kind is not Kind.ASSISTANT
            if group.members[0] not in sendable or dropped:
                continue
            for at in group.members:
                bare = records[at].kind is Kind.RESULT and Kind.RESULT in self.terms.drop
                cut = records[at].whole().to(0) if bare else None
                yield at, cut if cut is not None and cut.missing else None

    def _place(self, group: Group) -> int:
        replaces = self.log.records[group.main].replaces
        return group.members[0] if replaces is None else int(replaces.first[1:]) - 1

    @property
    def trust(self) -> Trust:
        """The label of the summary: the lowest of what it replaces, at most the user's."""
        labels = [self.log.records[at].trust for at in self.members]
        return max([Trust.USER, *labels], key=LABELS.index)

    @property
    def must_survive(self) -> dict[str, None]:
        """The lines that the summary must hold."""
        found: dict[str, None] = {}
        for at in self.members:
            record = self.log.records[at]
            texts = [record.text] if record.cut is None else [record.cut.head, record.cut.tail]
            if record.kind not in self.terms.drop:
                lines = (line for text in texts for line in text.split("\n"))
                found |= dict.fromkeys(
                    line.strip() for line in lines if line.startswith(self.terms.preserve)
                )
        return found

    def _facts(self) -> dict[str, Any]:
        """The fields of the event that follow from the log and the policy."""
        limit, measured = self.limits
        size, body = self.asked
        found: dict[str, Any] = {"limit": limit, "measured": measured, "told": self.told}
        found |= {"records": len(self.members), "sha256": self.sha256, "before": self.before}
        found["size"] = size
        if size <= self.ceiling:
            found |= {"bytes": len(body.encode()), "fingerprint": sha256(body)}
        if self.members:
            replaces = self.replaces
            found |= {"replaces.first": replaces.first, "replaces.last": replaces.last}
            found |= {f"replaces.but.{n}": name for n, name in enumerate(replaces.but)}
        return found


@attrs.frozen
class Stands:
    """The summary that a compaction left, and what it takes with a joint."""

    record: Record
    after: int


def summary_of(view: View, event: Event[ContextCompact]) -> Stands | None:
    """The summary that the compaction appended; None if it appended none."""
    log: PoolLog | None = view.pool_log
    found = [e.data for e in view.effects_of(event, "record.append")]
    if len(found) != 1 or log is None:
        return None
    return Stands(found[0], log.size(int(found[0].id[1:]) - 1) + log.joint)
