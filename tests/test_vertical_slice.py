"""Lesson s06 from end to end, against numbers that were worked out by hand.

The plain wire, one line for each thing; every character counts, line ends too:

    +large_result                      14   the tool on offer: mark 1 + name 12 + line end 1
    #Keep tool output bounded. (x 8)  210   mark 1 + 8 x 26 + line end 1
    >Read large_result.                20   mark 1 + 18 + line end 1
    !c1 large_result {}                20   mark 1 + id 2 + blank 1 + name 12 + blank 1 + {} 2 + 1
    =c1 ...                         5 + n   mark 1 + id 2 + blank 1 + line end 1 + what is shown

Input ceiling 300: 300 - (14 + 210 + 20 + 20) = 36 for the result's line, so 31 for what it shows:
marker [-1977-] 8, head 12, tail 11, and 2000 - 23 = 1977 missing.
Tool ceiling 180: marker [-1828-] 8, head 86, tail 86, and 2000 - 172 = 1828 missing.
"""

import hashlib
import unittest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool, ToolRegistry
from curriculum.context.budget import ContextBudget
from curriculum.context.unworkable import BudgetError
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import run_case
from curriculum.golden.verify import verify
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

ROWS = "".join(f"row {n:04d}. " for n in range(1, 201))
SYSTEM = "Keep tool output bounded. " * 8
FIRST = "+large_result\n" + "#" + SYSTEM + "\n" + ">Read large_result.\n"
SECOND = FIRST + "!c1 large_result {}\n" + "=c1 row 0001. ro[-1977-] row 0200. \n"


def run(max_input_chars: int = 300, max_tool_output_chars: int | None = 180) -> Trace:
    """The seed's call, to the letter but for the two ceilings."""
    registry = ToolRegistry(Tool("large_result", lambda: ROWS))
    turns = [Turn(calls=[call("large_result")]), Turn("It has 200 rows.")]
    trace = Recorder()
    AgentRunner(
        model=ScriptedModel(turns),
        tools=registry,
        trace=trace,
        system_prompt="Keep tool output bounded. " * 8,
        budget=ContextBudget(
            max_input_chars=max_input_chars,
            max_tool_output_chars=max_tool_output_chars,
        ),
    ).run("Read large_result.")
    return Trace.parse(trace.text())


class TheRequests(unittest.TestCase):
    """What the model saw, byte for byte."""

    def test_the_tool_returns_2000_characters(self) -> None:
        self.assertEqual(2000, len(ROWS))

    def test_the_first_request_is_tools_instruction_and_the_users_text(self) -> None:
        self.assertEqual(FIRST, run().request(1).text)
        self.assertEqual(244, len(run().request(1).text))

    def test_the_second_request_shows_31_characters_of_the_result_and_is_exactly_300_long(
        self,
    ) -> None:
        self.assertEqual(SECOND, run().request(2).text)
        self.assertEqual(300, len(run().request(2).text))

    def test_the_model_was_given_the_bytes_that_the_trace_rebuilds(self) -> None:
        """The script's own frozen copies are the independent witness."""
        model = ScriptedModel([Turn(calls=[call("large_result")]), Turn("It has 200 rows.")])
        trace = Recorder()
        AgentRunner(
            model=model,
            tools=ToolRegistry(Tool("large_result", lambda: ROWS)),
            trace=trace,
            system_prompt=SYSTEM,
            budget=ContextBudget(max_input_chars=300, max_tool_output_chars=180),
        ).run("Read large_result.")
        read = Trace.parse(trace.text())
        self.assertEqual([FIRST, SECOND], [request.text for request in model.requests])
        self.assertEqual([FIRST, SECOND], [read.request(n).text for n in (1, 2)])
        self.assertEqual(hashlib.sha256(SECOND.encode()).hexdigest(), read.request(2).fingerprint)


class TheTwoGates(unittest.TestCase):
    """A result passes both gates, and the smaller room wins."""

    def test_gate_1_keeps_86_characters_at_each_end_for_good(self) -> None:
        result = run().records[4]
        assert result.cut is not None
        self.assertEqual(
            (ROWS[:86], ROWS[-86:], 2000), (result.cut.head, result.cut.tail, result.cut.original)
        )
        self.assertEqual("[-1828-]", result.cut.marker)
        self.assertEqual(180, 86 + len("[-1828-]") + 86)

    def test_gate_2_keeps_12_and_11_and_counts_what_is_missing_from_the_tools_original(
        self,
    ) -> None:
        row = run().manifest(2)[4]
        self.assertEqual(("cut", "cut-to-room"), (row.decision, row.reason))
        entry = row.entry
        self.assertEqual((36, 185, 36, 12, 11, 1977), (
            entry.share, entry.full, entry.size, entry.head, entry.tail, entry.missing,
        ))  # fmt: skip

    def test_every_record_has_one_decision_and_the_sizes_add_up_to_the_request(self) -> None:
        rows = run().manifest(2)
        self.assertEqual(
            [
                ("r0001", "protected-tools", 14),
                ("r0002", "protected-instruction", 210),
                ("r0003", "protected-request", 20),
                ("r0004", "beside-cut", 20),
                ("r0005", "cut-to-room", 36),
            ],
            [(row.record.id, row.reason, row.size) for row in rows],
        )
        self.assertEqual(300, 14 + 210 + 20 + 20 + 36)

    def test_tool_ceilings_180_120_92_and_60_give_byte_identical_second_requests(self) -> None:
        for ceiling in (180, 120, 92, 60):
            self.assertEqual(SECOND, run(max_tool_output_chars=ceiling).request(2).text, ceiling)

    def test_a_tool_ceiling_under_the_room_of_31_changes_the_request(self) -> None:
        """Ceiling 30: marker 8, head 11, tail 11; the log's text now fits, nothing is cut twice."""
        trace = run(max_tool_output_chars=30)
        self.assertIn("=c1 row 0001. r[-1978-] row 0200. \n", trace.request(2).text)
        self.assertEqual("newest", trace.manifest(2)[4].reason)

    def test_31_is_the_largest_tool_ceiling_at_which_nothing_is_cut_twice(self) -> None:
        reasons = {
            ceiling: run(max_tool_output_chars=ceiling).manifest(2)[4].reason
            for ceiling in (31, 32)
        }
        self.assertEqual({31: "newest", 32: "cut-to-room"}, reasons)

    def test_raising_the_input_ceiling_to_2000_still_shows_180_because_gate_1_was_final(
        self,
    ) -> None:
        trace = run(max_input_chars=2000)
        line = trace.request(2).text.splitlines()[-1]
        self.assertEqual("=c1 " + ROWS[:86] + "[-1828-]" + ROWS[-86:], line)
        self.assertEqual(180, len(line) - len("=c1 "))


