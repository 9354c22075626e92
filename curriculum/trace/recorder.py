"""Writes a trace: one whole, flushed line for each event."""

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Self

import cattrs

from .events import FORMAT, TYPES, VERSION

converter = cattrs.Converter(omit_if_default=True, forbid_extra_keys=True)
spell = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class Recorder:
    """The one writer of one run's trace, in memory or to a new file at `path`.

    A crash or a full disk leaves whole lines. The file is closed after session.stop, and at the
    end of a `with`. Raises `TraceError` if the file exists or a second run starts.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._path = Path(path) if path is not None else None
        self._file: BinaryIO | None = None if path is not None else BytesIO()
        self.entries: list[tuple[str, int]] = []
        """One entry an event, made when its line is written: its type, and where the line ends."""

    @property
    def seq(self) -> int:
        """The seq of the last event that is written; 0 before the first."""
        return len(self.entries)

    def seqs(self, type: str) -> list[int]:
        """The seq of each event of this type that is written."""
        return [seq for seq, (one, _) in enumerate(self.entries, 1) if one == type]

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
        if data.__class__ is not TYPES.get(type):
            from .unwritten import check_type

            check_type(type, data)
        seq = self.seq + 1
        if (type == "session.start") != (seq == 1):
            from .unwritten import second_run

            raise second_run()
        event: dict[str, Any] = {"seq": seq, "type": type, "turn": turn}
        if cause is not None:
            event["cause"] = cause
        if uses:
            event["uses"] = list(uses)
        line = spell({**event, "data": converter.unstructure(data)}) + "\n"
        if seq == 1:
            line = spell({"format": FORMAT, "version": VERSION}) + "\n" + line
        self.entries.append((type, self.write(line.encode("ascii"))))
        if type == "session.stop":
            self.close()
        return seq

    def write(self, line: bytes) -> int:
        """Write after the last event that counts, over what an interrupt or a failure left."""
        start = self.entries[-1][1] if self.entries else 0
        error = OSError("no space is left for a whole line")
        try:
            if self._file is None:
                assert self._path is not None
                self._file = self._path.open("xb", buffering=0)
            self._file.seek(start)
            self._file.truncate()
            if self._file.write(line) == len(line):
                return start + len(line)
            self._file.truncate(start)
        except OSError as caught:
            error = caught
        from .unwritten import refusal

        raise refusal(self._path, error) from error

    def close(self) -> None:
        """Close the file, if there is one. The trace is whole without it."""
        if self._file is not None and self._path is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def text(self) -> str:
        """The trace so far."""
        if isinstance(self._file, BytesIO):
            whole = self._file.getvalue()
        else:
            whole = self._path.read_bytes() if self._path is not None and self.seq else b""
        return whole[: self.entries[-1][1]].decode("ascii") if self.seq else ""
