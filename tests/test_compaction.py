"""Compaction: old exchanges give way to a summary, or nothing is replaced and the trace says why."""

from typing import Any

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.summaries import NOTHING, KeptLines, ScriptedSummariser, Summariser
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.context.policy import Policy
from curriculum.context.pooling import Compaction, Pooling, Step
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Author, Kind, Record, Trust
from curriculum.trace.reader import Trace
from curriculum.trace.rebuild import Rebuild
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire
from curriculum.wire.request import Request

KEEPS = (Kind.INSTRUCTION, Kind.TOOLS, Kind.CONSTRAINT, Kind.APPROVAL, Kind.DENIAL, Kind.SUMMARY)


def policy(ladder: tuple[Step, ...] = (Step("omit"),), **terms: Any) -> Policy:
    compact = Compaction(**{"preserve": ("Decision:",), "recent": 1, **terms})
    return Policy("test", 1, KEEPS, pooling=Pooling(ladder=ladder, compact=compact))


def run(
    chosen: Policy,
    summariser: Summariser | None,
    *,
    chars: int = 4000,
    turns: int = 5,
    history: tuple[Record, ...] = (),
    text: str = "Decision: go on.",
    output: str = "line " * 20,
    **fields: Any,
) -> Trace:
    """A model that reads, turn by turn; each exchange takes about 130 characters."""
    script = [*([Turn(text, calls=[call("read")])] * turns), Turn("Done.")]
    recorder = Recorder()
    AgentRunner(
        model=ScriptedModel(script),
        tools=[Tool("read", lambda: output)],
        trace=recorder,
        budget=ContextBudget(max_input_chars=chars),
        policy=chosen,
        summariser=summariser,
        history=history,
        max_turns=turns + 1,
        **fields,
    ).run("Read.")
    return Trace.parse(recorder.text())


def outcomes(trace: Trace) -> list[str]:
    return [str(event.data.outcome) for event in trace.of("context.compact")]


def summaries(trace: Trace) -> list[Record]:
    return [record for record in trace.records if record.kind is Kind.SUMMARY]


class TestTriggers:
    """When a compaction is due."""

    def test_over_a_share_of_the_ceiling(self) -> None:
        """The whole log, not what of it would be sent, is measured against the share."""
        trace = run(policy(at="10%"), KeptLines())
        first = next(iter(trace.of("context.compact"))).data
        assert ("share", 400) == (first.trigger, first.limit)
        assert first.measured > 400
        before = [made.data.size or 0 for made in trace.assemblies if made.seq < 20]
        assert all(size <= 400 for size in before)

    def test_over_a_number_of_records(self) -> None:
        """Tools, prompt and two exchanges are six records; the seventh and eighth are too many."""
        trace = run(policy(records=7), KeptLines())
        first = next(iter(trace.of("context.compact"))).data
        assert ("records", 7, 8) == (first.trigger, first.limit, first.measured)
        assert ("r0003", "r0006") == (first.replaces.first, first.replaces.last)

    def test_where_the_ladder_says_so(self) -> None:
        """Two tiers: old results are cleared first, and a summary comes only if that is not enough."""
        ladder = (Step("mask"), Step("summarise"), Step("omit"))
        wide = run(policy(ladder), KeptLines(), chars=500)
        assert [] == outcomes(wide)
        assert {"masked"} < {row.reason for row in wide.manifest(6)}
        narrow = run(policy(ladder), KeptLines(), chars=300)
        assert ["overflow"] == [event.data.trigger for event in narrow.of("context.compact")]

    def test_asked_for(self) -> None:
        """Before the second prompt, however small the request is."""
        recorder = Recorder()
        AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")]), Turn("One."), Turn("Two.")]),
            tools=[Tool("read", lambda: "line " * 20)],
            trace=recorder,
            budget=ContextBudget(max_input_chars=9000),
            policy=policy(recent=1),
            summariser=ScriptedSummariser(["It was read."]),
            compact_before=(2,),
        ).run("Read.", "And?")
        trace = Trace.parse(recorder.text())
        (event,) = trace.of("context.compact")
        assert "explicit" == event.data.trigger
        assert "continue" == trace.assemblies[-1].data.trigger

    def test_not_for_less_than_its_least(self) -> None:
        """A compaction that would free little is not worth what it costs."""
        assert [] == outcomes(run(policy(at="10%", least="90%"), KeptLines()))


