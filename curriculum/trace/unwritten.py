"""Why a line of a trace could not be written. What was written before it stands."""

from pathlib import Path

from .errors import TraceError


def refusal(path: Path | None, error: OSError) -> TraceError:
    """The error that a person reads."""
    if isinstance(error, FileExistsError):
        return TraceError(
            f"{path} exists; a recorder never writes over a trace.",
            code="trace-exists",
            next="choose another path, or move the file away",
        )
    return TraceError(
        f"The trace {path} cannot be written.",
        error.strerror or str(error),
        "the lines before this one are whole",
        code="trace-write",
        next="make its folder, or choose another path",
    )


def second_run() -> TraceError:
    """A recorder has been given a run's events when it holds another's, or none."""
    return TraceError(
        "One recorder writes one run, and it begins with session.start.",
        code="trace-second-writer",
        next="give each run a Recorder of its own",
    )


def check_type(type: str, data: object) -> None:
    """Raise `TypeError` if the data is not what an event of this type carries."""
    from .types import EVERY_TYPE

    carries = EVERY_TYPE[type]
    if not isinstance(data, carries):
        raise TypeError(f"{type} carries {carries.__name__}, not {data.__class__.__name__}")
