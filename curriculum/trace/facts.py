"""A trace as facts: every field of every event under a name, and where it stands."""

import bisect
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from curriculum.context.known_policies import policy_with_id
from curriculum.context.manifest import Manifest
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.counters import utf8
from curriculum.record.records import Kind, record_id
from curriculum.record.text import sha256
from curriculum.wire.request import Message

from .bulk import no_collection
from .ladder import Ladder
from .log_reading import Reading
from .reader import Event, Trace
from .rebuild import Rebuild, TableRow
from .recorder import converter

if TYPE_CHECKING:
    from curriculum.record.truncation import Truncation

    from .compaction_facts import Due
    from .pool_ladder import PoolLadder
    from .pool_log import PoolLog

Fact = int | str | bool
ONCE = ("limit", "head", "tail", "missing", "share", "full", "needs", "room", "because", "text")
"""Fields of a decision that are facts once, at the first record of its range."""


@attrs.frozen
class Place:
    """Where a fact stands: the event's seq and the field's name."""

    seq: int
    field: str


def pattern(field: str) -> str:
    """The field's name with record ids and positions as `*`, as the table of rules has it."""
    parts = field.split(".")
    return ".".join("*" if part.isdigit() or _is_id(part) else part for part in parts)


def _is_id(part: str) -> bool:
    return part[:1] == "r" and part[1:].isdigit()


