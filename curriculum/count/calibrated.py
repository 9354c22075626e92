"""Tokens from bytes, calibrated on files: `calibrated@1:FAMILY`.

What a byte costs depends on the family and on what kind of text it is. The figures are in
`calibration.toml`, with the files they were found on and the share of files that they cover. New
figures, or another rule for the classes, are a new version of this counter.
"""

from . import calibration
from .content import content_class
from .counter import Counter, Estimate
from .families import family_of


class Calibrated(Counter):
    """A value and a p99 bound in tokens: the figures of a content class x UTF-8 bytes.

    The bound holds for 99 of 100 texts of a class, not for every text, and not for one that was
    made to break it. Of a family that was not counted itself but derived from another the bound
    is `assumed`: two figures that each cover 99 of 100 do not say how much both cover. What a
    provider adds around the request is not in it. Raises `CurriculumError` for a family that is
    not known or not calibrated.
    """

    unit = "tokens"
    steady = False

    def __init__(self, family: str = "") -> None:
        self.id = f"calibrated@1:{family}"
        self.family = family_of(family)
        counted = calibration.of(family, "docs").files > 0
        self.bound_name = "p99" if counted else "assumed"

    def size(self, text: str) -> int:
        """The p99 bound of `text` as a part of a request, rounded up."""
        figure = calibration.of(self.family.id, content_class(text))
        return calibration.bound(figure.p99, calibration.size_in(text))

    def estimate(self, text: str) -> Estimate:
        """The median figure of the class, and the p99 bound."""
        figure = calibration.of(self.family.id, content_class(text))
        size = calibration.size_in(text)
        value, bound = (calibration.bound(n, size) for n in (figure.median, figure.p99))
        return Estimate(value, bound, self.unit, "calibrated", self.bound_name)
