"""What a policy lets into the log at all: rules for a tool's output, and which of them never shows."""

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.context.dead_knobs import dead_knobs
from curriculum.context.policy import Policy
from curriculum.context.policy_file import policy_from
from curriculum.context.pooling import Ingest, Pooling
from curriculum.record.artifacts import ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Kind, Record
from curriculum.record.truncation import Truncation
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

LINES = "".join(f"{n:04d}\n" for n in range(3000))
"""3,000 lines of five characters."""


def logged(
    *ingest: Ingest, ceiling: int | None = None, output: str = LINES
) -> tuple[Record, Trace]:
    """The result as the log has it, and the trace of the run."""
    recorder = Recorder()
    policy = Policy("test", 1, pooling=Pooling(ingest=ingest))
    AgentRunner(
        model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
        tools=[Tool("read", lambda: output)],
        trace=recorder,
        budget=ContextBudget(max_input_chars=40_000, max_tool_output_chars=ceiling),
        policy=policy,
        store=ArtifactStore(),
    ).run("Read.")
    trace = Trace.parse(recorder.text())
    assert [] == [str(breach) for breach in breaches(trace)]
    (result,) = [record for record in trace.records if record.kind is Kind.RESULT]
    return result, trace


class TestAtTheDoor:
    """Gate 1 under a policy: its rules for the tool, then the tool ceiling."""

    def test_a_rule_in_its_own_unit(self) -> None:
        """1,000 whole lines of 3,000: 500 at each end, 10,000 characters missing."""
        rule = Truncation("lines", 1000, whole_lines=True)
        result, trace = logged(Ingest(rule))
        assert result.cut is not None
        assert (LINES[:2500], LINES[-2500:]) == (result.cut.head, result.cut.tail)
        (event,) = trace.of("tool.truncate")
        assert ("ingest-rule", 1000, "lines") == (
            event.data.reason,
            event.data.limit,
            event.data.unit,
        )
        assert (5000, 10_000) == (event.data.kept, event.data.missing)

    def test_a_rule_for_another_tool_does_nothing(self) -> None:
        result, trace = logged(Ingest(Truncation("lines", 1000), tool=("write",)))
        assert LINES == result.text
        assert [] == list(trace.of("tool.truncate"))

    def test_of_two_in_a_row_the_tighter_shows(self) -> None:
        """48,000 characters and then 8,000, as one agent has it: 8,000 are seen."""
        wide, tight = Truncation("chars", 12_000), Truncation("chars", 8_000)
        for rules in ((wide, tight), (tight, wide)):
            _, trace = logged(*map(Ingest, rules))
            (event,) = trace.of("tool.truncate")
            assert (8000, 8000) == (event.data.limit, event.data.kept)

    def test_the_tool_ceiling_holds_as_well(self) -> None:
        result, trace = logged(Ingest(Truncation("lines", 1000)), ceiling=400)
        (event,) = trace.of("tool.truncate")
        assert ("tool-ceiling", 400) == (event.data.reason, event.data.limit)
        assert result.cut is not None
        assert 400 >= result.cut.kept + len(result.cut.marker)
        assert 15_000 == result.cut.original

    def test_what_passes_is_whole(self) -> None:
        result, _ = logged(Ingest(Truncation("lines", 1000)), output="one\ntwo\n")
        assert "one\ntwo\n" == result.text

    def test_a_log_that_holds_more_than_a_rule_lets_in_is_a_breach(self) -> None:
        """The checker applies the rules to what the log has: nothing may be left to cut."""
        _, trace = logged(Ingest(Truncation("lines", 1000)), output="one\n" * 900)
        other = Policy("test", 1, pooling=Pooling(ingest=(Ingest(Truncation("lines", 1000)),)))
        tight = Policy("test", 1, pooling=Pooling(ingest=(Ingest(Truncation("lines", 800)),)))
        from curriculum.context.known_policies import register

        register(tight)
        said = "\n".join(map(str, breaches(_renamed(trace, other.id, tight.id))))
        assert "expected 800 lines" in said


def _renamed(trace: Trace, old: str, new: str) -> Trace:
    """The trace as a run under another policy would name it."""
    from curriculum.trace.recorder import converter, spell

    lines = ['{"format":"curriculum-trace","version":"1.3"}']
    for event in trace.events:
        one = {"seq": event.seq, "type": event.type, "turn": event.turn}
        one |= {} if event.cause is None else {"cause": event.cause}
        lines.append(spell({**one, "data": converter.unstructure(event.data)}))
    return Trace.parse("\n".join(lines).replace(old, new) + "\n")


class TestInAFile:
    """`[[ingest]]` in a policy file: the tools, and the keys of a truncation rule."""

    HEAD = 'name = "mine"\nversion = 1\n'

    def test_read(self) -> None:
        text = (
            f'{self.HEAD}[[ingest]]\ntool = ["shell"]\nunit = "bytes"\nmost = 40000\nhead = "20%"\n'
        )
        pooling = policy_from(text, "mine.toml").policy.pooling
        assert pooling is not None
        assert (Ingest(Truncation("bytes", 40_000, head="20%"), ("shell",)),) == pooling.ingest

    @pytest.mark.parametrize(
        ("rule", "said"),
        [
            ('unit = "bites"\nmost = 9', "bytes"),
            ('unit = "bytes"', "needs most"),
            ('unit = "bytes"\nmost = 40\nkeeps = 3', "keep"),
        ],
    )
    def test_a_mistake_is_told_with_its_line_and_the_nearest_word(
        self, rule: str, said: str
    ) -> None:
        with pytest.raises(CurriculumError) as caught:
            policy_from(f"{self.HEAD}[[ingest]]\n{rule}\n", "mine.toml")
        told = "\n".join([caught.value.headline, *caught.value.evidence])
        assert "line 3" in told or "line 4" in told or "line 6" in told
        assert said in told


class TestDead:
    """A rule that never shows is named, with the numbers that prove it."""

    @pytest.mark.parametrize(
        ("rules", "ceiling", "dead"),
        [
            ([Truncation("chars", 8000), Truncation("chars", 48_000)], None, [2]),
            ([Truncation("chars", 48_000), Truncation("chars", 8000)], None, [1]),
            ([Truncation("chars", 48_000, head="20%"), Truncation("chars", 8000)], None, []),
            ([Truncation("chars", 8000), Truncation("lines", 50)], None, []),
            ([Truncation("lines", 2000)], 500, [1]),
            ([Truncation("lines", 2000)], 5000, []),
            ([Truncation("lines", 2000, keep=50)], 500, []),
            ([Truncation("bytes", 8000)], 500, [1]),
        ],
    )
    def test_by_example(
        self, rules: list[Truncation], ceiling: int | None, dead: list[int]
    ) -> None:
        policy = Policy("test", 1, pooling=Pooling(ingest=tuple(map(Ingest, rules))))
        limits = {} if ceiling is None else {"max_tool_output_chars": ceiling}
        found = [knob for knob in dead_knobs(policy, limits) if knob.place[0] == "ingest"]
        assert dead == [knob.place[1] for knob in found]
        assert all(any(char.isdigit() for char in knob.proof) for knob in found)
