"""Which rule each field follows. A test holds that no field of any event is left out."""

from typing import Any

from curriculum.record.records import Answers, Kind, Trust

from .bands import BAND, band
from .branch_laws import branch_records
from .compaction_laws import compact_fact, summary_label
from .facts import Place, View, pattern
from .pool_rules import POOL_RULES
from .reader import Event
from .rules import (
    UNKNOWN,
    Derivation,
    Operand,
    Rule,
    candidates,
    copy_of,
    cut_size,
    decision,
    from_cause,
    from_start,
    kept,
    kept_end,
    missing,
    operand,
    refused,
    request_sum,
    result_text,
    room,
    stop_reason,
)


def _input(words: str) -> Rule:
    return Rule("input", words)


def _copy(derive: Any, words: str = "repeats what it was computed from") -> Rule:
    return Rule("copy", words, 0, derive)


def _kind_of_cause(view: View, event: Event[Any], field: str) -> Derivation:
    cause = view.event(event.cause) if event.cause else None
    if cause is None or cause.type != "record.append":
        return Derivation(())
    value = "tool-results" if cause.data.kind is Kind.RESULT else "user"
    if cause.cause and view.event(cause.cause).type == "context.compact":
        value = "continue"
    return Derivation((operand(view, "kind", cause.seq, "kind"),), "", value)


def _requests_so_far(view: View, event: Event[Any], field: str) -> Derivation:
    sent = view.ordinal(event, "model.request")
    return Derivation((), f"{sent} model.request events", sent)


def _said(field: str) -> Any:
    def find(view: View, event: Event[Any]) -> Any:
        turn = next(iter(view.turn_of(event)), None)
        if turn is None:
            return None
        found = operand(view, field, turn.seq, field)
        return type(found)(field, len(found.value), found.place)  # pyright: ignore

    return copy_of(find)


def _handle(view: View, event: Event[Any], field: str) -> Derivation:
    data = event.data
    digits = max(8, len(data.artifact) - 1)
    return Derivation(
        (operand(view, "sha256", event.seq, "sha256"),), "", f"a{data.sha256[:digits]}"
    )


def _handle_of(view: View, event: Event[Any], field: str) -> Derivation:
    """None where nothing was stored: then the trace says that the bytes are gone."""
    stored = view.before(event, "artifact.store")
    if stored is None:
        return Derivation((), "", None)
    found = operand(view, "artifact.store artifact", stored.seq, "artifact")
    return Derivation((found,), "", found.value)


def _ceiling(view: View, event: Event[Any]) -> Operand:
    name = view.trace.start.ceiling
    return operand(view, name, 1, f"budget.{name}")


def _unit(view: View, event: Event[Any], field: str) -> Derivation:
    counter = operand(view, "counter", 1, "components.counter")
    return Derivation((counter,), "", view.rebuild.counter.unit)


def _bound(view: View, event: Event[Any], field: str) -> Derivation:
    counter = operand(view, "counter", 1, "components.counter")
    return Derivation((counter,), "", view.bound)


def call_in_order(view: View, event: Event[Any], field: str) -> Derivation:
    """The next call of the turn; one that got its result without having run is passed over."""
    cause = event.cause or 0
    asked = [e for e in view.effects.get(cause, []) if e.type == "tool.request"]
    if event not in asked or view.event(cause).type != "record.append":
        return Derivation(())
    must = 1 + max((e.data.call for e in asked if e.seq < event.seq), default=-1)
    first, known = view.known(view.event(cause)), view.known(event)
    answers = [r.answers for r in view.trace.records[first:known] if r.answers is not None]
    while Answers(event.data.record, must) in answers:
        must += 1
    return Derivation((), "", must)


def _called(view: View, event: Event[Any], field: str) -> Derivation:
    """The name in the call that a tool event is about."""
    where: Any = event.data
    if event.type == "tool.result":
        seen = event.seq
        while view.event(seen).type != "record.append" and seen < len(view.trace.events):
            seen += 1
        where = view.event(seen).data.answers if view.event(seen).type == "record.append" else None
    if where is None:
        return Derivation(())
    call = view.rebuild.call(Answers(where.record, where.call))
    found = Operand("call", call.name if call else "", Place(view.appended(where.record), "calls"))
    return Derivation((found,), "", found.value)


