"""Artifacts in a folder, for a later run: whole or not there, and never anything else.

An artifact is two files: `HANDLE.txt` has the text in UTF-8, byte for byte, and `HANDLE.json` its
label. The label is written first and only where there is none, so it also says whose the handle
is; a text is written only under a label with its own hash. A killed process leaves a label without
a text, which is no artifact, and perhaps a file whose name begins with `.artifact-`; such files
are never read, and may be deleted while nothing writes.

What the hashes prove is that a text is the one that its label names. They do not prove who wrote
the two: whoever can write into the folder can write a text with a label that fits it, or raise the
trust in a label that is otherwise whole. `artifact.store` of a trace has the full hash to compare.
"""

import hashlib
import os
import stat
from os import PathLike
from pathlib import Path

from .artifact_label import Label, read_label
from .artifacts import (
    UNKNOWN_SOURCE,
    Artifact,
    ArtifactError,
    Artifacts,
    all_taken,
    checked,
    damaged,
    handles_of,
    is_handle,
    unknown,
)
from .records import Trust, rises
from .text import scalar, sha256
from .whole_file import put

TEMPORARY = ".artifact-"
"""How the name of a file that is being written begins."""
_TEXT, _LABEL = ".txt", ".json"
_CAUTION = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""No link is followed and no pipe waited for, on systems that have such flags."""


class ArtifactFolder(Artifacts):
    """Keeps texts in the folder `path`, which must be there. Opening it reads none of them.

    Several processes may use one folder at a time. Two that lower the label of one text to
    different labels at the same moment may leave the higher of the two. Raises `ArtifactError`
    if there is no such folder (`artifact-folder`), and later if the system refuses to read or
    write (`artifact-read`, `artifact-write`).
    """

    def __init__(self, path: "str | PathLike[str]") -> None:
        self.path = Path(path)
        try:
            self.path = self.path.absolute()  # a run may go to another folder
        except OSError:  # there is no folder that this process is in
            raise self._no_folder() from None
        if not os.path.isdir(self.path):
            raise self._no_folder()

    def put(self, text: str, *, source: str = UNKNOWN_SOURCE, trust: Trust = Trust.TOOL) -> str:
        """Keep `text` and return its handle, as `Artifacts.put` says.

        What is there already is not written again. A text that was damaged is written anew if its
        label is whole; a label that is damaged or missing stays so, and its trust the lowest.
        """
        text = scalar(text)
        label, data = Label(sha256(text), source, trust), text.encode()
        for handle in handles_of(label.sha256):
            if self._holds(handle, label, data):
                return handle
        raise all_taken()

    def whole(self, handle: str) -> tuple[Artifact, str]:
        """The artifact and its text, as `Artifacts.whole` says.

        A file is read only if it is a plain one; a link, a folder or a pipe in its place is
        damage. So is a text that is not the one in the label, or not the one in the name.
        """
        checked(handle)
        data = self._read(handle + _TEXT)
        if data is None:
            raise unknown(handle, self.handles())
        label = self._label(handle)
        own = isinstance(label, Label)
        stored = f"stored {label.sha256}" if own else f"stored {handle[1:]}..., by its name"
        if isinstance(data, str):
            raise damaged(handle, stored, f"found {data}")
        found = hashlib.sha256(data).hexdigest()
        if not found.startswith(label.sha256 if own else handle[1:]):
            raise damaged(handle, stored, f"found {found}")
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            where = f"found a byte at {error.start} that is not"
            raise damaged(handle, "stored UTF-8", where) from None
        if own:
            return Artifact(handle, len(text), found, label.source, label.trust), text
        fault = f"artifact-label: {label or 'there is none'}"
        return Artifact(handle, len(text), found, UNKNOWN_SOURCE, Trust.EXTERNAL, fault), text

    def handles(self) -> list[str]:
        """Every handle that has content, sorted. No content is read."""
        try:
            with os.scandir(self.path) as entries:
                names = [entry.name for entry in entries]
        except OSError as error:
            raise self._refused("read", error) from None
        texts = (name.removesuffix(_TEXT) for name in names if name.endswith(_TEXT))
        return sorted(filter(is_handle, texts))

    def _holds(self, handle: str, label: Label, data: bytes) -> bool:
        """Whether the handle is this text's; then all of it is there."""
        kept, known = self._read(handle + _TEXT), self._label(handle)
        if kept is None and known is None:
            self._write(handle + _LABEL, label.spelled(), new=True)
            known = self._label(handle)  # another process may have been first
        if not isinstance(known, Label):
            return kept == data
        if known.sha256 != label.sha256:
            return False
        if rises(known.trust, label.trust):
            self._write(handle + _LABEL, label.spelled())
        if kept != data:
            self._write(handle + _TEXT, data)
        return True

    def _label(self, handle: str) -> "Label | str | None":
        """The label that speaks for the handle; what is wrong with it; None if there is none."""
        data = self._read(handle + _LABEL)
        if isinstance(data, bytes):
            return read_label(data, handle)
        return data and f"{data} stands in its place"

    def _read(self, name: str) -> "bytes | str | None":
        """The bytes of a plain file; what else stands there, in words; None if nothing does."""
        path = self.path / name
        try:
            mode = os.lstat(path).st_mode
            if not stat.S_ISREG(mode):
                return _kind(mode)
            with open(path, "rb", opener=_cautiously) as file:
                # Something else may have been put there after the first look.
                mode = os.fstat(file.fileno()).st_mode
                return file.read() if stat.S_ISREG(mode) else _kind(mode)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._refused("read", error) from None

    def _write(self, name: str, data: bytes, *, new: bool = False) -> None:
        """Write a file in one step; with `new` only if nothing has its name by then."""
        try:
            put(self.path / name, data, TEMPORARY, new=new)
        except OSError as error:
            if new and isinstance(error, FileExistsError):
                return
            if self._read(name) != data:  # else another process has just written the same
                raise self._refused("written", error) from None

    def _refused(self, done: str, error: OSError) -> ArtifactError:
        """The error for what the system would not do."""
        if not os.path.isdir(self.path):
            return self._no_folder()
        return ArtifactError(
            f"The store {str(self.path)!a} cannot be {done}.",
            error.strerror or type(error).__name__,
            code=f"artifact-{'read' if done == 'read' else 'write'}",
            next="make room or change the rights, or give another folder",
        )

    def _no_folder(self) -> ArtifactError:
        return ArtifactError(
            f"The store {str(self.path)!a} is no folder.",
            "it is a file" if os.path.isfile(self.path) else "nothing that can be reached is there",
            code="artifact-folder",
            next="make the folder first, or give another one",
        )


def _cautiously(path: str, flags: int) -> int:
    return os.open(path, flags | _CAUTION)


def _kind(mode: int) -> str:
    """What is there instead of a plain file."""
    kinds = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe"}
    return kinds.get(stat.S_IFMT(mode), "no plain file")
