"""Where an export goes: to stdout, or whole or not at all to a new file."""

import sys
from pathlib import Path

from curriculum.golden.whole import undisturbed
from curriculum.record.errors import CurriculumError
from curriculum.record.whole_file import put
from curriculum.view.safe import many
from curriculum.view.screen import Screen

from .options import print_json


def deliver(
    text: str, output: str | None, events: int, content: bool, plain: bool, as_json: bool
) -> None:
    """Write ASCII `text` to stdout, or to the new file `output` and say so in the look asked for.

    Raises `CurriculumError` if there is such a file, or it cannot be written.
    """
    data = text.encode("ascii")  # as bytes: no system turns the line end into another
    if output is None:
        sys.stdout.buffer.write(data)
        return
    write_new(output, data)
    if as_json:
        print_json({"written": output, "events": events, "bytes": len(data), "content": content})
        return
    said = "with what was said" if content else "without what was said (--content adds it)"
    numbers = f"{many(events, 'event')} in {many(len(data), 'byte')} of OTLP, {said}"
    Screen(plain).line(("good", "written   "), f"{output}: {numbers}", indent=10)


def write_new(output: str, data: bytes) -> None:
    """Write the file in one step, and only if nothing has its name.

    Raises `CurriculumError` if something has that name, or it cannot be written.
    """
    try:
        with undisturbed():
            put(Path(output), data, ".export-", new=True)
    except FileExistsError:
        raise CurriculumError(
            f"{output} exists; an export is never written over another file.",
            code="export-exists",
            next="choose another path",
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is no file name"
        raise CurriculumError(f"{output} cannot be written: {why}.", code="export-write") from None
