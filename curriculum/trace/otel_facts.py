"""What one event of a trace says in an OpenTelemetry export, without the words of anybody.

A fact is the name of an attribute and its value. Texts of records are content, and content is
written only when it is asked for; sizes, hashes and ids always are.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from curriculum.context.manifest import Manifest
from curriculum.record.cut import content_size
from curriculum.record.records import Record
from curriculum.record.text import sha256

from . import otel_names as n
from .otel_values import Json
from .reader import Event
from .recorder import converter

SAID = ("text", "cut", "calls", "tools")
"""The fields of a record that hold its content."""
NESTED = ("answers", "refused")
"""Fields whose own fields are facts by themselves."""


def facts_of(event: Event[Any], content: bool) -> Json:
    """The event's place in the trace, and its fields under our own names."""
    place: Json = {n.SEQ: event.seq, n.TURN: event.turn}
    if event.cause is not None:
        place[n.CAUSE] = event.cause
    if event.uses:
        place[n.USES] = list(event.uses)
    data: Json = converter.unstructure(event.data)
    if event.type == "record.append":
        return {**place, **_record(event.data, data, content)}
    if event.type == "context.assemble":
        data.pop("decisions", None)
        data.get("refused", {}).pop("parts", None)
    return {**place, **_named(n.FIELDS[event.type], data)}


def counts_of(manifest: Manifest, opaque: Sequence[int], results: Sequence[int]) -> Json:
    """How many candidates got each decision; nothing for a refused assembly.

    `opaque` are the numbers of the records that are never candidates, `results` those of results,
    in order: a range is counted by its ends, so a late assembly costs what an early one does.
    """
    if manifest.refused is not None:
        return {}
    counts: Counter[str] = Counter()
    for entry in manifest.decisions:
        first = int(entry.first[1:])
        last = int((entry.last or entry.first)[1:])
        never = bisect_right(opaque, last) - bisect_left(opaque, first)
        those = last - first + 1 - never
        if entry.beside is not None:  # what is no result stands whole in such a range
            bare = bisect_right(results, last) - bisect_left(results, first)
            counts["admitted"] += those - bare
            those = bare
        counts[entry.decision] += those
    return {name: counts[decision] for decision, name in n.COUNTS.items()}


def entries_of(manifest: Manifest, content: bool) -> Iterator[tuple[str, Json]]:
    """Each entry of the decisions, and each part of what did not fit: event name and facts.

    What stands for a replaced content is content itself: without, its characters and its hash.
    """
    for entry in manifest.decisions:
        facts = _named(n.DECISION, converter.unstructure(entry))
        if entry.text is not None and not content:
            del facts[n.STANDS]
            facts |= {n.STANDS_SIZE: len(entry.text), n.STANDS_SHA256: sha256(entry.text)}
        yield n.DECISION, facts
    for need in manifest.refused.parts if manifest.refused else ():
        yield n.NEED, _named(n.NEED, converter.unstructure(need))


def _named(prefix: str, data: Json) -> Json:
    """The fields under their names; lists and open-ended mappings stay one value."""
    facts: Json = {}
    for field, value in data.items():
        if field in NESTED:
            facts |= _named(f"{prefix}.{field}", value)
        else:
            facts[f"{prefix}.{field}"] = value
    return facts


def _record(record: Record, data: Json, content: bool) -> Json:
    prefix, cut = n.FIELDS["record.append"], record.cut
    said = {field: data.pop(field) for field in SAID if field in data}
    facts = _named(prefix, data)
    facts[n.SIZE] = len(record.text) if cut is None else content_size(cut)
    if cut is not None:
        kept = {"head": len(cut.head), "tail": len(cut.tail)}
        facts |= _named(f"{prefix}.cut", {**said["cut"], **kept})
    for name, held in ((n.CALLS, record.calls), (n.TOOLS, record.tools)):
        if held:
            facts[name] = len(held)
    if content and said:
        facts[n.CONTENT] = said
    return facts
