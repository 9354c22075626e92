"""Full content under a short handle, so that what was cut can be fetched again.

An artifact is a text with where it came from and how far it is trusted. What comes out of a store
is what went in, or an error; its label never rises.
"""

import re
from collections.abc import Iterator
from typing import Protocol

import attrs

from .cut import Cut
from .errors import CurriculumError
from .records import Trust, rises
from .text import scalar, sha256

UNKNOWN_SOURCE = "unknown"
"""The source of a text of which nobody said where it came from."""
UNITS = ("lines", "characters")
"""What a range may be counted in. Only LF ends a line: other separators are content."""

_HANDLE = re.compile("a[0-9a-f]{8,64}")
_SHOWN = 60
"""Characters of a bad handle that an error shows; the middle of a longer one is cut."""


class ArtifactError(CurriculumError):
    """A handle without content, content that is not what was stored, or a store that fails."""

    code = "artifact"


@attrs.frozen
class Artifact:
    """What a store knows of a text: its length in characters and the SHA-256 of its UTF-8.

    `source` and `trust` came with the text. `fault` says what is wrong with that label where it
    cannot be relied on; then the source is `unknown` and the trust is the lowest, `external`.
    """

    handle: str
    characters: int
    sha256: str
    source: str
    trust: Trust
    fault: str = ""


@attrs.frozen
class Span:
    """Part of an artifact: from `start` up to `stop` of `total`, in lines or characters."""

    artifact: Artifact
    text: str
    unit: str
    start: int
    stop: int
    total: int


class Artifacts(Protocol):
    """Where whole texts are kept: in memory, in a folder, or in a place of one's own."""

    def put(self, text: str, *, source: str = UNKNOWN_SOURCE, trust: Trust = Trust.TOOL) -> str:
        """Keep `text` and return its handle; the same text has the same handle.

        A handle is `a` and 8 hex digits of the SHA-256 of the UTF-8, longer where another text
        came first with the same digits. Lone surrogates are visibly replaced. Of two labels of
        one text the lower one stays, with its source; of two equal ones the first. Raises
        `ArtifactError` if the store cannot be written, `ValueError` for a trust that there is not.
        """
        ...

    def whole(self, handle: str) -> tuple[Artifact, str]:
        """What is known of the artifact, and its text, checked against its hash.

        Raises `ArtifactError` for what is no handle (`artifact-handle`), has no content
        (`artifact-unknown`) or is not what was stored (`artifact-damaged`).
        """
        ...

    def handles(self) -> list[str]:
        """Every handle that has content, sorted. No content is read."""
        ...

    def get(self, handle: str) -> str:
        """The text under `handle`. Raises `ArtifactError` as `whole` does."""
        return self.whole(handle)[1]

    def describe(self, handle: str) -> Artifact:
        """What is known of the text under `handle`. Raises `ArtifactError` as `whole` does."""
        return self.whole(handle)[0]

    def preview(self, handle: str, characters: int) -> Cut:
        """At most so many characters of both ends, with the handle in the marker between them.

        Raises `ArtifactError` as `whole` does, and for a number that is none (`artifact-range`).
        """
        _number("characters", characters, 0)
        return Cut.whole(self.get(handle), handle).to(characters)

    def span(self, handle: str, start: int = 0, count: int = 100, unit: str = "lines") -> Span:
        """`count` lines or characters from `start` (from 0), as many of them as there are.

        Lines are without the LF after the last; characters are code points, so a range may part
        a cluster. Raises `ArtifactError` as `whole` does, and for what is no range
        (`artifact-range`).
        """
        _number("start", start, 0)
        _number("count", count, 1)
        if unit not in UNITS:
            raise ArtifactError(f"A unit is {' or '.join(UNITS)}.", code="artifact-range")
        artifact, text = self.whole(handle)
        whole = text.split("\n") if unit == "lines" else text
        part = whole[start : start + count]
        said = part if isinstance(part, str) else "\n".join(part)
        return Span(artifact, said, unit, start, start + len(part), len(whole))


class ArtifactStore(Artifacts):
    """Keeps texts in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str]] = {}
        self._labels: dict[str, tuple[str, Trust]] = {}

    def put(self, text: str, *, source: str = UNKNOWN_SOURCE, trust: Trust = Trust.TOOL) -> str:
        """Keep `text` and return its handle, as `Artifacts.put` says."""
        text, source, trust = scalar(text), scalar(source), Trust(trust)
        digest = sha256(text)
        for handle in handles_of(digest):
            if self._kept.setdefault(handle, (digest, text))[0] == digest:
                if rises(self._labels.setdefault(handle, (source, trust))[1], trust):
                    self._labels[handle] = source, trust
                return handle
        raise all_taken()

    def whole(self, handle: str) -> tuple[Artifact, str]:
        """The artifact and its text, as `Artifacts.whole` says."""
        checked(handle)
        if handle not in self._kept:
            raise unknown(handle, self.handles())
        digest, text = self._kept[handle]
        if (found := sha256(text)) != digest:
            raise damaged(handle, f"stored {digest}", f"found {found}")
        return Artifact(handle, len(text), digest, *self._labels[handle]), text

    def handles(self) -> list[str]:
        """Every handle that has content, sorted."""
        return sorted(self._kept)


def handles_of(digest: str) -> Iterator[str]:
    """The handles that a text of this hash may have, in the order in which they are tried."""
    return (f"a{digest[:digits]}" for digits in range(8, len(digest) + 1))


def is_handle(value: object) -> bool:
    """Whether `value` is spelled as a handle: `a` and 8 to 64 lower-case hex digits."""
    return isinstance(value, str) and _HANDLE.fullmatch(value) is not None


def checked(handle: str) -> None:
    """Raise `ArtifactError` for what is no handle, before anything is looked up by it."""
    if not is_handle(handle):
        raise ArtifactError(
            f"{shown(handle)} is no handle.",
            "a handle is a and 8 to 64 hex digits in lower case",
            code="artifact-handle",
            next="take the handle from a marker, or from handles()",
        )


def shown(value: object) -> str:
    """A bad handle on one short line of ASCII, whatever it is."""
    if not isinstance(value, str):
        return f"a value of type {type(value).__name__}"
    cut = Cut.whole(ascii(value)).to(_SHOWN)
    return f"{cut.head}{cut.marker}{cut.tail}"


def unknown(handle: str, known: list[str]) -> ArtifactError:
    """The error for a handle without content, with the nearest that has some, if one is near."""
    import difflib  # only an error needs it

    near = difflib.get_close_matches(handle, known, 1, 0.8)
    return ArtifactError(
        f"No artifact has the handle {handle!r}.",
        *(f"nearest: {name}" for name in near),
        code="artifact-unknown",
    )


def damaged(handle: str, *evidence: str) -> ArtifactError:
    """The error for content that is not what was stored."""
    return ArtifactError(f"The content of {handle} is damaged.", *evidence, code="artifact-damaged")


def all_taken() -> ArtifactError:
    """The error for a text whose every possible handle belongs to another."""
    return ArtifactError("Two texts have the same SHA-256.")


def _number(name: str, value: int, least: int) -> None:
    if type(value) is not int or value < least:
        plain = type(value) is int and abs(value) < 10**15  # one that can be written
        raise ArtifactError(
            f"{name} is {value if plain else shown(value)}.",
            f"it must be a whole number, at least {least}",
            code="artifact-range",
        )
