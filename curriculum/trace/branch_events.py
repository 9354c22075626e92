"""What is written where a further session begins in the same trace."""

import attrs


@attrs.frozen
class SessionBranch:
    """The session `session` goes on from `parent`, as that stood after its event `at`.

    Its events count on from there. What stood before is shared and not written again: `records`
    is how many records of its parent its log begins with.
    """

    session: str
    parent: str
    at: int
    records: int
