"""The error of a wire."""

from curriculum.record.errors import CurriculumError


class WireError(CurriculumError):
    """A message that this wire cannot carry, or bytes that it does not write."""

    code = "wire"
