"""Two gates in a row, by hand."""


def gates(returned: int, stays: list[int], limits: dict[str, int]) -> list[int | str]:
    """Length in the log, length in the request, and how it ends."""
    raise NotImplementedError("write gates")
