"""Around a counter: one count of a whole request, a memory, and what stands in when it fails."""

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.count import remembered
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counter import Counter, Estimate
from curriculum.count.counters import Characters
from curriculum.count.exact import Exact
from curriculum.count.fallback import Degrading, Fallback, degrading
from curriculum.count.families import FAMILIES
from curriculum.count.registry import counter_of
from curriculum.count.remembered import Remembered
from curriculum.count.whole import count_whole
from curriculum.record.errors import CurriculumError

from .tokens import texts


class Counting(Counter):
    """Counts like `bytes@1` and says how often it was asked; `says` is said instead, or raised."""

    id, unit, bound_name, steady = "counting@1", "tokens", "proven", True

    def around(self, tools: bool) -> int:
        return 7 if tools else 3

    def __init__(self, says: Any = None) -> None:
        self.asked, self.says = 0, says

    def size(self, text: str) -> int:
        self.asked += 1
        if isinstance(self.says, BaseException):
            raise self.says
        return len(text.encode()) if self.says is None else self.says

    def estimate(self, text: str) -> Estimate:
        size = self.size(text)
        return Estimate(size, size, self.unit, "heuristic", self.bound_name)


class TestWhole:
    """Only the count of the whole request is called exact."""

    def test_parts_that_do_not_touch(self) -> None:
        """Digits, signs and blanks are pieces of their own: these joints add nothing."""
        made = count_whole(Exact("o200k"), [("text", "2 + 2"), ("frame", " = "), ("text", "4")])
        assert [4, 2, 1] == [part.alone.value for part in made.parts]
        assert (7, 0) == (made.whole.value, made.joints)
        assert {"text": 5, "frame": 2} == made.by_kind()

    def test_joints_below_zero(self) -> None:
        """Two blanks are one token each, and one together."""
        made = count_whole(Exact("o200k"), [("frame", " "), ("frame", " ")])
        assert [1, 1] == [part.alone.value for part in made.parts]
        assert (1, -1) == (made.whole.value, made.joints)

    def test_joints_above_zero(self) -> None:
        """NO and BODY are one token each, and three together: parts do not even bound the whole."""
        made = count_whole(Exact("o200k"), [("text", "NO"), ("text", "BODY")])
        assert [1, 1] == [part.alone.value for part in made.parts]
        assert (3, 1) == (made.whole.value, made.joints)
        assert 6 == Exact("o200k").size("NO") + Exact("o200k").size("BODY")

    def test_kind(self) -> None:
        """The kind is the counter's: bytes as a bound of tokens are not exact."""
        parts = [("text", "hello world")]
        assert "exact" == count_whole(Exact("o200k"), parts).whole.kind
        assert "heuristic" == count_whole(ByteBound(), parts).whole.kind

    def test_no_parts(self) -> None:
        """A request without parts has nothing, and no joints."""
        made = count_whole(Exact("o200k"), [])
        assert ((), 0, 0) == (made.parts, made.whole.value, made.joints)

    @settings(max_examples=150)
    @given(parts=st.lists(texts, max_size=6))
    def test_adds_up(self, parts: list[str]) -> None:
        """Parts + joints = whole, for any division."""
        made = count_whole(Exact("o200k"), [("text", part) for part in parts])
        assert Exact("o200k").count("".join(parts)) == (
            sum(part.alone.value for part in made.parts) + made.joints
        )


