"""What a tool gave may be trusted less than a tool's text, and never more.

The label goes with the text: into the log, into the store, and out of it again in a later run.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curriculum.agent.own_loop import Recording
from curriculum.agent.read_artifact import read_artifact
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool, ToolOutput, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.record.artifact_folder import ArtifactFolder
from curriculum.record.artifacts import ArtifactError, Artifacts, ArtifactStore
from curriculum.record.law import LawBroken
from curriculum.record.records import Call, Kind, Record, Trust
from curriculum.replay.inputs import inputs_of
from curriculum.trace.events import Stop
from curriculum.trace.explain import explain
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.view.events import SAYS

from .traces import broken

TEXT = "row. " * 100
DONE = Turn("Done.")
READ = Turn(calls=[call("read")])


def run(turns: list[Turn], *tools: Tool, **how: Any) -> Trace:
    return Trace.parse(run_text(turns, *tools, **how))


def run_text(
    turns: list[Turn],
    *tools: Tool,
    store: Artifacts | None = None,
    ceiling: int | None = 100,
    history: tuple[Record, ...] = (),
) -> str:
    recorder = Recorder()
    runner = AgentRunner(
        model=ScriptedModel(turns),
        tools=tools,
        trace=recorder,
        budget=ContextBudget(max_input_chars=5000, max_tool_output_chars=ceiling),
        store=store,
        history=history,
    )
    runner.run("Go.")
    return recorder.text()


def tool(trust: Any, text: Any = TEXT) -> Tool:
    return Tool("read", lambda: ToolOutput(text, trust=trust))


def results(trace: Trace) -> list[Record]:
    return [record for record in trace.records if record.kind is Kind.RESULT]


class TestWhatAToolReturns:
    """A tool may lower the label of its text."""

    @pytest.mark.parametrize("trust", ["external", Trust.EXTERNAL])
    def test_a_lower_label_stays(self, trust: Any) -> None:
        found = ToolRegistry(tool(trust, "x\ud800")).call(Call("c1", "read"))
        assert ToolOutput("x\ufffd", None, Trust.EXTERNAL) == found

    @pytest.mark.parametrize("trust", [None, *list(Trust)[:-1]])
    def test_no_other_label_is_taken(self, trust: Any) -> None:
        """A tool cannot raise what it says."""
        assert ToolOutput("x") == ToolRegistry(tool(trust, "x")).call(Call("c1", "read"))

    def test_a_label_that_there_is_not(self) -> None:
        found = ToolRegistry(tool("root")).call(Call("c1", "read"))
        assert ToolOutput("tool-raised: read raised ValueError", "tool-raised") == found

    @pytest.mark.parametrize("value", [ToolOutput("x", "not-run"), ToolOutput(5)])  # pyright: ignore
    def test_a_failure_is_only_the_harnesss_to_tell(self, value: ToolOutput) -> None:
        found = ToolRegistry(Tool("read", lambda: value)).call(Call("c1", "read"))
        text = "bad-result: read returned ToolOutput, which is no text and no JSON"
        assert ToolOutput(text, "bad-result") == found


class TestInARun:
    """The log says it, the law checker follows it, and the store keeps it."""

    @pytest.mark.parametrize("ceiling", [None, 100])
    @pytest.mark.parametrize("stored", [False, True])
    def test_a_lower_label_enters_the_log(self, ceiling: int | None, stored: bool) -> None:
        store = ArtifactStore() if stored else None
        trace = run([READ, DONE], tool("external"), store=store, ceiling=ceiling)
        assert [] == broken(trace)
        (record,) = results(trace)
        assert ("external", "tool:read") == (record.trust, record.source)
        (event,) = trace.of("tool.result")
        assert "external" == event.data.trust
        assert SAYS["tool.result"](event.data).endswith(
            "returned 500 characters, trusted as external"
        )
        if store is not None:
            kept = store.describe(store.handles()[0])
            assert ("tool:read", "external", 500) == (kept.source, kept.trust, kept.characters)

    def test_an_ordinary_one_says_nothing_of_it(self) -> None:
        """Traces are spelled as they were."""
        store = ArtifactStore()
        trace = run([READ, DONE], tool(None), store=store)
        assert [] == broken(trace)
        (event,) = trace.of("tool.result")
        assert event.data.trust is None
        assert "tool" == results(trace)[0].trust == store.describe(store.handles()[0]).trust
        assert ["external"] == [
            record.trust for record in results(run([READ, DONE], tool("external"), store=store))
        ]
        assert "external" == store.describe(store.handles()[0]).trust

    @pytest.mark.parametrize(
        "edit",
        [
            lambda result, record: record.update(trust="tool"),
            lambda result, record: result.pop("trust"),
            lambda result, record: result.update(trust="tool"),
            lambda result, record: (result.update(trust="user"), record.update(trust="user")),
            lambda result, record: (result.update(trust="system"), record.update(trust="external")),
        ],
        ids=["the record alone", "no word of it", "the event alone", "both raised", "one raised"],
    )
    @pytest.mark.parametrize("stored", [False, True])
    def test_an_edit_of_it_breaks_law_10(
        self, edit: Callable[[dict[str, Any], dict[str, Any]], Any], stored: bool
    ) -> None:
        store = ArtifactStore() if stored else None
        text = run_text([READ, DONE], tool("external"), store=store)
        lines = [json.loads(line) for line in text.splitlines()]
        result = next(line["data"] for line in lines if line.get("type") == "tool.result")
        record = next(
            line["data"] for line in lines if line.get("data", {}).get("kind") == "result"
        )
        edit(result, record)
        changed = "".join(json.dumps(line) + "\n" for line in lines)
        assert {10} == {breach.law for breach in breaches(Trace.parse(changed))}

    def test_a_change_of_it_is_explained(self) -> None:
        found = explain(run([READ, DONE], tool(None)), run([READ, DONE], tool("external")))
        (cause,) = found.causes
        assert ("the tool's output", "tool.result 1 trust", None, "external", "") == (
            cause.words,
            cause.field,
            cause.expected,
            cause.got,
            cause.note,
        )
        assert found.first is not None
        assert ("trust of the output: tool -> external",) == found.first.chain
        assert found.invisible

    def test_it_is_put_back_with_the_output(self) -> None:
        """A rerun that puts an output back puts its label back too."""
        trace = run([READ, DONE], tool("external"), ceiling=None)
        assert {0: ToolOutput(TEXT, None, Trust.EXTERNAL)} == inputs_of(trace).outputs


class TestReadBack:
    """What comes out of a store is trusted no more than what went in."""

    @pytest.mark.parametrize(("trust", "label"), [(None, "tool"), ("external", "external")])
    def test_in_a_later_run_on_the_same_folder(
        self, tmp_path: Path, trust: str | None, label: str
    ) -> None:
        first = run([READ, DONE], tool(trust), store=ArtifactFolder(tmp_path))
        cut = results(first)[0].cut
        assert cut is not None
        store = ArtifactFolder(tmp_path)
        fetch = call("read_artifact", {"handle": cut.artifact, "start": 495, "unit": "characters"})
        turns = [Turn(calls=[fetch]), DONE]
        later = run(turns, read_artifact(store), store=store, history=first.records)
        assert [] == broken(later)
        record = results(later)[-1]
        assert f"{cut.artifact} characters 495 to 500 of 500\nrow. " == record.text
        assert (label, "tool:read_artifact") == (record.trust, record.source)
        assert record.artifact is not None
        assert label == store.describe(record.artifact).trust

    def test_a_text_that_is_trusted_more_is_a_tools_text_when_a_tool_reads_it(self) -> None:
        store = ArtifactStore()
        handle = store.put("x", trust=Trust.SYSTEM)
        found = ToolRegistry(read_artifact(store)).call(
            Call("c1", "read_artifact", json.dumps({"handle": handle}))
        )
        assert ToolOutput(f"{handle} lines 0 to 1 of 1\nx") == found

    def test_a_damaged_label_is_the_lowest(self, tmp_path: Path) -> None:
        store = ArtifactFolder(tmp_path)
        handle = store.put("x")
        (tmp_path / f"{handle}.json").write_text("{")
        found = ToolRegistry(read_artifact(store)).call(
            Call("c1", "read_artifact", json.dumps({"handle": handle}))
        )
        assert ToolOutput(f"{handle} lines 0 to 1 of 1\nx", None, Trust.EXTERNAL) == found

    @pytest.mark.parametrize("break_it", ["damage", "no folder"])
    def test_a_store_that_fails_is_told_by_a_code_and_without_a_path(
        self, tmp_path: Path, break_it: str
    ) -> None:
        place = tmp_path / "kept"
        place.mkdir()
        store = ArtifactFolder(place)
        handle = store.put("x")
        if break_it == "damage":
            (place / f"{handle}.txt").write_text("y")
        else:
            shutil.rmtree(place)
        found = ToolRegistry(read_artifact(store)).call(
            Call("c1", "read_artifact", json.dumps({"handle": handle}))
        )
        code = "artifact-damaged" if break_it == "damage" else "artifact-folder"
        assert ToolOutput(f"{code}: {handle}") == found


class TestAStoreThatFails:
    """A run whose store fails stops with the store's code, and its trace is lawful."""

    @pytest.mark.parametrize("calls", [1, 2])
    def test_the_run_ends_with_the_code(self, tmp_path: Path, calls: int) -> None:
        """What the harness says of the calls is long enough to be stored, and is not."""
        place, name = tmp_path / "kept", "read_what_is_long_enough"
        place.mkdir()
        recorder = Recorder()

        def read() -> str:
            shutil.rmtree(place)
            return TEXT

        runner = AgentRunner(
            model=ScriptedModel([Turn(calls=[call(name)] * calls), DONE]),
            tools=[Tool(name, read)],
            trace=recorder,
            budget=ContextBudget(max_input_chars=5000, max_tool_output_chars=100),
            store=ArtifactFolder(place),
        )
        with pytest.raises(ArtifactError):
            runner.run("Go.")
        trace = Trace.parse(recorder.text())
        assert [] == broken(trace)
        assert [f"interrupted: {name} did not finish"] * calls == [r.text for r in results(trace)]
        (error,) = trace.of("error")
        assert ("artifact-folder", {}) == (error.data.code, error.data.params)
        assert trace.stop is not None
        assert Stop.ERROR == trace.stop.reason