def _failure(view: View, event: Event[Any], field: str) -> Derivation:
    """The words follow from the call and the code, not from the tool."""
    asked = view.before(event, "tool.request")
    if asked is None:
        return Derivation(())
    call = view.rebuild.call(Answers(asked.data.record, asked.data.call))
    spelled = f"{call.name} {call.arguments}" if call else ""
    offered = repr(view.rebuild.offered(event.seq))
    code = Operand("failure", event.data.failed, Place(event.seq, "failed"))
    tools = Operand("tools on offer", offered, Place(event.seq, "failed"))
    return Derivation((Operand("call", spelled, Place(asked.seq, "record")), code, tools))


def _param(view: View, event: Event[Any], field: str) -> Derivation:
    """A script that is too short or too long says how many requests there were."""
    sent = view.ordinal(event, "model.request") - view.shared(event)
    known: dict[str, int] = {}
    if event.data.code == "script-exhausted":
        known = {"params.index": sent - 1, "params.expected": sent - 1, "params.got": sent}
    elif event.data.code == "script-not-finished":
        known = {"params.index": sent, "params.got": sent}
    elif event.data.code == "expectation-failed":
        known = {"params.index": sent - 1}
    return Derivation((), f"{sent} requests", known.get(field, UNKNOWN))


def _tool_ceiling(view: View, event: Event[Any], field: str) -> Derivation:
    """What bound at gate 1: the tool ceiling, or a rule that the policy has for the tool."""
    data, made = event.data, view.before(event, "tool.result")
    rules = [(r.most, r.unit) for r in view.entering(made.data.tool if made else "")]
    if (data.limit, data.unit) in rules and data.reason == "ingest-rule":
        return Derivation((), "a rule of the policy for this tool", getattr(data, field))
    limit = view.trace.start.budget.get("max_tool_output_chars")
    values: dict[str, int | str | None] = {"reason": "tool-ceiling", "limit": limit, "unit": None}
    return Derivation((), "", values[field])


_LABELS: tuple[str, ...] = ("kind", "trust", "author", "source")


def _label(view: View, event: Event[Any], field: str) -> Derivation:
    """What a run writes itself carries the labels of who wrote it."""
    cause = view.event(event.cause) if event.cause else None
    said: tuple[str, str, str, str] | None = None
    given: list[Operand] = []
    if cause is not None and cause.type in ("model.response", "record.append"):
        kind = "thinking" if event.data.kind is Kind.THINKING else "assistant"
        said = (kind, "assistant", "model", "model")
    elif cause is not None and cause.type.startswith(("tool.", "artifact.")):
        result = cause if cause.type == "tool.result" else view.before(cause, "tool.result")
        trust = result.data.trust or Trust.TOOL if result else Trust.TOOL
        said = ("result", trust, "tool", f"tool:{result.data.tool if result else ''}")
        if result and field == "trust":
            given = [Operand("trust of the output", trust, Place(result.seq, "trust"))]
    if cause is None or said is None:
        return Derivation(())
    # Whatever else such a record carries is none of a result's or a turn's fields.
    labels: dict[str, str] = dict(zip(_LABELS, said, strict=True))
    value = labels.get(field)
    by = Operand("cause", cause.type, Place(cause.seq, "type"))
    return Derivation((by, *given), "", value)