class TestRemembered:
    """A text is counted once, and the answers are those of the counter inside."""

    def test_counts_once(self) -> None:
        inner = Counting()
        counter = Remembered(inner)
        assert [5, 5, 5] == [counter.size("hello"), counter.size("hel" + "lo"), inner.size("hello")]
        assert 2 == inner.asked
        assert counter.estimate("hello") == counter.estimate("hello")
        assert 3 == inner.asked
        assert ("counting@1", "tokens", "proven") == (counter.id, counter.unit, counter.bound_name)
        assert (7, 3, True) == (counter.around(True), counter.around(False), counter.steady)

    def test_bounded(self) -> None:
        """The oldest is forgotten first; one that is forgotten is counted again."""
        inner = Counting()
        counter = Remembered(inner, entries=2)
        for text in ("a", "b", "c", "b", "c", "a"):
            counter.size(text)
        assert 4 == inner.asked

    def test_held_text_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Long texts are known by their hash alone: no more than so many characters are held."""
        monkeypatch.setattr(remembered, "NEAR", 10)
        inner = Counting()
        counter = Remembered(inner)
        for text in ("x" * 11, "y" * 6, "z" * 6, "x" * 11, "y" * 6):
            assert len(text) == counter.size(text)
            assert 10 >= sum(map(len, counter._sizes._near))
        assert 3 == inner.asked

    def test_failure_is_not_remembered(self) -> None:
        inner = Counting(OSError("gone"))
        counter = Remembered(inner)
        with pytest.raises(OSError, match="gone"):
            counter.size("hello")
        inner.says = None
        assert 5 == counter.size("hello")

    def test_nothing_to_remember(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            Remembered(Counting(), entries=0)

    @settings(max_examples=150)
    @given(asked=st.lists(texts | st.sampled_from(["a", "b", " "]), max_size=12))
    @pytest.mark.parametrize("entries", [1, 3, 100])
    def test_as_the_counter_inside(self, entries: int, asked: list[str]) -> None:
        """Whatever is asked, in whatever order, with however small a memory."""
        for inner in (Exact("o200k"), Characters()):
            counter = Remembered(inner, entries)
            for text in [*asked, *reversed(asked)]:
                assert inner.size(text) == counter.size(text)
                assert inner.estimate(text) == counter.estimate(text)

    def test_lone_surrogate_is_for_the_counter(self) -> None:
        with pytest.raises(UnicodeEncodeError):
            Remembered(Exact("o200k")).size("\ud800")
        assert 1 == Remembered(Characters()).size("\ud800")


class TestFallback:
    """Characters // 3 is a guess; the family's bound in bytes is what a budget admits by."""

    @pytest.mark.parametrize(
        ("family", "text", "value", "bound", "name"),
        [
            ("o200k", "hello world", 3, 11, "proven"),
            ("mistral-spm", "hello world", 3, 12, "proven"),
            ("claude-4.7", "hello world", 3, 22, "assumed"),
            ("o200k", "", 0, 0, "proven"),
            ("o200k", "\u4f60\u597d\u4e16\u754c", 1, 12, "proven"),
            ("qwen3", "\xe9", 0, 3, "proven"),
        ],
    )
    def test_estimate(self, family: str, text: str, value: int, bound: int, name: str) -> None:
        counter = counter_of(f"fallback@1:{family}")
        assert Estimate(value, bound, "tokens", "fallback", name) == counter.estimate(text)
        assert bound == counter.size(text)
        assert name == counter.bound_name

    def test_unknown_family(self) -> None:
        with pytest.raises(CurriculumError, match="family-unknown"):
            counter_of("fallback@1")


