"""Tokenizer families, and the bound that holds for each by construction, in UTF-8 bytes.

A byte-level BPE token covers at least one byte. SentencePiece with byte fallback is the same,
and one piece more for the blank that it puts before a text. Claude's tokenizer is not published:
twice the bytes is more than anyone has found (1.67 a byte on made-up patterns), and no proof.
Qwen brings a text to Unicode's form C before it counts. That can make it longer (U+1D160: 4 bytes
become 12, 6 tokens), but never longer than form D, whose bytes add up.
"""

from typing import Literal
from unicodedata import normalize

import attrs

from curriculum.record.errors import CurriculumError

from .counters import utf8


@attrs.frozen
class Family:
    """A tokenizer family: tokens of a text <= `factor` x its bytes + `more`; see `bound`.

    `bound_name` is `proven` where that follows from how the tokenizer works, else `assumed`.
    `exact` names the vocabulary that the `exact` extra counts it with, empty if there is none.
    """

    id: str
    title: str
    algorithm: str
    exact: str = ""
    normal: Literal["", "NFC"] = ""
    """The Unicode form that a text is brought to before it is counted."""

    def form(self, text: str) -> str:
        """`text` as the tokenizer reads it."""
        return normalize(self.normal, text) if self.normal and not text.isascii() else text

    def bound(self, text: str) -> int:
        """The most tokens that `text` makes alone, and those of parts add up; 0 for no text."""
        if self.normal and not text.isascii():
            text = normalize("NFD", text)
        return self.factor * utf8(text) + (self.more if text else 0)

    @property
    def factor(self) -> int:
        """Tokens that one byte makes at most."""
        return 2 if self.algorithm == "claude" else 1

    @property
    def more(self) -> int:
        """Tokens that a text makes at most beside those of its bytes."""
        return int(self.algorithm == "sentencepiece")

    @property
    def bound_name(self) -> str:
        """By what right the bound holds."""
        return "assumed" if self.algorithm == "claude" else "proven"


_ALL = (
    Family("o200k", "GPT-4o and later", "byte-bpe", "o200k_base"),
    Family("cl100k", "GPT-4, GPT-3.5", "byte-bpe", "cl100k_base"),
    Family("llama3", "Llama 3", "byte-bpe", "llama3"),
    Family("qwen3", "Qwen 3", "byte-bpe", "qwen3", "NFC"),
    Family("deepseek-v3", "DeepSeek V3", "byte-bpe", "deepseek_v3"),
    Family("tekken", "Mistral Tekken", "byte-bpe", "mistral_v3"),
    Family("glm4", "GLM 4", "byte-bpe", "glm4"),
    Family("kimi-k2", "Kimi K2", "byte-bpe", "kimi_k2"),
    Family("mistral-spm", "Mistral v1, SentencePiece", "sentencepiece", "mistral_v1"),
    Family("llama2", "Llama 2, SentencePiece", "sentencepiece", "llama2"),
    Family("gemma", "Gemma and Gemini, SentencePiece", "sentencepiece"),
    Family("claude-3", "Claude 3 to 4.6", "claude"),
    Family("claude-4.7", "Claude 4.7 and later", "claude"),
)
FAMILIES = {family.id: family for family in _ALL}


def family_of(id: str) -> Family:
    """The family called `id`. Raises `CurriculumError` for one that is not known."""
    if id in FAMILIES:
        return FAMILIES[id]
    raise CurriculumError(
        f"No tokenizer family is called {id!a}.",
        f"known: {', '.join(FAMILIES)}",
        code="family-unknown",
        next="curriculum models",
    )
