"""The error of a trace."""

from curriculum.record.errors import CurriculumError


class TraceError(CurriculumError):
    """A trace that cannot be written or read."""

    code = "trace"
