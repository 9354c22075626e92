"""The count that estimates are compared with: the vocabulary's own."""

from collections.abc import Callable
from unicodedata import normalize

from curriculum.record.errors import CurriculumError

from .families import FAMILIES, family_of

INSTALL = 'pip install "curriculum[exact]"'


def tokens_of(family: str) -> Callable[[str], int]:
    """What counts the tokens of a text for `family`: alone, without a start token, names of special
    tokens as text. Raises `CurriculumError`: family-unknown, family-not-exact, extra-missing.
    """
    known = family_of(family)
    if not known.exact:
        raise CurriculumError(
            f"No exact counter of {family} works without a network.",
            f"exact: {', '.join(one.id for one in FAMILIES.values() if one.exact)}",
            code="family-not-exact",
            next="curriculum measure FOLDER --family o200k",
        )
    try:
        from splintr import Tokenizer
    except ImportError as error:
        raise CurriculumError(
            f"Counting {family} exactly needs the exact extra.",
            f"not found: {error.name or 'splintr'}",
            code="extra-missing",
            next=INSTALL,
        ) from error
    encode = Tokenizer.from_pretrained(known.exact).encode_ordinary
    if family == "qwen3":  # its tokenizer brings a text to this form first
        return lambda text: len(encode(text if text.isascii() else normalize("NFC", text)))
    return lambda text: len(encode(text))