class TestDegrading:
    """A budget never fails because a tokenizer does, and says so when one did."""

    def test_sound_counter(self) -> None:
        """A counter that works is used as it is."""
        counter = degrading(Exact("o200k"), "o200k")
        assert Exact("o200k").estimate("hello world") == counter.estimate("hello world")
        assert Exact("o200k").size("hello world") == counter.size("hello world")
        assert {} == counter.failures
        assert ("degrading@1:o200k", "tokens", "proven") == (
            counter.id,
            counter.unit,
            counter.bound_name,
        )

    class Panic(BaseException):
        """What a panic of a Rust library raises: no Exception."""

    @pytest.mark.parametrize(
        ("says", "why"),
        [
            (OSError("gone"), "OSError"),
            (TimeoutError(), "timed-out"),
            (MemoryError(), "MemoryError"),
            (Panic(), "Panic"),
            (-1, "nonsense"),
            (True, "nonsense"),
            (2.0, "nonsense"),
            ("2", "nonsense"),
            (0, "nonsense"),
            (12, "nonsense"),
        ],
        ids=lambda value: f"{value}",
    )
    def test_failing_counter(self, says: Any, why: str) -> None:
        """11 bytes are at most 11 tokens and at least one; 3 is the guess."""
        counter = Degrading(Counting(says), "o200k")
        assert Estimate(3, 11, "tokens", "fallback", "proven") == counter.estimate("hello world")
        assert 11 == counter.size("hello world")
        assert {why: 2} == counter.failures

    @pytest.mark.parametrize(
        "made",
        [
            None,
            2,
            Estimate(2, 1, "chars", "exact", "proven"),
            Estimate(2, None, "tokens", "exact", "proven"),
            Estimate(2, 2, "tokens", "exact", None),
            Estimate(2, 12, "tokens", "exact", "proven"),
        ],
    )
    def test_estimate_that_is_none(self, made: Any) -> None:
        """Another unit, a bound without its name, or a bound over the bytes is no estimate."""
        inner = Counting()
        inner.estimate = lambda text: made  # type: ignore[method-assign]
        assert "fallback" == Degrading(inner, "o200k").estimate("hello world").kind

    def test_nothing_has_nothing(self) -> None:
        """0 is right for no text, and 1 is not."""
        assert 0 == Degrading(Counting(0), "o200k").size("")
        counter = Degrading(Counting(1), "o200k")
        assert 0 == counter.size("")
        assert {"nonsense": 1} == counter.failures

    def test_lone_surrogate(self) -> None:
        """Half a character is counted as what is sent for it, U+FFFD: three bytes."""
        assert 4 == degrading(Exact("o200k"), "o200k").size("a\ud800")

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
    def test_interrupt(self, stop: type[BaseException]) -> None:
        """A person who stops the run is not a failing counter."""
        with pytest.raises(stop):
            Degrading(Counting(stop()), "o200k").size("a")
        with pytest.raises(stop):
            Degrading(Counting(stop()), "o200k", seconds=60).size("a")

    def test_hanging_counter(self) -> None:
        """A count that takes too long is left alone, and the counter is not asked again."""
        release, asked = threading.Event(), list[str]()

        class Hanging(Counting):
            def size(self, text: str) -> int:
                asked.append(text)
                release.wait()
                return 1

        counter = degrading(Hanging(), "o200k", seconds=0)
        assert 5 == counter.size("hello")
        assert 2 == counter.size("hi")
        release.set()
        assert {"timed-out": 2} == counter.failures
        assert len(asked) <= 1

    def test_in_time(self) -> None:
        """A count that is made in time is the counter's, and so is what it raises."""
        assert 2 == degrading(Exact("o200k"), "o200k", seconds=60).estimate("hello world").value
        counter = degrading(Counting(OSError()), "o200k", seconds=60)
        assert 2 == counter.size("hi")
        assert {"OSError": 1} == counter.failures

    def test_weaker_bound(self) -> None:
        """The bound is no better than the weaker of the two."""
        assert "assumed" == degrading(ByteBound("o200k"), "claude-3").bound_name

    def test_other_unit(self) -> None:
        """A counter of characters cannot fall back on tokens."""
        with pytest.raises(CurriculumError, match="counter-unit"):
            degrading(Characters(), "o200k")

    def test_not_from_its_id(self) -> None:
        """No other run falls back where this one did."""
        with pytest.raises(CurriculumError, match="counter-of-its-run"):
            counter_of("degrading@1:o200k")

    @settings(max_examples=100)
    @given(text=st.text(st.characters(codec=None), max_size=20), says=st.integers(-2, 90))
    def test_never_raises(self, text: str, says: int) -> None:
        for family in FAMILIES:
            counter = Degrading(Counting(says), family)
            made = counter.estimate(text)
            assert made.bound is not None
            assert counter.size(text) <= Fallback(family).size(text)