class TestWhatIsReplaced:
    """Which records a summary stands for, and which it never does."""

    def test_the_recent_stay(self) -> None:
        trace = run(policy(at="10%", recent=2), KeptLines())
        last = trace.manifest(len(trace.assemblies))
        turns = [r.id for r in trace.records if r.kind is Kind.ASSISTANT and r.calls]
        gone = {row.record.id for row in last if row.reason == "compacted"}
        assert gone
        assert not gone & set(turns[-2:])

    def test_what_governs_stays(self) -> None:
        """A constraint and an approval between two exchanges are sent whole after a compaction."""
        person: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "prompt"}
        model: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "m"}
        history = (
            Record("r0001", Kind.USER, text="Read it all.", **person),
            Record("r0002", Kind.ASSISTANT, text="Decision: yes. " + "talk " * 60, **model),
            Record("r0003", Kind.CONSTRAINT, text="Never delete.", **person),
            Record("r0004", Kind.APPROVAL, text="Reading is allowed.", **person),
            Record("r0005", Kind.ASSISTANT, text="Well then. " * 20, **model),
            Record("r0006", Kind.ASSISTANT, text="That is all.", **model),
        )
        trace = run(policy(at="10%"), KeptLines(), history=history)
        (replaced, *_) = (event.data.replaces for event in trace.of("context.compact"))
        assert ("r0001", "r0005") == (replaced.first, replaced.last)
        last = {row.record.id: row.reason for row in trace.manifest(len(trace.assemblies))}
        assert "compacted" == last["r0002"]
        assert "protected-constraint" == last["r0003"]
        assert "protected-approval" == last["r0004"]

    def test_a_summary_stands_where_its_first_record_stood(self) -> None:
        """What happened after it is read after it, although it was written later."""
        trace = run(policy(at="10%"), KeptLines())
        made = trace.assemblies[-1]
        sent = [message.record for message in Rebuild(trace).messages(made.data)]
        (summary,) = [r.id for r in summaries(trace) if r.id in sent]
        turns = [r.id for r in trace.records if r.kind is Kind.ASSISTANT and r.id in sent]
        assert sent.index(summary) < min(map(sent.index, turns))

    def test_a_later_summary_takes_an_earlier_one_in(self) -> None:
        trace = run(policy(at="10%"), KeptLines(), turns=9)
        assert 1 < len(summaries(trace))
        last = {row.record.id: row.reason for row in trace.manifest(len(trace.assemblies))}
        stands = [last[record.id] for record in summaries(trace)]
        assert ["protected-summary"] == [reason for reason in stands if reason != "compacted"]

    def test_kinds_that_are_kept_stay_beside_it(self) -> None:
        """They are named in `but`, so that a reader of the log alone knows."""
        note: dict[str, Any] = {"trust": Trust.USER, "author": Author.HARNESS, "source": "notes"}
        model: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "m"}
        history = (
            Record("r0001", Kind.ASSISTANT, text="talk " * 60, **model),
            Record("r0002", Kind.PLAN, text="First this.", **note),
            Record("r0003", Kind.ASSISTANT, text="talk " * 60, **model),
            Record("r0004", Kind.ASSISTANT, text="That is all.", **model),
        )
        trace = run(policy(at="10%", keep=(Kind.PLAN,)), KeptLines(), history=history)
        (replaced, *_) = (event.data.replaces for event in trace.of("context.compact"))
        assert ("r0002",) == replaced.but
        sent = [m.record for m in Rebuild(trace).messages(trace.assemblies[-1].data)]
        assert "r0002" in sent

    def test_trust_falls_to_the_lowest(self) -> None:
        """A summary of a tool's output is no more to be trusted than the tool."""
        (first, *_) = summaries(run(policy(at="10%"), KeptLines()))
        assert (Trust.TOOL, Author.MODEL) == (first.trust, first.author)

    def test_what_a_store_has_can_still_be_fetched(self) -> None:
        """The summary names each handle that only the replaced records named; law 9."""
        store = ArtifactStore()
        trace = run(policy(at="10%"), KeptLines(), store=store)
        (first, *_) = summaries(trace)
        handle = store.put("line " * 20)
        assert f"artifact {handle}: tool:read, r0004" in first.text.split("\n")


