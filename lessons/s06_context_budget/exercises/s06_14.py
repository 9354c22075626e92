"""Say no before anything is sent."""


def refusal(texts: list[str], capacity: int, ceiling: int, reserve: int) -> str | None:
    """Why this request is not sent, with its numbers; None if it may be."""
    raise NotImplementedError("write refusal")
