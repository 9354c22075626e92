"""Who writes a summary: given the request that asks for it, return the text.

The two here are deterministic, so that a run with compactions can be pinned. A summariser that
asks a real model is one of your own, with an id that says which.
"""

import json
from collections.abc import Sequence
from typing import Protocol

import attrs

from curriculum.wire.plain_decode import unescape
from curriculum.wire.request import Request, SegmentClass

NOTHING = "Nothing that had to be kept."


class Summariser(Protocol):
    """Writes the text that stands for old exchanges. What it raises ends no run."""

    @property
    def id(self) -> str:
        """Its name and version, such as `my-model@3`."""
        ...

    def summarise(self, request: Request) -> str:
        """The summary that the request asks for."""
        ...


@attrs.define
class ScriptedSummariser:
    """Says what it is told to, one text for each compaction."""

    texts: Sequence[str]
    id: str = "scripted@1"
    asked: int = 0

    def summarise(self, request: Request) -> str:
        """The next text. Raises `LookupError` if there is none."""
        self.asked += 1
        if self.asked > len(self.texts):
            raise LookupError(f"the script has {len(self.texts)} summaries")
        return self.texts[self.asked - 1]


@attrs.frozen
class KeptLines:
    """Keeps the lines that begin with one of `prefixes`, word for word, and says nothing else."""

    prefixes: tuple[str, ...] = ("Decision:", "Open question:", "Error:", "Task:")
    id: str = "kept-lines@1"

    def summarise(self, request: Request) -> str:
        """The lines of the records' texts, each once, in the order of the request."""
        kept: dict[str, None] = {}
        for segment in request.segments:
            if segment.kind is SegmentClass.TEXT and segment.record:
                for line in _lines(segment.text):
                    if line.startswith(self.prefixes):
                        kept[line] = None
        return "\n".join(kept) or NOTHING


def _lines(text: str) -> list[str]:
    """The lines of a text as a wire spells it: as a JSON string, or with its line ends escaped."""
    try:
        said = json.loads(text)
    except ValueError:
        said = None
    if not isinstance(said, str):
        said = unescape(text)
    return [line.strip() for line in said.split("\n")]
