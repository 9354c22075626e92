"""Inputs that changed. Each is named once, by the record that holds it, and told by its text.

A tool's output stands in the trace as a size and a hash; a person knows it by the text that the
log keeps of it, or by the end of it that gate 1 left.
"""

from typing import Any

import attrs

from curriculum.record.records import Record, ToolSpec

from .diff import Diff, Difference
from .facts import Fact, View
from .naming import decided, named
from .quoting import from_there, parted, up_to
from .reader import Event
from .rule_table import rule_of

Key = tuple[str, str, int]


@attrs.frozen
class Cause:
    """An input that changed: its name, where it stands, and both values.

    `key` is what a rerun needs to put it back: the kind of input, and the field or the ordinal.
    `whole` says that the whole event stands on one side only: something came or went. `place` is
    the field for people, `more` how many further fields of this input differ, and `note` is said
    where the two values alone would not tell a person what has changed. `request` is the request
    that a harness's own choice was about, `others` how many further records it was about.
    """

    words: str
    field: str
    expected: Fact | None
    got: Fact | None
    key: Key
    whole: bool = False
    place: str = ""
    request: int = 0
    more: int = 0
    note: str = ""
    others: int = 0


def causes_of(diff: Diff, changed: list[tuple[Difference, str]]) -> tuple[Cause, ...]:
    """The inputs that changed, in order, from the fields of them that differ and their names."""
    groups: dict[Key, list[tuple[Difference, str]]] = {}
    keys: dict[tuple[bool, int], Key] = {}
    for difference, words in changed:
        view, event = side(diff, difference)
        at = (difference.left is None, event.seq)
        key = keys.get(at) or _key(view, event, difference.field)
        if event.type != "session.start":
            keys[at] = key
        groups.setdefault(key, []).append((difference, words))
    return tuple(_cause(diff, key, group) for key, group in groups.items())


def side(diff: Diff, difference: Difference) -> tuple[View, Event[Any]]:
    """The side on which the event stands; the expected one if it stands on both."""
    if difference.left is not None:
        return diff.left, difference.left
    assert difference.right is not None
    return diff.right, difference.right


def _cause(diff: Diff, key: Key, group: list[tuple[Difference, str]]) -> Cause:
    # Lengths of deltas follow from what was said, so what was said is told if it differs too.
    told = [one for one in group if not one[0].field.startswith("deltas.")] or group
    both = [one for one in told if one[0].left is not None and one[0].right is not None]
    whole = group[0][0].left is None or group[0][0].right is None
    (difference, words), more = group[0], len(told) - 1
    if not whole and both:
        difference, words = both[0]
    view, event = side(diff, difference)
    name = _name(view, event)
    field = f"{name} {difference.field}".strip()
    place = _place(view, diff.right, event, difference.field)
    found = Cause(words, field, difference.expected, difference.got, key, whole, place)
    if whole:
        return found
    if event.type == "tool.result" and difference.field != "trust":
        return _output(diff, difference, found)
    if event.type == "context.assemble":
        return _choice(found, key[2] + 1, [one.field for one, _ in group])
    note = _tools(difference) if difference.field.startswith("tools.") else ""
    if note:
        return attrs.evolve(found, place=named(view, event), note=note)
    return attrs.evolve(found, more=max(0, more))


def _choice(cause: Cause, request: int, fields: list[str]) -> Cause:
    """A harness's own choice: further fields of the same decision, and further records."""
    records = [field.split(".")[1] for field in fields]
    more = records.count(records[0]) - 1
    return attrs.evolve(cause, request=request, more=more, others=len(set(records)) - 1)


def _key(view: View, event: Event[Any], field: str) -> Key:
    """What a rerun puts the input back by."""
    if event.type == "session.start":
        return "start", field, 0
    if event.type != "record.append":
        return event.type.split(".")[-1], "", view.ordinal(event)
    at = view.known(event)
    if at < view.trace.start.history:
        return "history", "", at
    cause = view.event(event.cause or 1)
    while cause.type == "record.append" and cause.cause:  # what was thought before it was said
        cause = view.event(cause.cause)
    if cause.type == "model.response":
        return "response", "", view.ordinal(cause)
    source = event.data.source
    kind: str = "system" if source == "system_prompt" else source
    own = [r for r in view.trace.records[view.trace.start.history : at] if r.source == source]
    return kind, "", len(own) if kind == "prompt" else 0


def _name(view: View, event: Event[Any]) -> str:
    """The input's name in the trace; empty where its field says all."""
    if event.type == "session.start":
        return ""
    if event.type == "record.append":
        return event.data.id
    return f"{event.type} {view.ordinal(event) + 1}"


