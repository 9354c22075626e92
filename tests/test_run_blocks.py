"""Tables of a lesson's text that are read from one run, and numbers that are taken from elsewhere."""

from pathlib import Path

import pytest

from curriculum.course import prose
from curriculum.course.kinds import KINDS, fact_at
from curriculum.course.run_blocks import body_without, short
from curriculum.course.sources import SourceError, trace_of

HERE = Path(__file__).parent


def block(kind: str, argument: str) -> list[list[str]]:
    """The cells of a block, row by row; columns are parted by three blanks or more."""
    lines = KINDS[kind](argument, HERE).splitlines()
    return [[cell for cell in line.split("   ") if cell.strip()] for line in lines]


class TestARunAsATable:
    """Each column says what the trace says, and nothing is cut without three dots."""

    def test_outputs_are_what_the_model_said_asked_and_ended_by(self) -> None:
        rows = block("outputs", "s01-agent-loop/cut")
        assert ["output", "says", "asks for", "ended by"] == [cell.strip() for cell in rows[0]]
        assert "It adds wi" == rows[3][1].strip()
        assert "output-limit" == rows[3][-1].strip()

    def test_turns_have_a_cause_each(self) -> None:
        rows = block("turns", "s01-agent-loop/stuck")
        assert ["user", "tool-results", "tool-results"] == [row[1].strip() for row in rows[1:]]

    def test_an_end_without_a_name_is_shown_as_the_word_it_was(self) -> None:
        rows = block("endings", "s01-agent-loop, s01-agent-loop/unknown-end")
        assert ["done", "completed", "3"] == [cell.strip() for cell in rows[1][1:]]
        assert ["'stop'", "error", "1"] == [cell.strip() for cell in rows[2][1:]]

    def test_results_name_the_failure_of_each_call(self) -> None:
        rows = block("results", "s02-tool-calls/one-fails")
        assert ["s02-tool-calls/one-fails", "files", "-"] == [c.strip() for c in rows[1][:3]]
        assert ["remove", "tool-raised"] == [cell.strip() for cell in rows[2][:2]]

    def test_records_can_be_a_part_of_the_log(self) -> None:
        rows = block("records", "s02-tool-calls, 2-3")
        assert ["r0002", "r0003"] == [row[0].strip() for row in rows[1:]]
        assert 'c1: remove {"path":"old.log"}' == rows[2][-1].strip()

    def test_a_record_that_a_request_leaves_out_is_a_dash(self) -> None:
        """r0005 is the first result of day one; the fourth request has no room for it."""
        rows = {row[0].strip(): row for row in block("seen", "s04-durable-record")}
        assert "-" == rows["r0005"][-1].strip()
        assert rows["r0005"][-2].strip().isdigit()

    def test_a_long_text_ends_in_dots(self) -> None:
        assert "a\u21b5b" == short("a\nb")
        assert 64 == len(short("x" * 65))
        assert short("x" * 65).endswith("x...")


class TestARequestWithoutARecord:
    """One result taken away makes a provider refuse that request and every later one."""

    def test_each_later_request_is_refused_at_the_same_place(self) -> None:
        rows = block("without", "s02-tool-calls, r0004")
        assert ["2", "3", "4"] == [row[0].strip() for row in rows[1:]]
        assert {"refused"} == {row[1].strip() for row in rows[1:]}
        assert 1 == len({row[2].strip() for row in rows[1:]})

    def test_a_request_without_words_that_nobody_waits_for_is_taken(self) -> None:
        rows = block("without", "s02-tool-calls, r0005")
        assert {"taken"} == {row[1].strip() for row in rows[1:]}

    def test_only_that_message_is_missing(self) -> None:
        trace = trace_of("s02-tool-calls")
        body = body_without(trace, 2, "r0004")
        assert body is not None
        assert ["user", "assistant"] == [message["role"] for message in body["messages"]]
        assert body_without(trace, 1, "r0004") is None

    def test_a_record_that_no_request_has_is_refused(self) -> None:
        with pytest.raises(SourceError, match="no request with r0099"):
            KINDS["without"]("s02-tool-calls, r0099", HERE)


class TestANumberFromElsewhere:
    """It is compared with what the facts say, and the reader is told where it stands."""

    TEXT = "It stops after 4<!--n--> ([there](https://example.org/9)).\n<!-- facts\nn = cited: 4 {}\n-->\n"

    def test_a_locator_in_the_text_is_enough(self) -> None:
        report = prose.check(self.TEXT.format("https://example.org/9"), HERE)
        assert () == report.problems
        assert 1 == report.numbers

    def test_a_locator_that_only_the_facts_have_is_reported(self) -> None:
        report = prose.check(self.TEXT.format("https://example.org/8"), HERE)
        assert ["n"] == [problem.what for problem in report.problems]
        with pytest.raises(SourceError):
            fact_at("cited", "4")

    def test_links_papers_and_places_are_no_numbers(self) -> None:
        for free in (
            "[a](https://example.org/issues/762)",
            "arXiv 2210.03629",
            "`a/b.py:788-801, 805`",
        ):
            assert () == prose.check(f"{free}\n", HERE).problems, free
        for bound in ("[762](x)", "arXiv 22", "`b 788-801`"):
            assert () != prose.check(f"{bound}\n", HERE).problems, bound
