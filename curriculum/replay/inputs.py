"""The inputs of a run, as its trace shows them."""

from collections.abc import Sequence
from typing import Any

import attrs

from curriculum.agent.output import Output
from curriculum.agent.scripted import Turn
from curriculum.agent.thinking import Thinking
from curriculum.agent.tools import ToolOutput
from curriculum.record.records import Kind, Record, ToolSpec
from curriculum.trace.causes import Cause
from curriculum.trace.reader import Trace

SEQUENCES = ("prompt", "response", "history")
"""Inputs that are lists: where one comes or goes, the list is put back as a whole."""


@attrs.frozen
class Inputs:
    """Everything that a run was given. `outputs` has the tools' outputs that were not cut.

    `script` is how many turns the script had, where an error says so.
    """

    session: str
    limits: dict[str, int]
    max_turns: int
    system: str
    tools: tuple[ToolSpec, ...]
    prompts: tuple[str, ...]
    turns: tuple[Turn, ...]
    history: tuple[Record, ...]
    outputs: dict[int, ToolOutput]
    script: int | None


def inputs_of(trace: Trace) -> Inputs:
    """The inputs that `trace` shows."""
    start = trace.start
    own = trace.records[start.history :]
    texts = {record.source: record.text for record in own}
    said, thought = _said(trace)
    for event in trace.of("artifact.store"):  # with a store it stands before the record
        if event.seq in said:
            said.setdefault(event.cause, said[event.seq])
    answers = list(trace.of("model.response"))
    turns = tuple(_turn(e.data, said.get(e.seq), thought.get(e.seq, ())) for e in answers)
    outputs: dict[int, ToolOutput] = {}
    for at, event in enumerate(trace.of("tool.result")):
        record = said.get(event.seq)
        if record is not None and record.cut is None:
            outputs[at] = ToolOutput(record.text, event.data.failed, event.data.trust)
    errors = [e.data.params.get("expected") for e in trace.of("error")]
    return Inputs(
        session=start.session,
        limits=start.budget,
        max_turns=start.max_turns,
        system=texts.get("system_prompt", ""),
        tools=next((record.tools for record in own if record.source == "registry"), ()),
        prompts=tuple(record.text for record in own if record.source == "prompt"),
        turns=turns,
        history=trace.records[: start.history],
        outputs=outputs,
        script=next((n for n in errors if isinstance(n, int)), None),
    )


def _said(trace: Trace) -> tuple[dict[int | None, Record], dict[int | None, list[Record]]]:
    """The record that each event led to, and what the model had thought before it."""
    said, thought = dict[int | None, Record](), dict[int | None, list[Record]]()
    roots: dict[int | None, int | None] = {}
    for event in trace.of("record.append"):
        root = roots.get(event.cause, event.cause)
        if event.data.kind is Kind.THINKING:
            roots[event.seq] = root
            thought.setdefault(root, []).append(event.data)
        else:
            said[root] = event.data
    return said, thought


def _turn(said: Any, record: Record | None, thought: Sequence[Record]) -> Turn:
    """The turn that gives this response again; a half-written call by its length only."""
    text, calls = (record.text, record.calls) if record is not None else ("", ())
    pieces: list[str] = []
    rest = text
    for length in said.deltas:
        pieces.append(rest[:length])
        rest = rest[length:]
    thinking = tuple(Thinking(one.text, one.native) for one in thought)
    made = Output(text, calls, said.finish, tuple(pieces), "?" * said.half_call, thinking)
    return Turn(**{field.name: getattr(made, field.name) for field in attrs.fields(Output)})


def grouped(causes: tuple[Cause, ...]) -> list[tuple[Cause, ...]]:
    """The causes, those together that cannot be put back one by one."""
    groups: list[tuple[Cause, ...]] = []
    for kind in SEQUENCES:
        same = tuple(cause for cause in causes if _kind(cause) == kind)
        if any(cause.whole or cause.key[0] == "start" for cause in same):
            groups.append(same)
    taken = {cause.key for group in groups for cause in group}
    return [*groups, *((cause,) for cause in causes if cause.key not in taken)]


def _kind(cause: Cause) -> str:
    return "history" if cause.key == ("start", "history", 0) else cause.key[0]
