"""A viewer: a window of a file, and a note of what else there is."""

MOST = 100


def view(text: str, start: int, count: int) -> str:
    """Lines `start` to `start + count - 1` of the text, numbered."""
    lines = text.removesuffix("\n").split("\n") if text else []
    first = max(start, 1)
    if not lines:
        return "the file is empty"
    if first > len(lines):
        return f"no line {start}; the last is {len(lines)}"
    last = min(first + min(max(count, 1), MOST) - 1, len(lines))
    window = [f"{number}: {lines[number - 1]}" for number in range(first, last + 1)]
    more = [f"more from line {last + 1}"] if last < len(lines) else []
    return "\n".join([f"lines {first}-{last} of {len(lines)}", *window, *more])
