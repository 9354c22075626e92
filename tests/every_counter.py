"""One run on every wire under every counter, for processes that have no test library.

`lines` gives the fingerprint of each trace. The run has a history of another provider, with a
picture, a memory, blank words and thinking; its results are cut, in texts of many scripts.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.thinking import Thinking
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.count.registry import counter_of
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.records import Author, Image, Kind, Native, Record, Trust
from curriculum.trace.recorder import Recorder
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

PURE = (
    *("chars@1", "bytes@1", "bytes@1:qwen3", "bytes@1:claude-4.7", "bytes@1:gemma"),
    *("fallback@1:llama3", "calibrated@1:o200k", "calibrated@1:claude-4.7"),
    "bytes@1:claude-4.7;reply=0;preamble=804;images=anthropic-high",
    "calibrated@1:gemma;reply=7;preamble=118;images=gemini-tiles",
)
"""Counters that need nothing but this package."""
EXACT = (
    *("exact@1:o200k", "exact@1:qwen3", "exact@1:mistral-spm"),
    "exact@1:deepseek-v3;reply=1;preamble=95;images=none",
)
"""Counters of the exact extra."""
BLOCK = '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}'
TEXT = "row 1: caf\u00e9 \u4e2d\u6587 \u0915\u094d\u0937 \U0001f469\u200d\U0001f469 \U0001d160\n"


def _record(number: int, kind: str, trust: str, text: str, **more: Any) -> Record:
    fields = {"author": Author.HARNESS, "source": "test", "text": text, **more}
    return Record(f"r{number:04d}", Kind(kind), Trust(trust), **fields)


def history() -> list[Record]:
    """The end of a session of Anthropic's wire."""
    return [
        _record(1, "memory", "external", "likes tea"),
        _record(2, "image", "user", "iVBORw0KGgo=", image=Image("image/png", 640, 480)),
        _record(3, "user", "user", " \n"),
        _record(4, "thinking", "assistant", "Hm.", native=Native("anthropic-messages", BLOCK)),
        _record(5, "assistant", "assistant", "A cat."),
    ]


def trace_of(wire: Wire, counter: str) -> str:
    """The trace of one run, as text."""
    measure, recorder = counter_of(counter), Recorder()
    limits = {f"max_input_{measure.unit}": 1_100 if measure.unit == "chars" else 3_000}
    thought = Thinking("Hm.", Native("anthropic-messages", BLOCK))
    reads = Turn(calls=[call("read"), call("look")], thinking=[thought])
    turns = [Turn("A cat."), reads, reads, Turn("Done.")]
    AgentRunner(
        model=ScriptedModel(turns),
        tools=[Tool("read", lambda: TEXT * 400, "Reads."), Tool("look", lambda: "ok")],
        trace=recorder,
        system_prompt="Be brief.",
        budget=ContextBudget(**limits, output_reserve=99, max_tool_output_chars=9_000),
        wire=wire,
        counter=measure,
        store=ArtifactStore(),
        history=history(),
    ).run("What is in the picture?", "Read the file.")
    return recorder.text()


def lines(counters: Iterable[str]) -> list[str]:
    """A fingerprint for each wire and counter."""
    ids = list(counters)
    return [
        f"{hashlib.sha256(trace_of(wire, id).encode()).hexdigest()} {wire.id} {id}"
        for wire in every_wire()
        for id in ids
    ]
