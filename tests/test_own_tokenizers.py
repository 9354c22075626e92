"""Counters from a tokenizer file that the user has."""

import json
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import pytest
import splintr
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.count.adapters import FromFile, huggingface_file, tiktoken_encoding, tiktoken_file
from curriculum.count.exact import Exact
from curriculum.count.families import family_of
from curriculum.count.patterns import PATTERNS
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError

from .tokens import texts

VOCABULARIES = {
    "o200k": ("o200k_base", 199_998),
    "cl100k": ("cl100k_base", 100_256),
    "llama3": ("llama3", 128_000),
    "qwen3": ("qwen3", 151_643),
    "glm4": ("glm4", 151_329),
}
"""Splintr's name of a vocabulary, and how many entries it has before its special tokens."""
HASHES = {
    "o200k": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""SHA-256 of the files that OpenAI publishes."""


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The `.tiktoken` file of a family, written from the entries that splintr has."""
    folder, made = tmp_path_factory.mktemp("vocabularies"), dict[str, Path]()

    def of(family: str) -> Path:
        if family not in made:
            name, entries = VOCABULARIES[family]
            tokenizer = splintr.Tokenizer.from_pretrained(name)
            tokens = map(tokenizer.decode_token_bytes, range(entries))
            lines = [b64encode(token) + b" %d\n" % id for id, token in enumerate(tokens)]
            made[family] = folder / f"{family}.tiktoken"
            made[family].write_bytes(b"".join(lines))
        return made[family]

    return of


def refused(call: Any) -> CurriculumError:
    with pytest.raises(CurriculumError) as caught:
        call()
    return caught.value


class TestTiktokenFile:
    @pytest.mark.parametrize("family", HASHES)
    def test_published_file(self, vocabulary: Any, family: str) -> None:
        """The file is OpenAI's, byte for byte, and the id says so."""
        data = vocabulary(family).read_bytes()
        assert HASHES[family] == sha256(data).hexdigest()
        assert (
            f"tiktoken@1:{family}#{HASHES[family][:8]}"
            == tiktoken_file(vocabulary(family), family).id
        )

    @pytest.mark.parametrize("family", PATTERNS)
    @settings(max_examples=120)
    @given(text=texts)
    def test_counts_as_exact(self, vocabulary: Any, family: str, text: str) -> None:
        """Two engines, one vocabulary: the same count, for whatever text."""
        counter = self.counter(vocabulary(family), family)
        assert Exact(family).count(text) == counter.count(text)
        assert Exact(family).size(text) == counter.size(text)
        assert "proven" == counter.bound_name

    made: ClassVar[dict[str, FromFile]] = {}

    def counter(self, path: Path, family: str) -> FromFile:
        if family not in self.made:
            self.made[family] = tiktoken_file(path, family)
        return self.made[family]

    def test_other_family(self, vocabulary: Any) -> None:
        """A file under another family's name is found out by what is known of the family."""
        error = refused(lambda: tiktoken_file(vocabulary("o200k"), "cl100k"))
        assert "tokenizer-file-wrong" == error.code
        assert "has 9 tokens in cl100k, it says 8" in error.evidence[0]

    def test_no_pattern(self, tmp_path: Path) -> None:
        assert "family-no-pattern" == refused(lambda: tiktoken_file(tmp_path / "x", "tekken")).code

    @pytest.mark.parametrize(
        ("data", "why"),
        [
            (b"", "of the 256 bytes it lacks 256, so it cannot count every text"),
            (b"IQ== 0\n", "of the 256 bytes it lacks 255, so it cannot count every text"),
            (b"IQ== 0\nnot base64 1\n", "line 2 is no token in base64 and its rank"),
            (b"IQ== x\n", "line 1 is no token in base64 and its rank"),
            (b"IQ==\n", "line 1 is no token in base64 and its rank"),
            (b"\x00\xff\x7fELF", "line 1 is no token in base64 and its rank"),
        ],
    )
    def test_wrong(self, tmp_path: Path, data: bytes, why: str) -> None:
        path = tmp_path / "own.tiktoken"
        path.write_bytes(data)
        error = refused(lambda: tiktoken_file(path, "o200k"))
        assert ("tokenizer-file-wrong", (why,)) == (error.code, error.evidence)

    def test_ranks_twice(self, tmp_path: Path) -> None:
        path = tmp_path / "own.tiktoken"
        path.write_bytes(b"".join(b64encode(bytes([n])) + b" 7\n" for n in range(256)))
        error = refused(lambda: tiktoken_file(path, "o200k"))
        assert ("256 tokens have 1 different ranks",) == error.evidence

    def test_missing_file(self, tmp_path: Path) -> None:
        assert (
            "tokenizer-file-missing" == refused(lambda: tiktoken_file(tmp_path / "x", "o200k")).code
        )
        assert "tokenizer-file-unreadable" == refused(lambda: tiktoken_file(tmp_path, "o200k")).code
        assert (
            "tokenizer-file-missing"
            == refused(lambda: huggingface_file(tmp_path / "x", "o200k")).code
        )
        assert "family-unknown" == refused(lambda: tiktoken_file(tmp_path / "x", "gpt-9")).code

    def test_missing_extra(self, vocabulary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tiktoken", None)
        error = refused(lambda: tiktoken_file(vocabulary("cl100k"), "cl100k"))
        assert ("extra-missing", 'pip install "curriculum[tiktoken]"') == (error.code, error.next)

    def test_its_id_needs_the_file(self) -> None:
        """The id names the file by its hash; without the file nothing can count again."""
        for name in ("tiktoken@1:o200k#446a9538", "huggingface@1:llama3#446a9538"):
            error = refused(lambda name=name: counter_of(name))
            assert "counter-needs-file" == error.code
            assert ("its SHA-256 starts with 446a9538",) == error.evidence


class TestTiktokenEncoding:
    def test_as_its_file(self, vocabulary: Any) -> None:
        """An Encoding has the id of its file, special tokens or not, and counts them as text."""
        ranks = {bytes(token): rank for rank, token in enumerate(_tokens(vocabulary("cl100k")))}
        special = {"<|endoftext|>": 100257}
        made = tiktoken.Encoding(
            "cl100k_base", pat_str=PATTERNS["cl100k"], mergeable_ranks=ranks, special_tokens=special
        )
        counter = tiktoken_encoding(made, "cl100k")
        assert "tiktoken@1:cl100k#223921b7" == counter.id
        assert 9 == counter.count("a<|endoftext|>b")
        assert "assumed" == counter.bound_name
        assert "exact" == counter.estimate("hello world").kind


def _tokens(path: Path) -> list[bytes]:
    from base64 import b64decode

    return [b64decode(line.split()[0]) for line in path.read_bytes().splitlines()]


def tokenizer_json(**more: Any) -> dict[str, Any]:
    """A byte-level tokenizer of 256 bytes and one merge, with a token before each text."""
    from tokenizers.pre_tokenizers import ByteLevel

    alphabet = sorted(ByteLevel.alphabet())
    vocab = {sign: id for id, sign in enumerate(alphabet)} | {"he": 256}
    added = [
        {"id": 257, "content": "<s>", "special": True},
        {"id": 258, "content": "<think>", "special": False},
        {"id": 256, "content": "he", "special": False},
    ]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "truncation": {
            "direction": "Right",
            "max_length": 4,
            "strategy": "LongestFirst",
            "stride": 0,
        },
        "padding": None,
        "added_tokens": [{**one, **flags} for one in added],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "<s>", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
            ],
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 0}},
            ],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [257], "tokens": ["<s>"]}},
        },
        "decoder": None,
        "model": {"type": "BPE", "vocab": vocab, "merges": ["h e"], "byte_fallback": False},
        **more,
    }


