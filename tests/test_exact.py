"""Exact counting: what is counted, what a part may be given, and how it proves itself."""

import builtins
import site
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn
from curriculum.context.budget import ContextBudget
from curriculum.count import exact
from curriculum.count.counter import Estimate
from curriculum.count.exact import Exact
from curriculum.count.families import FAMILIES, family_of
from curriculum.count.parts import Parts
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError
from curriculum.trace.facts import View
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat

from .tokens import ATOMS, EXACT, texts

families = pytest.mark.parametrize("family", EXACT)
many = settings(max_examples=120)
ITEMS = (
    ('{"role":"user","content":"Please read the file and tell me what it does."}', 5, 3),
    ('{"role":"tool","tool_call_id":"c1","content":"def f(x):\\n    return x\\n"}', 5, 3),
    ('{"role":"user","content":"\u8bf7\u9605\u8bfb\u8fd9\u4e2a\u6587\u4ef6\u3002"}', 7, 3),
)
"""Messages, and the most tokens that a part pays for its joints: byte-level, SentencePiece."""


@pytest.fixture
def fresh() -> Any:
    """Vocabularies are read anew before and after the test."""
    exact._loaded.cache_clear()
    yield
    exact._loaded.cache_clear()


def refused(call: Any) -> CurriculumError:
    with pytest.raises(CurriculumError) as caught:
        call()
    return caught.value


class TestKnownCounts:
    """The counts that are published, and those of the models' own tokenizers."""

    @pytest.mark.parametrize(
        ("text", "cl100k", "o200k"),
        [
            ("hello world", 2, 2),
            ("tiktoken is great!", 6, 6),
            ("antidisestablishmentarianism", 6, 6),
            ("2 + 2 = 4", 7, 7),
            ("お誕生日おめでとう", 9, 8),
            ("a<|endoftext|>b", 9, 9),
            ("", 0, 0),
        ],
    )
    def test_openai(self, text: str, cl100k: int, o200k: int) -> None:
        """As published in the cookbook; a special token's name is nine tokens of text."""
        assert cl100k == Exact("cl100k").count(text)
        assert o200k == Exact("o200k").count(text)

    @pytest.mark.parametrize(
        ("family", "hello", "digits"),
        [
            ("llama3", 2, 3),
            ("qwen3", 2, 7),
            ("deepseek-v3", 2, 3),
            ("tekken", 2, 7),
            ("mistral-spm", 3, 8),
            ("llama2", 2, 8),
        ],
    )
    def test_others(self, family: str, hello: int, digits: int) -> None:
        """Digits go by threes or one by one; SentencePiece puts a blank before a text."""
        assert hello == Exact(family).count("hello world")
        assert digits == Exact(family).count("1234567")

    def test_estimate(self) -> None:
        """A text that stands alone is exact, and its bound is its count."""
        assert Estimate(2, 2, "tokens", "exact", "proven") == Exact("o200k").estimate("hello world")

    def test_unicode_form_of_qwen(self) -> None:
        """Qwen composes first: e and its accent are one token, a note of 4 bytes becomes six."""
        assert 1 == Exact("qwen3").count("e\u0301")
        assert 6 == Exact("qwen3").count("\U0001d160")
        assert 2 == Exact("o200k").count("e\u0301")


@families
class TestAsText:
    """Nothing is put before a text, and no text can pass for a special token."""

    @pytest.mark.parametrize(
        "name",
        ["<|endoftext|>", "<|im_start|>", "<|eot_id|>", "<s>", "</s>", "[INST]", "<|think|>"],
    )
    def test_special_names(self, family: str, name: str) -> None:
        """A name costs what its letters cost: more than one token, wherever it stands."""
        count = Exact(family).count
        assert count(name) > 1
        assert count(f"a{name}b") > count("ab")

    def test_nothing_is_nothing(self, family: str) -> None:
        """No boundary token is counted: an empty text has none."""
        assert 0 == Exact(family).count("")
        assert 0 == Exact(family).size("")


