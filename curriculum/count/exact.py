"""Exact counting of a text by the vocabulary itself: `exact@1:FAMILY`, with the `exact` extra.

The vocabularies come in the wheel of `splintr-rs`: nothing is fetched. A text is counted as it
stands: nothing is put before it, and the name of a special token is counted as the words that it
is, so that no text can pass for one (its `encode_ordinary`; with `encode` or `encode_raw` it is
one token). Qwen's tokenizer brings a text to Unicode's form C first; so does this counter.
"""

from collections.abc import Callable
from functools import cache

from curriculum.record.errors import CurriculumError

from .counter import Counter, Estimate
from .families import FAMILIES, Family, family_of
from .known import first_wrong
from .parts import Parts, merge_places, split_places

INSTALL = 'pip install "curriculum[exact]"'


class Exact(Counter):
    """Tokens of a family, exact for a text that stands alone; a bound for a part of a request.

    What a provider adds around the request is not in it. Making one counts a few texts whose
    counts are known. Raises `CurriculumError`: `family-unknown`, `family-not-exact`,
    `extra-missing`, `tokenizer-degraded`; counting a lone surrogate raises `UnicodeEncodeError`.
    """

    unit = "tokens"
    bound_name = "proven"
    steady = False

    def __init__(self, family: str = "") -> None:
        self.family = family_of(family)
        if not self.family.exact:
            raise CurriculumError(
                f"No exact counter of {family} works without a network.",
                f"exact: {', '.join(one.id for one in FAMILIES.values() if one.exact)}",
                code="family-not-exact",
                next=f"use bytes@1:{family}",
            )
        self.id = f"exact@1:{family}"
        self.parts = _loaded(self.family)
        self.count = self.parts.count
        prove(self.id, self.family, self.count)

    def size(self, text: str) -> int:
        """Tokens of `text` as a part of a request, with the most that its joints can add."""
        return self.parts.size(text)

    def estimate(self, text: str) -> Estimate:
        """The tokens of `text` alone."""
        count = self.count(text)
        return Estimate(count, count, self.unit, "exact", self.bound_name)


def prove(id: str, family: Family, count: Callable[[str], int]) -> None:
    """Raise `tokenizer-degraded` unless `count` says what is known of a few texts."""
    wrong = first_wrong(family.id, count)
    if wrong is not None:
        text, tokens, said = wrong
        raise CurriculumError(
            f"The tokenizer behind {id} does not count as {family.id} does.",
            f"{text!a} has {tokens} tokens, it said {said}",
            code="tokenizer-degraded",
            next=f"pip install --force-reinstall {INSTALL[12:]}",
        )


@cache
def _loaded(family: Family) -> Parts:
    try:
        from splintr import Tokenizer, base_vocab_size
    except ImportError as error:
        raise CurriculumError(
            f"Counting {family.id} exactly needs the exact extra.",
            f"not found: {error.name or 'splintr'}",
            code="extra-missing",
            next=INSTALL,
        ) from error
    try:
        tokenizer = Tokenizer.from_pretrained(family.exact)
        encode = tokenizer.encode_ordinary
        if family.algorithm == "sentencepiece":
            ids = range(base_vocab_size(family.exact))
            entries = [tokenizer.decode_token_bytes(id).decode(errors="replace") for id in ids]
            places = merge_places(entries)
        else:
            places = split_places(family.algorithm)
    except Exception as error:
        raise CurriculumError(
            f"splintr does not have the vocabulary {family.exact} of {family.id}.",
            code="tokenizer-degraded",
            next=INSTALL,
        ) from error
    if not family.normal:
        return Parts(family, lambda text: len(encode(text)), places)
    return Parts(family, lambda text: len(encode(family.form(text))), places)