class TheTrace(unittest.TestCase):
    """The log is the executable specification."""

    def test_the_events_come_in_causal_order(self) -> None:
        self.assertEqual(
            [
                (1, "session.start", None),
                (2, "record.append", 1),
                (3, "record.append", 1),
                (4, "record.append", 1),
                (5, "context.assemble", 4),
                (6, "model.request", 5),
                (7, "model.response", 6),
                (8, "record.append", 7),
                (9, "tool.request", 8),
                (10, "tool.result", 9),
                (11, "tool.truncate", 10),
                (12, "record.append", 11),
                (13, "context.assemble", 12),
                (14, "model.request", 13),
                (15, "model.response", 14),
                (16, "record.append", 15),
                (17, "session.stop", 16),
            ],
            [(event.seq, event.type, event.cause) for event in run().events],
        )

    def test_the_run_ends_completed_after_two_model_calls(self) -> None:
        stop = run().stop
        assert stop is not None
        self.assertEqual(("completed", 2), (stop.reason, stop.turns))

    def test_the_trace_breaks_no_law(self) -> None:
        self.assertEqual([], list(breaches(run())))

    def test_the_lesson_runs_what_this_file_runs(self) -> None:
        """But for the session's name, the lesson's trace is this one."""
        lesson = run_case(all_cases()["s06-context-budget"])
        here = run()
        self.assertEqual(
            [SECOND, *[event.data for event in here.events[1:]]],
            [
                Trace.parse(lesson).request(2).text,
                *[event.data for event in Trace.parse(lesson).events[1:]],
            ],
        )

    def test_the_golden_trace_holds(self) -> None:
        verdicts = list(verify(all_cases(), ["s06-context-budget"]))
        self.assertEqual(
            [("s06-context-budget", "holds")], [(v.id, v.status.code) for v in verdicts]
        )


class TheReserve(unittest.TestCase):
    """Ceiling + reserve <= capacity, checked before anything is sent."""

    def test_capacity_400_takes_a_ceiling_of_300_and_a_reserve_of_100(self) -> None:
        budget = ContextBudget(capacity=400, max_input_chars=300, output_reserve=100)
        self.assertEqual((400, 300, 100), (budget.window, budget.max_input, budget.output_reserve))

    def test_a_ceiling_of_350_is_refused_with_the_numbers(self) -> None:
        with self.assertRaises(BudgetError) as caught:
            ContextBudget(capacity=400, max_input_chars=350, output_reserve=100)
        self.assertIn("350 + 100 = 450 > 400", str(caught.exception))


class WhatDoesNotFit(unittest.TestCase):
    """The run stops with a named reason; nothing is sent and seen."""

    def test_a_system_text_of_300_characters_is_302_and_stops_the_run(self) -> None:
        """14 + 302 + 20 = 336 > 300."""
        trace = Trace.parse(run_case(all_cases()["s06-context-budget/system-does-not-fit"]))
        refused = trace.assemblies[0].data.refused
        assert refused is not None
        self.assertEqual([14, 302, 20], [need.size for need in refused.parts])
        self.assertEqual((336, 300), (refused.needed, refused.allowed))
        self.assertEqual([], list(trace.of("model.request")))

    def test_a_result_that_does_not_fit_even_as_its_marker_stops_the_run(self) -> None:
        """268 - 244 leaves 24; the call's line takes 20 and the bare marker's 13: 33 > 24."""
        trace = Trace.parse(run_case(all_cases()["s06-context-budget/result-does-not-fit"]))
        refused = trace.assemblies[1].data.refused
        assert refused is not None
        self.assertEqual([20, 13], [need.size for need in refused.parts])
        self.assertEqual((33, 24), (refused.needed, refused.allowed))
        self.assertEqual(1, len(list(trace.of("model.request"))))

    def test_with_one_character_more_than_the_marker_needs_the_run_goes_on(self) -> None:
        """244 + 33 = 277 shows the bare marker; 276 stops the run."""
        self.assertIn("=c1 [-2000-]\n", run(max_input_chars=277).request(2).text)
        stops = [run(max_input_chars=276).stop]
        self.assertEqual(["result-does-not-fit"], [stop.reason for stop in stops if stop])


class TheScenario(unittest.TestCase):
    """A scenario starts anew each time."""

    def test_two_runs_give_the_same_bytes(self) -> None:
        scenario = all_cases()["s06-context-budget"].scenario
        self.assertIsInstance(scenario, Staged)
        case = all_cases()["s06-context-budget"]
        self.assertEqual(run_case(case), run_case(case))


if __name__ == "__main__":
    unittest.main()
