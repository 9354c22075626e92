"""What a reason is."""

import attrs


@attrs.frozen
class Reason:
    """A reason code with its formula and its sentence."""

    code: str
    formula: str
    sentence: str