REQUEST = "frame + sizes of what is sent = size of the request <= limit"
CEILING = "kept + marker <= max_tool_output_chars"
_TABLE: dict[tuple[str, str], Rule] = {
    ("session.start", "session"): _input("the session's name"),
    ("session.start", "parent"): _input("the parent session"),
    ("session.start", "budget.*"): _input("the budget"),
    ("session.start", "max_turns"): _input("the turn limit"),
    ("session.start", "history"): _input("the history"),
    ("session.start", "components.*"): _input("a component's version"),
    ("session.branch", "session"): _input("the branch's name"),
    ("session.branch", "parent"): _input("the session it goes on from"),
    ("session.branch", "at"): _input("the place it goes on from"),
    ("session.branch", "records"): Rule("derived", "records up to the place", 0, branch_records),
    ("context.assemble", "trigger"): Rule("derived", "what caused the turn", 0, _kind_of_cause),
    ("context.assemble", "policy"): _copy(from_start("components.policy")),
    ("context.assemble", "wire"): _copy(from_start("components.wire")),
    ("context.assemble", "counter"): _copy(from_start("components.counter")),
    ("context.assemble", "unit"): Rule("derived", "what the counter counts", 2, _unit),
    ("context.assemble", "bound"): Rule("derived", "what the counter can prove", 2, _bound),
    ("context.assemble", "limit"): _copy(copy_of(_ceiling)),
    ("context.assemble", "reserve"): _copy(from_start("budget.output_reserve")),
    ("context.assemble", "candidates"): Rule("derived", "records - opaque", 3, candidates),
    ("context.assemble", "room"): Rule("derived", "limit - frame - protected", 6, room),
    **{
        ("context.assemble", name): Rule("derived", REQUEST, law, request_sum)
        for name, law in (("frame", 3), ("size", 3), ("bytes", 3), ("messages", 3))
    },
    ("context.assemble", "band"): Rule("derived", BAND, 6, band),
    ("context.assemble", "fingerprint"): Rule("derived", "sha256 of the bytes", 7, request_sum),
    ("context.assemble", "decisions.*.*"): Rule("derived", "", 6, decision),
    **{("context.assemble", name): rule for name, rule in POOL_RULES.items()},
    ("context.assemble", "refused.*"): Rule(
        "derived", "frame + parts = needed > limit", 2, refused
    ),
    ("context.compact", "trigger"): _input("what made the compaction due"),
    ("context.compact", "outcome"): _input("the summary"),
    ("context.compact", "after"): _input("the summary"),
    ("context.compact", "lost.*"): _input("the summary"),
    ("context.compact", "code"): _input("the summary"),
    **{
        ("context.compact", name): Rule("derived", words, law, compact_fact)
        for name, words, law in (
            ("limit", "the limit that was passed", 6),
            ("measured", "what is over the limit", 6),
            ("replaces.first", "the oldest that may be replaced", 6),
            ("replaces.last", "the last before the recent exchanges", 6),
            ("replaces.but.*", "what stays beside the summary", 6),
            ("records", "how many records are replaced", 3),
            ("sha256", "sha256 of what is replaced", 7),
            ("before", "what the replaced exchanges take", 3),
            ("told", "what the policy tells whoever writes the summary", 7),
            ("size", "frame + what is shown", 3),
            ("bytes", "bytes of the request for the summary", 7),
            ("fingerprint", "sha256 of the request for the summary", 7),
        )
    },
    ("context.mode", "mode"): _input("the mode"),
    ("context.mode", "was"): _input("the mode before"),
    ("model.request", "fingerprint"): _copy(from_cause("context.assemble", "fingerprint")),
    ("model.request", "bytes"): _copy(from_cause("context.assemble", "bytes")),
    ("model.request", "messages"): _copy(from_cause("context.assemble", "messages")),
    ("model.response", "finish"): _input("the model's turn"),
    ("model.response", "text"): _copy(_said("text")),
    ("model.response", "calls"): _copy(_said("calls")),
    ("model.response", "deltas.*"): _input("the model's turn"),
    ("model.response", "half_call"): _input("the model's turn"),
    ("tool.request", "record"): _copy(from_cause("record.append", "id")),
    ("tool.request", "call"): Rule("derived", "calls run in order", 5, call_in_order),
    ("tool.request", "tool"): Rule("derived", "the name in the call", 5, _called),
    ("tool.result", "tool"): Rule("derived", "the name in the call", 5, _called),
    ("tool.result", "size"): _input("the tool's output"),
    ("tool.result", "sha256"): _input("the tool's output"),
    ("tool.result", "trust"): _input("the tool's output"),
    ("tool.result", "failed"): Rule("derived", "the code that the text begins with"),
    ("tool.truncate", "reason"): Rule("derived", CEILING, 6, _tool_ceiling),
    ("tool.truncate", "limit"): _copy(from_start("budget.max_tool_output_chars")),
    ("tool.truncate", "unit"): Rule("derived", "the unit of the policy's rule", 6, _tool_ceiling),
    ("tool.truncate", "kept"): Rule("derived", CEILING, 6, kept),
    ("tool.truncate", "missing"): Rule("derived", "original - kept = missing", 6, missing),
    ("tool.truncate", "size"): Rule("derived", CEILING, 2, cut_size),
    ("artifact.store", "artifact"): Rule("derived", "a + first digits of the sha256", 9, _handle),
    ("artifact.store", "size"): _copy(from_cause("tool.result", "size")),
    ("artifact.store", "sha256"): _copy(from_cause("tool.result", "sha256")),
    ("error", "code"): Rule("derived", "what went wrong"),
    ("error", "params.*"): Rule("derived", "what went wrong", 0, _param),
    ("session.stop", "reason"): Rule("derived", "agrees with the events before it", 0, stop_reason),
    ("session.stop", "turns"): Rule("derived", "requests sent", 0, _requests_so_far),
}
_STORED = Rule("copy", "the handle under which a store keeps the whole", 9, _handle_of)
_RESULT: dict[str, Rule] = {
    "text": Rule("derived", "the whole output", 6, result_text),
    "cut.head": Rule("derived", CEILING, 6, kept_end),
    "cut.tail": Rule("derived", CEILING, 6, kept_end),
    "cut.original": _copy(from_cause("tool.result", "size")),
    "cut.sha256": _copy(from_cause("tool.result", "sha256")),
    "cut.artifact": _STORED,
    "artifact": _STORED,
    "answers.record": _copy(from_cause("tool.request", "record")),
    "answers.call": _copy(from_cause("tool.request", "call")),
}
_INPUTS = {
    "system_prompt": "the system text",
    "prompt": "the user's text",
    "registry": "the tools on offer",
    "summary": "the summary",
    "model": "the model's turn",
}
SCRIPT = ("script-exhausted", "script-not-finished", "expectation-failed")
_SCRIPT = _input("the script")
_FAILURE = Rule("derived", "the harness's own words for a failed call", 6, _failure)
LISTS = ("refused.", "smaller.", "rungs.", "pools.", "front.", "back.")
"""Fields of an assembly that have fields of their own, which one rule says."""
_CHOICE = _input("the harness's own choice")
_DECLARED = Rule("derived", "what is sent of the record", 3)
_INGEST = Rule("derived", "the limit of the policy's rule", 6, _tool_ceiling)
_ID = Rule("copy", "the position in the log", 0)
_TAG = _input("the tool's own words for its result")
_SUMMARY = Rule("derived", "what it replaces says its label", 10, summary_label)
_LABEL = Rule("derived", "labels follow from who wrote it", 10, _label)


