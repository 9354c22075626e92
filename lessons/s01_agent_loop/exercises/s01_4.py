"""When is a loop stuck? Not when it asks the same again: when it also sees the same again."""


def stuck_at(steps: list[tuple[str, str]], times: int) -> int | None:
    """The number (from 1) of the first step at which the last `times` steps are one pair.

    A step is an action and the observation that came back. None if the loop is never stuck.
    """
    raise NotImplementedError("write stuck_at")