def _place(view: View, other: View, event: Event[Any], field: str) -> str:
    if event.type == "session.start":
        return field.removeprefix("budget.")
    if event.type == "context.assemble" and field.startswith("decisions."):
        _, record, what = field.split(".")
        return f"{decided(view, other, record, turn=False)}: {what}"
    if event.type != "record.append":
        return f"{_name(view, event)} {field}".strip()
    parts = field.split(".")
    if parts[0] == "tools" and len(parts) == 3:
        tools: tuple[ToolSpec, ...] = event.data.tools
        if int(parts[1]) < len(tools):
            field = f"tools.{parts[1]} ({tools[int(parts[1])].name}) {parts[2]}"
    return f"{named(view, event)} {field}".strip()


def _output(diff: Diff, difference: Difference, cause: Cause) -> Cause:
    """A tool's output by what the log keeps of it; as the trace has it if nothing is kept."""
    assert difference.left is not None
    assert difference.right is not None
    left = _record_of(diff.left, difference.left)
    right = _record_of(diff.right, difference.right)
    if left is None or right is None:
        return cause
    where = named(diff.left, left)
    field, expected, got, note = _kept(left.data, right.data)
    if not field:
        return attrs.evolve(cause, place=where, note=note)
    return attrs.evolve(
        cause,
        field=f"{left.data.id} {field}",
        place=f"{where} text",
        expected=expected,
        got=got,
        note=note,
    )


def _record_of(view: View, event: Event[Any]) -> Event[Any] | None:
    """The `record.append` that a tool's result led to: at once, or after it was kept or cut."""
    for effect in view.effects.get(event.seq, []):
        if effect.type == "record.append":
            return effect
        if effect.type in ("artifact.store", "tool.truncate"):
            return _record_of(view, effect)
    return None


def _kept(left: Record, right: Record) -> tuple[str, str, str, str]:
    """The field in which two kept outputs differ, its values, and what is said of a cut one."""
    ours, theirs = left.whole(), right.whole()
    if not ours.missing and not theirs.missing:
        return "text", ours.head, theirs.head, ""
    sizes = f"{ours.original} -> {theirs.original} characters"
    at, most = parted(ours.head, theirs.head), min(len(ours.head), len(theirs.head))
    if at < most:
        quoted = from_there(ours.head, theirs.head, at)
        note = f"{sizes}; the kept heads part at character {at + 1}: {quoted}"
        return "cut.head", ours.head, theirs.head, note
    # Tails are read from the end: there both outputs are at the same place, whatever came before.
    # What was not cut has its tail in its text.
    a, b = ours.tail if ours.missing else ours.head, theirs.tail if theirs.missing else theirs.head
    most = min(len(a), len(b))
    at = parted(a[::-1], b[::-1])
    if at < most:
        quoted = up_to(a, b, at)
        note = f"{sizes}; read from the end, the kept tails part at character {at + 1}: {quoted}"
        return "cut.tail", a[len(a) - most :], b[len(b) - most :], note
    return "", "", "", f"{sizes}; all that differs lies in the part that gate 1 cut away"


def _tools(difference: Difference) -> str:
    """Which tools came, went or moved; empty if only fields of tools differ."""
    assert difference.left is not None
    assert difference.right is not None
    left: dict[str, ToolSpec] = {tool.name: tool for tool in difference.left.data.tools}
    right: dict[str, ToolSpec] = {tool.name: tool for tool in difference.right.data.tools}
    sizes = len(difference.left.data.tools), len(difference.right.data.tools)
    if sizes != (len(left), len(right)):
        return ""  # two of one name: nobody can say which of them came
    ours, theirs = [n for n in left if n in right], [n for n in right if n in left]
    new, gone = [n for n in right if n not in left], [n for n in left if n not in right]
    said = [f"added {', '.join(new)}"] if new else []
    said += [f"removed {', '.join(gone)}"] if gone else []
    said += [f"reordered {', '.join(ours)} -> {', '.join(theirs)}"] if ours != theirs else []
    other = [name for name in ours if left[name] != right[name]]
    said += [f"changed {', '.join(other)}"] if said and other else []
    return "; ".join(said)


def input_name(diff: Diff, difference: Difference) -> str | None:
    """The name of the input that the difference is; None if it follows from something."""
    if difference.rule is not None:
        return difference.rule.words if difference.rule.kind == "input" else None
    view, event = side(diff, difference)
    if event.type == "model.response":
        return "the model's turn"
    if event.type != "record.append":
        return None
    rule = rule_of(view, event, "text")
    return rule.words if rule.kind == "input" else None
