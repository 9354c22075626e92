"""The window is checked first, then the request, as it will be sent."""


def refusal(texts: list[str], capacity: int, ceiling: int, reserve: int) -> str | None:
    """A sum that does not hold; None if both hold."""
    if ceiling + reserve > capacity:
        return f"{ceiling} + {reserve} > {capacity}"
    size = sum(1 + len(text) + 1 for text in texts)
    return f"{size} > {ceiling}" if size > ceiling else None
