"""Full content under a short handle, so that what was cut can be fetched again."""

from .errors import CurriculumError
from .text import sha256


class ArtifactError(CurriculumError):
    """A handle without content, or content that is not what was stored."""

    code = "artifact"


class ArtifactStore:
    """Keeps texts in memory.

    A handle is `a` and 8 hex digits of the SHA-256, longer on collision.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str]] = {}

    def put(self, text: str) -> str:
        """Keep `text` and return its handle; the same text has the same handle."""
        digest = sha256(text)
        for digits in range(8, len(digest) + 1):
            handle = f"a{digest[:digits]}"
            if self._kept.setdefault(handle, (digest, text))[0] == digest:
                return handle
        raise ArtifactError("Two texts have the same SHA-256.")

    def get(self, handle: str) -> str:
        """The text under `handle`. Raises `ArtifactError` if it is unknown or damaged."""
        if handle not in self._kept:
            raise ArtifactError(f"No artifact has the handle {handle!r}.", code="artifact-unknown")
        digest, text = self._kept[handle]
        if sha256(text) != digest:
            raise ArtifactError(
                f"The content of {handle} is damaged.", f"stored {digest}", code="artifact-damaged"
            )
        return text
