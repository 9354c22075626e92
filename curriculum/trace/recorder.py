"""Writes a trace: one whole, flushed line for each event."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

import cattrs

from curriculum.record.errors import CurriculumError

from .events import FORMAT, TYPES, VERSION

converter = cattrs.Converter(omit_if_default=True, forbid_extra_keys=True)
_spell = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class TraceError(CurriculumError):
    """A trace that cannot be written or read."""

    code = "trace"


class Recorder:
    """The one writer of one run's trace, in memory or to a new file at `path`.

    A crash leaves whole lines. Raises `TraceError` if the file exists or a second run starts.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._lines: list[str] = []
        self._file: TextIO | None = None
        self._path = Path(path) if path is not None else None
        self.seq = 0

    def emit(
        self,
        type: str,
        data: Any,
        *,
        turn: int = 0,
        cause: int | None = None,
        uses: Sequence[str] = (),
    ) -> int:
        """Write one event and return its seq. `cause` is the seq of its trigger."""
        if not isinstance(data, TYPES[type]):
            raise TypeError(f"{type} carries {TYPES[type].__name__}, not {data.__class__.__name__}")
        if (type == "session.start") != (self.seq == 0):
            raise TraceError(
                "One recorder writes one run, and it begins with session.start.",
                code="trace-second-writer",
                next="give each run a Recorder of its own",
            )
        if self.seq == 0:
            self._write({"format": FORMAT, "version": VERSION})
        self.seq += 1
        event: dict[str, Any] = {"seq": self.seq, "type": type, "turn": turn}
        if cause is not None:
            event["cause"] = cause
        if uses:
            event["uses"] = list(uses)
        self._write({**event, "data": converter.unstructure(data)})
        return self.seq

    def _write(self, value: dict[str, Any]) -> None:
        line = _spell(value)
        if self._path is None:
            self._lines.append(line)
            return
        if self._file is None:
            try:
                self._file = self._path.open("x", encoding="ascii", newline="\n")
            except FileExistsError:
                raise TraceError(
                    f"{self._path} exists; a recorder never writes over a trace.",
                    code="trace-exists",
                    next="choose another path, or move the file away",
                ) from None
        self._file.write(line + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file, if there is one. The trace is whole without it."""
        if self._file is not None:
            self._file.close()

    def text(self) -> str:
        """The trace so far."""
        if self._path is None:
            return "".join([line + "\n" for line in self._lines])
        return self._path.read_text(encoding="ascii") if self.seq else ""
