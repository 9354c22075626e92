"""The reference: a run of equal steps, counted as it grows."""


def stuck_at(steps: list[tuple[str, str]], times: int) -> int | None:
    """The number (from 1) of the first step at which the last `times` steps are one pair."""
    same, before = 0, None
    for number, step in enumerate(steps, 1):
        same = same + 1 if step == before else 1
        before = step
        if same == times:
            return number
    return None