class Rebuilt:
    """A request found again: its text, items, and the size and bytes of each record in it.

    `lines` is how many messages it has; tools are none. `frame` is what belongs to no record.
    """

    def __init__(self, rebuild: Rebuild, manifest: Manifest) -> None:
        self.items = rebuild.sent(manifest)
        parts = rebuild.parts(self.items)
        self.text = "".join(parts)
        self.byte = utf8(self.text)
        self.fingerprint = sha256(self.text)
        self.lines = sum([item.told for item in self.items])
        self.frame = sum([rebuild.framing.get(part, 0) for part in parts[::2]])
        self.frame += rebuild.counter.around(any(m.tools for m in self.messages[:1]))
        self.size = self.frame + sum([item.size for item in self.items])
        self.sizes = _by_record([(item.message.record, item.size) for item in self.items])
        self.bytes = _by_record([(item.message.record, item.bytes) for item in self.items])

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is sent, in order."""
        return tuple(item.message for item in self.items)

    @cached_property
    def content(self) -> str:
        """A hash of the messages without their record ids: what is sent, whatever the wire."""
        return sha256(repr([attrs.evolve(m, record="") for m in self.messages]))


def _by_record(measured: list[tuple[str, int]]) -> dict[str, int]:
    found = dict(measured)
    if len(found) != len(measured):  # a record is sent twice, which a lawful trace never does
        found = dict.fromkeys(found, 0)
        for name, size in measured:
            found[name] += size
    return found


class View:
    """One trace, its facts by event, and what it takes to recompute them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.rebuild = Rebuild(trace)
        self._reading = Reading(trace.records, lambda record: self.rebuild.wire.refuses(record))
        self._ladder: tuple[int, Ladder | PoolLadder] | None = None
        self._due: tuple[int, Due] | None = None
        self._rebuilt: tuple[int, Rebuilt] | None = None
        self._said: list[str] = []

    def event(self, seq: int) -> Event[Any]:
        """The event with this seq."""
        return self.trace.events[seq - 1]

    @cached_property
    def effects(self) -> dict[int, list[Event[Any]]]:
        """The events that each event caused."""
        found: dict[int, list[Event[Any]]] = {}
        with no_collection():
            for event in self.trace.events:
                found.setdefault(event.cause or 0, []).append(event)
        return found

    def effects_of(self, event: Event[Any], type: str) -> list[Event[Any]]:
        """The events of one type that an event caused."""
        return [effect for effect in self.effects.get(event.seq, ()) if effect.type == type]

    def turn_of(self, response: Event[Any]) -> list[Event[Any]]:
        """The events that append what a model said: one, behind those of what it thought."""
        found = self.effects_of(response, "record.append")
        while len(found) == 1 and found[0].data.kind is Kind.THINKING:
            found = self.effects_of(found[0], "record.append")
        return found

    def before(self, event: Event[Any], type: str) -> Event[Any] | None:
        """The nearest event of this type and turn on the path of causes."""
        turn = event.turn
        while event.cause is not None and 0 < event.cause < event.seq:
            event = self.event(event.cause)
            if event.turn != turn:
                break
            if event.type == type:
                return event
        return None

    def appended(self, record: str) -> int:
        """The seq of the event that appended the record."""
        return self.rebuild.appended[int(record[1:]) - 1]

    @cached_property
    def opaque(self) -> set[int]:
        """The positions of records that are no candidates."""
        records = self.trace.records
        return {at for at, record in enumerate(records) if record.kind is Kind.OPAQUE}

    @cached_property
    def _candidates(self) -> list[int]:
        return [at for at in range(len(self.trace.records)) if at not in self.opaque]

    @cached_property
    def bound(self) -> str:
        """The name of the bound that the counter admits by."""
        return self.rebuild.counter.bound_name

    @cached_property
    def _by_type(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for event in self.trace.events:
            found.setdefault(event.type, []).append(event.seq)
        return found

    def ordinal(self, event: Event[Any], type: str = "") -> int:
        """How many events of this type, or of its own, stand before the event."""
        return bisect.bisect_left(self._by_type.get(type or event.type, ()), event.seq)

    def shared(self, event: Event[Any]) -> int:
        """How many of the requests before the event are its parent's, if it is in a branch."""
        began = [seq for seq in self._by_type.get("session.branch", ()) if seq < event.seq]
        return self.ordinal(self.event(began[-1]), "model.request") if began else 0

    @cached_property
    def ids(self) -> list[str]:
        """The id that belongs to each position."""
        return [record_id(at + 1) for at in range(len(self.trace.records))]

    def candidate_in(self, first: int, end: int) -> int | None:
        """The first candidate at positions `first` to before `end`; None if there is none."""
        at = bisect.bisect_left(self._candidates, first)
        found = self._candidates[at : at + 1]
        return found[0] if found and found[0] < end else None

    def candidates_before(self, end: int) -> int:
        """How many candidates stand before position `end`."""
        return bisect.bisect_left(self._candidates, end)

    def known(self, event: Event[Any]) -> int:
        """How many records stand before the event."""
        return bisect.bisect_left(self.rebuild.appended, event.seq)

    @property
    def declared(self) -> bool:
        """Whether a harness of one's own declares its decisions."""
        return self.trace.declared

    def reading(self, event: Event[Any]) -> Reading:
        """The log as it was before the event; fastest when asked in order."""
        return self._reading.upto(self.known(event))

    @cached_property
    def _policy(self) -> Policy | None:
        """The policy that the trace names; None if it is not known here."""
        return policy_with_id(self.trace.start.components.get("policy", ""))

    @cached_property
    def pool_log(self) -> "PoolLog | None":
        """What is remembered of the log if the trace's policy is one of pools."""
        if self._policy is None or self._policy.pooling is None:
            return None
        from .pool_log import PoolLog

        return PoolLog(self.rebuild, self._policy)

    def entering(self, tool: str) -> "list[Truncation]":
        """The rules that the policy has for what a tool returns, at gate 1."""
        return [] if self.pool_log is None else self.pool_log.pooling.entering(tool)

    def ladder(self, event: Event[Manifest]) -> "Ladder | PoolLadder":
        """What this assembly must have decided; fastest when asked in order."""
        if self._ladder is None or self._ladder[0] != event.seq:
            self._ladder = event.seq, self._decided(event)
        return self._ladder[1]

    def _decided(self, event: Event[Manifest]) -> "Ladder | PoolLadder":
        most = self.trace.start.budget.get("max_messages")
        reading, limit, log = self.reading(event), event.data.limit, self.pool_log
        if log is None:
            return Ladder(self.rebuild, reading, limit, most, self._policy or NEWEST_FIRST)
        from .pool_ladder import PoolLadder

        return PoolLadder(log, reading, limit, most)

    def due(self, event: Event[Any]) -> "Due":
        """What this compaction must have been; fastest when asked in order."""
        if self._due is None or self._due[0] != event.seq:
            from .compaction_facts import Due

            self._due = event.seq, Due(self, event)
        return self._due[1]

    def said(self, event: Event[Any]) -> str:
        """A hash of what all records before the event say, whatever their ids are."""
        while len(self._said) < self.known(event):
            record = self.trace.records[len(self._said)]
            call = record.answers.call if record.answers is not None else None
            own = repr((attrs.evolve(record, id="", answers=None, replaces=None), call))
            self._said.append(sha256((self._said[-1] if self._said else "") + own))
        known = self.known(event)
        return self._said[known - 1] if known else ""

    def rebuilt(self, event: Event[Manifest]) -> Rebuilt:
        """The request of an assembly that was not refused, rebuilt once, with its sums."""
        if self._rebuilt is None or self._rebuilt[0] != event.seq:
            self._rebuilt = event.seq, Rebuilt(self.rebuild, event.data)
        return self._rebuilt[1]

    def facts(self, event: Event[Any], only: Collection[int] | None = None) -> dict[str, Fact]:
        """The event's fields by name; the decisions of an assembly by record, ranges expanded.

        `only` limits the decisions to the records at these positions.
        """
        found: dict[str, Fact] = {}
        data = converter.unstructure(event.data)
        if event.type == "context.assemble":
            data.pop("decisions", None)
        flatten("", data, found)
        if event.type == "context.assemble":
            for row in self.rebuild.rows(event.data, only):
                found |= {f"decisions.{row.record.id}.{k}": v for k, v in row_facts(row).items()}
        return found


def row_facts(row: TableRow) -> dict[str, Fact]:
    """The facts of one candidate's decision."""
    found: dict[str, Fact] = {"decision": row.decision, "reason": row.reason}
    if row.decision != "omitted":
        found["size"] = row.size
    for name in ONCE if row.record.id == row.entry.first else ():
        value = getattr(row.entry, name)
        if value is not None:
            found[name] = value
    return found


def flatten(prefix: str, value: Any, found: dict[str, Fact]) -> None:
    """Every leaf of a value under its name, those of lists under their places."""
    if isinstance(value, dict):
        for name, part in value.items():  # pyright: ignore[reportUnknownVariableType]
            flatten(f"{prefix}.{name}" if prefix else str(name), part, found)  # pyright: ignore
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            flatten(f"{prefix}.{number}", part, found)
    else:
        found[prefix] = value