class TestHuggingFace:
    @pytest.fixture
    def file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A file of a family of which no counts are known."""
        from curriculum.count import known

        monkeypatch.delitem(known.KNOWN, "o200k")
        path = tmp_path / "tokenizer.json"
        path.write_text(json.dumps(tokenizer_json()), encoding="utf-8")
        return path

    def test_counts(self, file: Path) -> None:
        """No token before the text, no truncation, added tokens as text: 3 + 7 letters."""
        counter = huggingface_file(file, "o200k")
        assert 9 == counter.count("<s><think>"[:9])
        assert 10 == counter.count("<s><think>")
        assert 4 == counter.count("hello")
        assert 0 == counter.count("")
        hash = sha256(file.read_bytes()).hexdigest()[:8]
        assert f"huggingface@1:o200k#{hash}" == counter.id
        assert "assumed" == counter.bound_name

    @settings(max_examples=100)
    @given(parts=st.lists(texts, max_size=5))
    def test_sum(self, parts: list[str]) -> None:
        made = self.made()
        assert made.count("".join(parts)) <= sum(map(made.size, parts))

    _made: FromFile | None = None

    @classmethod
    def made(cls) -> FromFile:
        if cls._made is None:
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_str(
                json.dumps(
                    {
                        **tokenizer_json(),
                        "truncation": None,
                        "post_processor": None,
                        "added_tokens": [],
                    }
                )
            )
            cls._made = FromFile(
                "own", family_of("o200k"), lambda text: len(tokenizer.encode(text).ids), "assumed"
            )
        return cls._made

    @pytest.mark.parametrize(
        "data",
        [b"", b"{}", b"[]", b"\xff\xfe", b'{"model": {"vocab": {}}}', b'{"model": 7}'],
    )
    def test_wrong(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "tokenizer.json"
        path.write_bytes(data)
        assert "tokenizer-file-wrong" == refused(lambda: huggingface_file(path, "o200k")).code

    def test_other_family(self, tmp_path: Path) -> None:
        """256 bytes and one merge are not Llama 3."""
        path = tmp_path / "tokenizer.json"
        path.write_text(json.dumps(tokenizer_json()), encoding="utf-8")
        error = refused(lambda: huggingface_file(path, "llama3"))
        assert ("'hello world' has 2 tokens in llama3, it says 10",) == error.evidence

    def test_missing_extra(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tokenizers", None)
        error = refused(lambda: huggingface_file(file, "o200k"))
        assert ("extra-missing", 'pip install "curriculum[huggingface]"') == (
            error.code,
            error.next,
        )
