"""Why the log cannot take a record."""

import re
from collections.abc import Sequence

from .errors import CurriculumError
from .records import HIGHEST, Answers, Kind, Record, Trust, rises
from .schemas import is_canonical

_MEDIA = re.compile(r"image/[a-z0-9.+-]{1,60}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


class UnlawfulRecord(CurriculumError):
    """A record that the log cannot take: its kind, trust or pairing breaks a law."""

    code = "unlawful-record"


def _media(record: Record) -> None:
    """What a picture and a provider's own block are made of."""
    image, native = record.image, record.native
    if native is not None and record.kind is not Kind.THINKING:
        raise UnlawfulRecord(f"A record of kind {record.kind} has no block of a provider's own.")
    if image is None:
        return
    if record.kind is not Kind.IMAGE:
        raise UnlawfulRecord(f"A record of kind {record.kind} is no picture.")
    if not _MEDIA.fullmatch(image.media) or not _BASE64.fullmatch(record.text):
        raise UnlawfulRecord(
            f"A picture is base64 of a type such as image/png, not of {image.media!a}.",
            f"its text has {len(record.text)} characters",
        )
    for name, pixels in (("width", image.width), ("height", image.height)):
        if pixels is not None and (type(pixels) is not int or not 0 < pixels < 10**6):
            raise UnlawfulRecord(f"The {name} of a picture is {pixels!r}, no number of pixels.")


def explain(record: Record) -> None:
    """Raise `UnlawfulRecord` for the first law that the record breaks."""
    kind, trust = record.kind, record.trust
    limit = HIGHEST.get(kind, Trust.SYSTEM)
    if rises(trust, limit):
        raise UnlawfulRecord(
            f"A record of kind {kind} cannot carry the label {trust}.",
            f"the highest label for {kind} is {limit} (law 10: trust never rises)",
        )
    if kind in (Kind.INSTRUCTION, Kind.TOOLS) and rises(Trust.DEVELOPER, trust):
        what = "be an instruction" if kind is Kind.INSTRUCTION else "offer tools"
        raise UnlawfulRecord(
            f"A text with the label {trust} cannot {what}.",
            "instruction slots take system and developer only (law 10)",
        )
    if (record.answers is not None) != (kind is Kind.RESULT):
        raise UnlawfulRecord("A result answers exactly one call, and nothing else answers one.")
    if record.replaces is not None and kind is not Kind.SUMMARY:
        raise UnlawfulRecord(f"A record of kind {kind} replaces nothing; only a summary does.")
    _media(record)
    for tool in record.tools:
        if tool.parameters and not is_canonical(tool.parameters):
            raise UnlawfulRecord(
                f"The parameters of the tool {tool.name!r} are no canonical JSON object.",
                "sorted keys, no blanks, ASCII: they are sent as they stand (law 10)",
            )


def too_early(open: Sequence[Answers]) -> UnlawfulRecord:
    """A turn before the calls of the last one have their results."""
    return UnlawfulRecord(
        "The next turn cannot start: a call of the last one has no result (law 5).",
        *(f"call {a.call} of {a.record} is open" for a in open),
    )


def not_open(answers: Answers) -> UnlawfulRecord:
    """A result for a call that has one, or that there is not."""
    return UnlawfulRecord(f"Call {answers.call} of {answers.record} is not open (law 5).")