def rule_of(view: View, event: Event[Any], field: str) -> Rule:
    """The rule for one fact of one event. Raises KeyError for a field the table does not know."""
    told = event.type == "tool.result" and event.data.failed and field in ("size", "sha256")
    if told and "harness" not in view.trace.start.components:  # that has words of its own
        return _FAILURE
    if event.type == "tool.truncate" and event.data.unit is not None and field == "limit":
        return _INGEST
    if event.type == "error" and event.data.code in SCRIPT and field == "params.expected":
        return _SCRIPT
    if event.type != "record.append":
        name = pattern(field)
        if name.startswith("replaces.but."):
            name = "replaces.but.*"
        elif name.startswith(("budget.", "components.", "params.")):
            name = f"{name.split('.')[0]}.*"
        elif name.startswith("decisions."):
            if view.declared:
                return _DECLARED if name.endswith((".size", ".missing")) else _CHOICE
            name = "decisions.*.*"
        elif name.startswith(LISTS):
            name = f"{name.split('.')[0]}.*"
        return _TABLE[event.type, name]
    if field == "id":
        return _ID
    cause = view.event(event.cause) if event.cause else None
    if cause is not None and cause.type == "context.compact" and field != "text":
        return _SUMMARY
    if cause is not None and cause.type.startswith(("tool.", "artifact.")):
        return _TAG if field.startswith("tags.") else _RESULT.get(field, _LABEL)
    if field in ("kind", "trust", "author", "source"):
        return _LABEL
    return _input(_INPUTS.get(event.data.source, "a record of the history"))
