"""Rules of thumb: exact, rounded up, and never a bound."""

import attrs
import pytest

from curriculum.count.artifact_types import recognise
from curriculum.count.heuristics import (
    TYPES,
    LineWeights,
    Words,
    estimator_of,
    lines_of,
    weights,
    words_of,
)
from curriculum.record.errors import CurriculumError


class TestLinesAndWords:
    """What is counted is said, and the same everywhere."""

    @pytest.mark.parametrize(
        ("lines", "text"),
        [
            (0, ""),
            (1, "a"),
            (1, "a\n"),
            (2, "a\nb"),
            (1, "\n"),
            (2, "\n\n"),
            (2, "a\r\nb\r\n"),
            (1, "a\rb"),
            (1, "a\x0cb\u2028c"),
        ],
    )
    def test_a_line_ends_with_a_line_feed_or_with_the_text(self, lines: int, text: str) -> None:
        assert lines == lines_of(text)

    @pytest.mark.parametrize(
        ("words", "text"),
        [(0, ""), (0, " \n\t"), (1, "a"), (3, " a  b\r\nc\n"), (1, "預算"), (1, "a\u00a0b")],
    )
    def test_a_word_is_a_run_without_ascii_white_space(self, words: int, text: str) -> None:
        assert words == words_of(text)


class TestWords:
    """One word is 1.3 tokens."""

    @pytest.mark.parametrize(
        ("tokens", "words"), [(0, 0), (2, 1), (3, 2), (4, 3), (6, 4), (7, 5), (13, 10), (15, 11)]
    )
    def test_it_is_rounded_up(self, tokens: int, words: int) -> None:
        assert tokens == Words().estimate("word " * words).value

    def test_it_is_a_heuristic_without_a_bound(self) -> None:
        said = Words().estimate("one two")
        assert (3, None, "tokens", "heuristic", None) == attrs.astuple(said)
        assert not hasattr(Words(), "size")


SEED = [
    ("spec", 30),
    ("acceptance", 25),
    ("test-plan", 20),
    ("module-docs", 25),
    ("source", 15),
    ("source-verbose", 18),
    ("json-yaml", 12),
    ("test", 17),
    ("unknown", 20),
]
"""The seed's table: tokens of ten lines."""


class TestLineWeights:
    """Tokens a line, by artifact type."""

    @pytest.mark.parametrize(("type", "ten"), SEED)
    def test_the_seed_s_weights_are_kept_exactly(self, type: str, ten: int) -> None:
        one = LineWeights("seed", type)
        assert ten == one.estimate("x\n" * 10).value
        assert 100 * ten == one.estimate("x\n" * 1000).value
        assert (f"line-weights@seed:{type}", "") == (one.id, one.family)

    def test_there_are_no_other_types(self) -> None:
        assert tuple(type for type, _ in SEED) == TYPES
        for family in ("o200k", "claude-4.7"):
            assert set(TYPES) == set(weights()["p95"][family])

    @pytest.mark.parametrize(
        ("type", "lines", "tokens"),
        [("source", 1, 2), ("source", 3, 5), ("json-yaml", 4, 5), ("json-yaml", 5, 6)],
    )
    def test_it_is_rounded_up(self, type: str, lines: int, tokens: int) -> None:
        assert tokens == LineWeights("seed", type).estimate("x\n" * lines).value

    @pytest.mark.parametrize(
        ("type", "family", "ten"),
        [
            ("source", "o200k", 158),
            ("spec", "o200k", 380),
            ("test-plan", "o200k", 560),
            ("source", "claude-4.7", 260),
            ("spec", "claude-4.7", 600),
            ("test-plan", "claude-4.7", 970),
        ],
    )
    def test_p95_is_measured_for_a_family_that_it_names(
        self, type: str, family: str, ten: int
    ) -> None:
        one = LineWeights("p95", type, family)
        assert ten == one.estimate("x\n" * 10).value
        assert family == one.family

    @pytest.mark.parametrize(
        ("type", "o200k", "up", "down"),
        [
            ("acceptance", 102, 46, 30),
            ("module-docs", 330, 74, 44),
            ("source-verbose", 105, 78, 44),
            ("json-yaml", 119, 95, 61),
            ("test", 124, 85, 47),
            ("unknown", 167, 69, 40),
        ],
    )
    def test_what_was_not_measured_for_claude_is_derived_as_it_says(
        self, type: str, o200k: int, up: int, down: int
    ) -> None:
        """Not less than o200k's figure x the medians' quotient, and less than a tenth more."""
        tenths = weights()["p95"]["claude-4.7"][type]
        assert 0 <= tenths * down - o200k * up < down

    def test_a_type_that_nobody_knows_is_weighed_as_unknown(self) -> None:
        one = LineWeights("seed", "poem")
        assert (2, "line-weights@seed:unknown") == (one.estimate("x").value, one.id)

    def test_it_is_a_heuristic_without_a_bound(self) -> None:
        said = LineWeights("p95", "source").estimate("")
        assert (0, None, "tokens", "heuristic", None) == attrs.astuple(said)
        assert not hasattr(LineWeights("p95", "source"), "size")

    def test_a_version_or_family_without_weights_is_refused(self) -> None:
        for version, family in (("p99", "o200k"), ("p95", "llama3")):
            with pytest.raises(CurriculumError) as error:
                LineWeights(version, "source", family)
            assert "line-weights-unknown" == error.value.code


