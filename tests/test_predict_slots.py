"""Where a run has its answers: locators, and the rule, place and sum that explain them."""

import pytest

from curriculum.course.runs import trace_of
from curriculum.course.slots import SlotError, answer_at, number_at, value_of
from curriculum.course.sources import SourceError, fact_of
from curriculum.course.why import ordinal, why
from curriculum.trace.facts import View
from curriculum.trace.rule_table import rule_of

from .classroom import scene_of, written

BASE = "s06-context-budget"
LOW = f"{BASE} max_tool_output_chars=120"
BELOW = f"{BASE} max_tool_output_chars=30"


class TestLocators:
    """The seed's case, by numbers that the lesson prints."""

    @pytest.mark.parametrize(
        ("locator", "expected"),
        [
            ("tool.result 1 size", 2000),
            ("record.append 5 text", 180),
            ("record.append 4 text", 0),
            ("request 2 r0005.size - 5", 31),
            ("request 2 r0005.size - request 2 r0004.size + 3", 19),
            ("request 2 size", 300),
            ("request 2 r0005.decision", "cut"),
            ("record.append 5 cut.original", 2000),
            ("count tool.result", 1),
            ("count request", 2),
            ("has tool.truncate 1", True),
            ("has tool.truncate 2", False),
            ("stop", "completed"),
            ("turns", 2),
        ],
    )
    def test_each_form_reads_its_number(self, locator: str, expected: object) -> None:
        assert expected == value_of(trace_of(BASE), locator)

    def test_a_text_in_the_log_counts_with_its_marker(self) -> None:
        """Not the 172 characters that are kept, but the 180 that the log holds."""
        assert 172 == number_at(trace_of(BASE), "tool.truncate 1 kept")
        assert 180 == number_at(trace_of(BASE), "record.append 5 text")

    def test_same_and_changed_compare_bytes_with_the_run_before(self) -> None:
        before = trace_of(BASE)
        for run, same in ((LOW, True), (BELOW, False)):
            assert same is value_of(trace_of(run), "same request 2", before)
            assert (not same) is value_of(trace_of(run), "changed request 2", before)

    def test_a_text_answers_a_question_for_a_number_by_its_length(self) -> None:
        exercise = written(
            'kind = "number"\ncase = "s06-context-budget"\n'
            '[[slots]]\nkey = "head"\nask = "?"\nread = "record.append 5 cut.head"\n'
        )
        assert 86 == answer_at(exercise.slots[0], trace_of(BASE))

    @pytest.mark.parametrize(
        "locator",
        ["request 3 size", "tool.result 1 colour", "request two size", "", "same request 2", "x"],
    )
    def test_what_is_not_there_is_refused(self, locator: str) -> None:
        with pytest.raises(SlotError) as refused:
            value_of(trace_of(BASE), locator)
        assert "exercise-locator" == refused.value.code

    def test_texts_read_the_same_numbers(self) -> None:
        """The prose of a lesson and its exercises share one reader."""
        assert 180 == fact_of(BASE, "record.append 5 text")
        with pytest.raises(SourceError, match="max_tool_output_chars=30 has no number"):
            fact_of(BELOW, "request 9 size")


class TestWhy:
    """Where, rule and sum."""

    def test_what_a_cut_result_is_left(self) -> None:
        scene = scene_of()
        said = why(scene.after, "request 2 r0005.size - 5", scene.before)
        assert "second context.assemble, tool result r0005" == said.where
        assert "a request may not pass max_input_chars; the result gets what is left" == said.rule
        assert "300 - (14 tools + 210 system + 20 user + 25 call and marks) = 31" == said.sum
        assert 300 - (14 + 210 + 20 + 25) == 31

    def test_gate_1_is_explained_by_its_own_event(self) -> None:
        scene = scene_of()
        said = why(scene.after, "record.append 5 text", scene.before)
        assert ("first tool.truncate", "kept 112 + marker 8 = 120") == (said.where, said.sum)

    def test_the_parts_of_a_request_add_up(self) -> None:
        scene = scene_of()
        said = why(scene.after, "request 2 size", scene.before)
        assert "14 tools + 210 system + 20 user + 20 call + 36 result = 300 <= 300" == said.sum

    def test_other_facts_have_the_rule_and_sum_of_the_table(self) -> None:
        """The explainer of goldens says the same words."""
        trace = trace_of(LOW)
        view = View(trace)
        event = next(trace.of("tool.truncate"))
        rule = rule_of(view, event, "missing")
        assert rule.derive is not None
        said = why(trace, "tool.truncate 1 missing", trace_of(BASE))
        assert rule.derive(view, event, "missing").sum == said.sum
        assert "original 2000 - kept 112 = 1888" == said.sum

    def test_equal_bytes_are_shown_by_their_fingerprints(self) -> None:
        scene = scene_of()
        said = why(scene.after, "changed request 2", scene.before)
        assert "fingerprints eebe7f59 = eebe7f59" == said.sum

    def test_a_stop_is_explained_by_what_came_before_it(self) -> None:
        said = why(trace_of(BASE), "stop", trace_of(BASE))
        assert "after record.append the run stops with completed" == said.sum

    def test_places_are_counted_in_words(self) -> None:
        assert ["first", "tenth", "11th"] == [ordinal(1), ordinal(10), ordinal(11)]