@families
class TestBound:
    """A token covers at least a byte, so bytes are never passed."""

    @many
    @given(text=texts)
    def test_bytes(self, family: str, text: str) -> None:
        assert Exact(family).count(text) <= family_of(family).bound(text)

    @many
    @given(text=st.text())
    def test_bytes_of_any_text(self, family: str, text: str) -> None:
        assert Exact(family).count(text) <= family_of(family).bound(text)

    def test_bytes_of_every_composed_letter(self, family: str) -> None:
        """The worst of each script: what Unicode's form C makes longer, and its neighbours."""
        count, bound = Exact(family).count, family_of(family).bound
        for start in range(0, 0x1E000, 16):
            text = "".join(map(chr, range(start, start + 16)))
            if not 0xD800 <= start < 0xE000:
                assert count(text) <= bound(text), hex(start)

    def test_files(self, family: str) -> None:
        """Files of installed packages, one in so many of those there are, by name."""
        count, bound = Exact(family).count, family_of(family).bound
        paths = sorted(Path(site.getsitepackages()[0]).glob("*/*.py"))
        sample = paths[:: max(1, len(paths) // 60)]
        assert len(sample) >= 20
        for path in sample:
            text = path.read_text("utf-8", errors="replace")[:100_000]
            assert count(text) <= bound(text), path.name


@families
class TestParts:
    """The sizes of parts add up to a bound of the whole, however it is divided."""

    @settings(max_examples=120)
    @example(parts=["{", '"role"', ":"])
    @example(parts=["don", "'", "t stop"])
    @example(parts=["a ", " b"])
    @example(parts=["12", "34", "56"])
    @example(parts=["x\n", "\n", "\ny"])
    @example(parts=["e", "\u0301"])
    @example(parts=["\xe9", "\u0323 x", " y"])
    @example(parts=["\u1112", "\u1161", "\u11ab"])
    @example(parts=['{"role":"user","content":"a"}', ",", '{"role":"user","content":"a"}'])
    @given(parts=st.lists(texts, max_size=6))
    def test_sum(self, family: str, parts: list[str]) -> None:
        counter = Exact(family)
        assert counter.count("".join(parts)) <= sum(map(counter.size, parts))

    @settings(max_examples=120)
    @given(text=texts, data=st.data())
    def test_every_cut(self, family: str, text: str, data: st.DataObject) -> None:
        """One text cut at every character, and in two at each place."""
        counter = Exact(family)
        whole = counter.count(text)
        assert whole <= sum(map(counter.size, text))
        for at in data.draw(st.lists(st.integers(0, len(text)), max_size=8)):
            assert whole <= counter.size(text[:at]) + counter.size(text[at:])

    @many
    @given(text=texts)
    def test_between_count_and_bytes(self, family: str, text: str) -> None:
        """A part costs at least what it has alone, and no more than its bytes."""
        counter = Exact(family)
        assert counter.count(text) <= counter.size(text) <= family_of(family).bound(text)

    @pytest.mark.parametrize(("item", "split", "merged"), ITEMS, ids=["user", "tool", "chinese"])
    def test_a_message_pays_little(self, family: str, item: str, split: int, merged: int) -> None:
        """What a message of a request is charged for its joints: a few tokens."""
        counter = Exact(family)
        most = merged if family_of(family).algorithm == "sentencepiece" else split
        assert 0 <= counter.size(item) - counter.count(item) <= most


CONTEXTS = [
    ("", ""),
    (" ", "t re"),
    ("I don'", "s 12"),
    ("1", "2"),
    ("\n ", "\u0301\n"),
    ("<", ">>"),
]


@families
class TestFixedPlaces:
    """Across a fixed place nothing is ever joined, whatever stands around it."""

    def test_every_pair(self, family: str) -> None:
        """The tokens before such a place and those behind it add up exactly."""
        parts, fixed = Exact(family).parts, 0
        for left, right in product(ATOMS, ATOMS):
            if parts.places(left[-1] + right[0]) is None:
                continue
            fixed += 1
            for before, behind in CONTEXTS:
                self.adds_up(parts, before + left, right + behind)
        assert 500 < fixed < len(ATOMS) ** 2

    @many
    @given(left=texts.filter(bool), right=texts.filter(bool))
    def test_any_text(self, family: str, left: str, right: str) -> None:
        parts = Exact(family).parts
        if parts.places(left[-1] + right[0]) is not None:
            self.adds_up(parts, left, right)

    @staticmethod
    def adds_up(parts: Parts, left: str, right: str) -> None:
        # SentencePiece puts a blank before a text: then one character stands before `right`.
        lead = left[-1] if parts.family.more else ""
        alone = parts.count(left) + parts.count(lead + right) - parts.count(lead)
        assert parts.count(left + right) == alone, (left, right)


class TestRefusals:
    """It can never degrade in silence."""

    def test_unknown(self) -> None:
        assert "family-unknown" == refused(lambda: Exact("gpt-9")).code
        assert "family-unknown" == refused(lambda: counter_of("exact@1")).code

    def test_not_exact(self) -> None:
        """Claude's and Gemma's vocabularies are in no package that needs no network."""
        error = refused(lambda: counter_of("exact@1:claude-4.7"))
        assert "family-not-exact" == error.code
        assert "use bytes@1:claude-4.7" == error.next

    def test_missing(self, fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without the extra it says what to install."""
        monkeypatch.setitem(sys.modules, "splintr", None)
        error = refused(lambda: Exact("o200k"))
        assert "extra-missing" == error.code
        assert 'pip install "curriculum[exact]"' == error.next

    def test_missing_is_never_hidden_by_what_was_loaded(
        self, fresh: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A failure is not remembered: once it is installed, it counts."""
        load, broken = builtins.__import__, True

        def without(name: str, *rest: Any, **more: Any) -> Any:
            if name == "splintr" and broken:
                raise ImportError(name=name)
            return load(name, *rest, **more)

        monkeypatch.setattr(builtins, "__import__", without)
        assert "extra-missing" == refused(lambda: Exact("o200k")).code
        broken = False
        assert 2 == Exact("o200k").count("hello world")

    @families
    def test_bytes_for_tokens(
        self, fresh: None, monkeypatch: pytest.MonkeyPatch, family: str
    ) -> None:
        """A library that says bytes where it has no vocabulary is found out."""
        self.degrade(monkeypatch, lambda text: list(text.encode()))
        error = refused(lambda: Exact(family))
        assert "tokenizer-degraded" == error.code
        assert "it said 11" in error.evidence[0]
        assert 'pip install --force-reinstall "curriculum[exact]"' == error.next

    def test_specials_taken_for_tokens(self, fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
        """So is one that takes a special token's name for the token: 3 instead of 9."""
        from splintr import Tokenizer

        admits = Tokenizer.from_pretrained("o200k_base").encode_with_special
        self.degrade(monkeypatch, admits)
        error = refused(lambda: Exact("o200k"))
        assert ("'a<|endoftext|>b' has 9 tokens, it said 3",) == error.evidence

    def test_no_vocabulary(self, fresh: None, monkeypatch: pytest.MonkeyPatch) -> None:
        """A release that lost a vocabulary is no traceback."""

        def lost(name: str) -> None:
            raise ValueError(name)

        monkeypatch.setattr("splintr.Tokenizer", type("T", (), {"from_pretrained": lost}))
        assert "tokenizer-degraded" == refused(lambda: Exact("glm4")).code

    def test_lone_surrogate(self) -> None:
        """Half a character is no text: records never hold one, and it is not guessed at."""
        with pytest.raises(UnicodeEncodeError):
            Exact("o200k").count("\ud800")

    @staticmethod
    def degrade(monkeypatch: pytest.MonkeyPatch, encode: Any) -> None:
        class Silent:
            encode_ordinary = staticmethod(encode)

            @staticmethod
            def from_pretrained(name: str) -> "Silent":
                return Silent()

            @staticmethod
            def decode_token_bytes(id: int) -> bytes:
                return b"x"

        monkeypatch.setattr("splintr.Tokenizer", Silent)


class TestInARun:
    """A run measured exactly keeps its laws, and its requests stay under their bound."""

    @pytest.mark.parametrize("family", ["o200k", "qwen3", "mistral-spm"])
    @pytest.mark.parametrize("limit", [75, 110, 400])
    def test_laws(self, family: str, limit: int) -> None:
        trace = Recorder()
        runner = AgentRunner(
            model=ScriptedModel([Turn("It is done."), Turn("Once more.")]),
            tools={},
            budget=ContextBudget(max_input_tokens=limit),
            trace=trace,
            wire=OpenAIChat(),
            counter=Exact(family),
        )
        runner.run("Read it, don't skip a line.", "\u8bf7\u9605\u8bfb 1234 files\u3002 " * 3)
        read = Trace.parse(trace.text())
        assert [] == list(breaches(read))
        view, whole = View(read), Exact(family).count
        made = [event for event in read.of("context.assemble") if event.data.refused is None]
        assert made
        for event in made:
            assert whole(view.rebuilt(event).text) <= event.data.size <= limit

    def test_families(self) -> None:
        """Each family that names a vocabulary can be had by its id."""
        for id in EXACT:
            assert f"exact@1:{id}" == counter_of(f"exact@1:{id}").id
        assert 10 == len(EXACT) == sum(bool(family.exact) for family in FAMILIES.values())