class TestInALoopOfOnesOwn:
    """The loop says how far its tools' texts are trusted."""

    def recording(self, recorder: Recorder, store: Artifacts | None = None) -> Recording:
        loop = Recording(
            recorder, "mine@1", budget=ContextBudget(max_input_chars=5000), store=store
        )
        loop.record("tools", tools=[Tool("read", lambda: "")])
        loop.record("user", "Go.")
        loop.assemble()
        loop.request()
        loop.response(calls=[Call("c1", "read")])
        loop.tool_call()
        return loop

    @pytest.mark.parametrize(
        ("trust", "label"), [(None, "tool"), ("tool", "tool"), ("external", "external")]
    )
    def test_the_label_of_a_result(self, trust: str | None, label: str) -> None:
        recorder, store = Recorder(), ArtifactStore()
        with self.recording(recorder, store) as loop:
            record = loop.tool_result(0, TEXT, trust=trust)
            assert label == record.trust
        assert [] == broken(Trace.parse(recorder.text()))
        assert label == store.describe(store.handles()[0]).trust

    @pytest.mark.parametrize("trust", [t for t in Trust if t not in ("tool", "external")])
    def test_a_higher_label_would_break_law_10(self, trust: Trust) -> None:
        recorder = Recorder()
        with self.recording(recorder) as loop:
            before = recorder.text()
            with pytest.raises(LawBroken) as caught:
                loop.tool_result(0, TEXT, trust=trust)
            assert ("law-10-trust", before) == (caught.value.code, recorder.text())
            loop.tool_result(0, TEXT)

    def test_a_label_that_there_is_not(self) -> None:
        with self.recording(Recorder()) as loop:
            with pytest.raises(LawBroken, match="'root' is no label of trust"):
                loop.tool_result(0, TEXT, trust="root")
            loop.tool_result(0, TEXT)