class TestWhatCanGoWrong:
    """Nothing is replaced unless the summary does what it is for; the trace says what was wrong."""

    def test_a_loss_stops_the_run(self) -> None:
        trace = run(policy(at="10%"), ScriptedSummariser(["All is well."]))
        (event,) = trace.of("context.compact")
        assert ("lost", ("Decision: go on.",)) == (event.data.outcome, event.data.lost)
        assert trace.stop is not None
        assert "compaction-lost" == trace.stop.reason
        assert [] == summaries(trace)

    def test_a_line_is_kept_only_whole(self) -> None:
        """The words inside another line are not the line."""
        said = ScriptedSummariser(["They said: Decision: go on. And left."])
        assert ["lost"] == outcomes(run(policy(at="10%"), said))

    def test_lines_of_dropped_kinds_need_not_survive(self) -> None:
        """Whoever writes the summary is not shown them."""
        output = "Decision: of a tool\n" + "line " * 20
        kept = policy(at="10%", drop=(Kind.RESULT,))
        assert "done" in outcomes(run(kept, KeptLines(), output=output))
        lost = run(policy(at="10%"), ScriptedSummariser(["Decision: go on."]), output=output)
        assert ["lost"] == outcomes(lost)

    @pytest.mark.parametrize(
        ("summariser", "outcome", "code"),
        [
            (ScriptedSummariser(["Decision: go on.\n" + "x" * 900]), "grew", None),
            (ScriptedSummariser([]), "failed", "summariser-raised"),
            (ScriptedSummariser([" \n"]), "empty", None),
            (ScriptedSummariser([5]), "failed", "summary-no-text"),  # type: ignore[list-item]
        ],
        ids=["grew", "raised", "blank", "no-text"],
    )
    def test_the_run_goes_on_without_it(
        self, summariser: Summariser, outcome: str, code: str | None
    ) -> None:
        """It is tried once, and no more: a summary that fails would fail in every turn."""
        trace = run(policy(at="10%"), summariser)
        (event,) = trace.of("context.compact")
        assert (outcome, code) == (event.data.outcome, event.data.code)
        assert trace.stop is not None
        assert "completed" == trace.stop.reason
        assert [] == summaries(trace)
        assert "compacted" not in {row.reason for row in trace.manifest(6)}

    def test_its_request_passes_the_same_gate(self) -> None:
        """The request for a summary is over the ceiling: nobody is asked, and nothing is lost."""

        class Never:
            id = "never@1"

            def summarise(self, request: Request) -> str:
                raise AssertionError("it was asked")

        trace = run(policy((Step("mask"), Step("summarise"), Step("omit"))), Never(), chars=250)
        (event,) = trace.of("context.compact")
        assert "does-not-fit" == event.data.outcome
        assert event.data.size > 250
        assert event.data.fingerprint is None

    def test_an_interrupt_is_no_failure_of_the_summary(self) -> None:
        """Ctrl-C ends the run; the trace is whole."""

        class Interrupted:
            id = "interrupted@1"

            def summarise(self, request: Request) -> str:
                raise KeyboardInterrupt

        recorder = Recorder()
        runner = AgentRunner(
            model=ScriptedModel([Turn(calls=[call("read")])] * 9),
            tools=[Tool("read", lambda: "line " * 20)],
            trace=recorder,
            budget=ContextBudget(max_input_chars=4000),
            policy=policy(at="10%"),
            summariser=Interrupted(),
            max_turns=9,
        )
        with pytest.raises(KeyboardInterrupt):
            runner.run("Read.")
        trace = Trace.parse(recorder.text())
        assert trace.stop is not None
        assert "interrupted" == trace.stop.reason

    def test_a_policy_that_wants_none_takes_no_summariser(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            run(Policy(), KeptLines())
        assert "summariser-unused" == caught.value.code
        with pytest.raises(CurriculumError) as caught:
            run(Policy("other", pooling=Pooling()), KeptLines())
        assert "summariser-unused" == caught.value.code


class TestTheRequestForIt:
    """What whoever writes the summary is shown."""

    def asked(self, **terms: Any) -> Request:
        seen: list[Request] = []

        class Reads:
            id = "reads@1"

            def summarise(self, request: Request) -> str:
                seen.append(request)
                return "Decision: go on."

        run(policy(at="10%", **terms), Reads(), wire=OpenAIChat2())
        return seen[0]

    def test_instruction_first_then_what_is_replaced(self) -> None:
        told = OpenAIChat2().decode(self.asked(instruction="Sum it up.").body)
        assert Kind.INSTRUCTION is told[0].kind
        assert "Sum it up.\nRepeat every line that begins with one of:\nDecision:" == told[0].text
        assert [Kind.USER] != [m.kind for m in told[1:]]
        pairs = [m.kind for m in told if m.kind in (Kind.ASSISTANT, Kind.RESULT)]
        assert [Kind.ASSISTANT, Kind.RESULT] * (len(pairs) // 2) == pairs

    def test_of_dropped_results_only_the_marker(self) -> None:
        results = [m for m in OpenAIChat2().decode(self.asked(drop=(Kind.RESULT,)).body) if m.cut]
        assert [(0, 100)] == sorted({(m.cut.kept, m.cut.missing) for m in results if m.cut})

    @pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)
    def test_kept_lines_reads_every_wire(self, wire: Wire) -> None:
        """Line ends and quotes are spelled otherwise on each; the lines are the same."""
        said = 'Decision: use "x"\\n.\nAnd more.'
        trace = run(policy(at="10%"), KeptLines(), text=said, wire=wire)
        if wire.id.startswith("openai-chat@1"):  # it has no place for a summary
            assert ["failed"] == outcomes(trace)
            return
        assert {"done"} == set(outcomes(trace))
        (first, *_) = summaries(trace)
        assert 'Decision: use "x"\\n.' in first.text.split("\n")

    def test_kept_lines_says_so_if_there_are_none(self) -> None:
        trace = run(policy(at="10%", preserve=()), KeptLines(("Never:",)), text="")
        (first, *_) = summaries(trace)
        assert NOTHING == first.text