class TestById:
    """An id names one rule of thumb, and a rule says its id."""

    @pytest.mark.parametrize(
        "id",
        [
            "words@seed",
            "line-weights@seed:spec",
            "line-weights@p95:source",
            "line-weights@p95:test-plan:claude-4.7",
        ],
    )
    def test_an_id_leads_to_what_says_it(self, id: str) -> None:
        assert id == estimator_of(id).id

    @pytest.mark.parametrize(
        "id", ["", "words", "words@2", "words@seed:x", "lines@seed", "line-weights@seed:a:b"]
    )
    def test_any_other_id_is_refused(self, id: str) -> None:
        with pytest.raises(CurriculumError) as error:
            estimator_of(id)
        assert "estimator-unknown" == error.value.code


STEPS = """# Login
Scenario: a wrong word
- **Given** a person
- **When** they give a wrong word
- **Then** they are refused
"""
TABLE = """| Test | Steps | Wanted |
|------|-------|--------|
| login | give a wrong word | refused |
| logout | press it | gone |
"""
SOURCE = "def f(a):\n    return a + 1\n"


class TestArtifactTypes:
    """A type is recognised from path and text, and the reason is said."""

    @pytest.mark.parametrize(
        ("type", "path", "text"),
        [
            ("spec", ".paqad/specs/login.md", "# Login\n"),
            ("spec", "specs/001/plan.md", "# Plan\n"),
            ("spec", "C:\\work\\specs\\login.md", "# Login\n"),
            ("acceptance", "login.feature", ""),
            ("acceptance", "specs/login.md", STEPS),
            ("acceptance", "", STEPS),
            ("test-plan", "docs/test-plan.md", ""),
            ("test-plan", "docs/checks.md", TABLE),
            ("module-docs", "docs/modules/login/readme.md", "# Login\n"),
            ("source", "a.py", SOURCE),
            ("source", "a.TS", ""),
            ("source", "", SOURCE),
            ("source-verbose", "A.java", ""),
            ("source-verbose", "a/B.cs", ""),
            ("json-yaml", "a.json", "{}"),
            ("json-yaml", "a.yml", ""),
            ("json-yaml", "", '{"a": 1}\n'),
            ("test", "test_a.py", ""),
            ("test", "a_test.go", ""),
            ("test", "a.spec.ts", ""),
            ("test", "LoginTest.java", ""),
            ("test", "tests/strategies.py", ""),
            ("unknown", "README.md", "# Words\n\nSome of them.\n"),
            ("unknown", "a.toml", "a = 1\n"),
            ("unknown", "", ""),
            ("unknown", "latest.txt", "words"),
        ],
    )
    def test_a_type_is_recognised(self, type: str, path: str, text: str) -> None:
        found = recognise(path, text)
        assert type == found.type
        assert found.why

    def test_the_reason_has_the_numbers_that_it_rests_on(self) -> None:
        assert "3 of its 5 lines are steps (Given, When, Then)" == recognise("", STEPS).why
        assert "its name ends in .py" == recognise("a.py", "").why
        assert "it is Markdown in a folder .paqad/specs" == recognise(".paqad/specs/a.md", "").why

    @pytest.mark.parametrize("path", ["attest.py", "contest.ts", "latest.go", "Protest.java"])
    def test_a_word_that_ends_in_test_is_no_test(self, path: str) -> None:
        assert recognise(path, "").type.startswith("source")

    @pytest.mark.parametrize("path", ["/", ".", "..", "a/", "\0", "\ud800.md", "." * 999])
    def test_no_path_fails(self, path: str) -> None:
        assert recognise(path, "\ud800").type in TYPES
