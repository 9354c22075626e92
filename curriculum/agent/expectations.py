"""What a script may expect of a request, and what was nearest where it does not hold."""

import difflib

import attrs

from curriculum.wire.request import Request, SegmentClass

from .run_errors import ExpectationFailed


@attrs.frozen
class Expect:
    """What a request must show before the turn is played; unset means not asked.

    `record` stands in it, `tool` is offered, it has at most `size` characters, and `text` is in
    what the model can read of it.
    """

    record: str | None = None
    tool: str | None = None
    size: int | None = None
    text: str | None = None


def check(expect: Expect, request: Request, index: int) -> None:
    """Raise `ExpectationFailed` for the first part of `expect` that does not hold."""
    records = list(dict.fromkeys(s.record for s in request.segments if s.record))
    if expect.record is not None and expect.record not in records:
        _fail(
            index,
            f"record {expect.record} in the request",
            ", ".join(records),
            expect.record,
            records,
        )
    schemas = [s.text for s in request.segments if s.kind is SegmentClass.SCHEMA]
    if expect.tool is not None:
        names = [_name(schema) for schema in schemas]
        if expect.tool not in names:
            _fail(index, f"tool {expect.tool} on offer", ", ".join(names), expect.tool, names)
    size = len(request.text)
    if expect.size is not None and size > expect.size:
        over = f"{size} characters, {size - expect.size} over"
        _fail(index, f"at most {expect.size} characters", over, "", [])
    if expect.text is not None:
        shown = "".join(s.text for s in request.segments if s.kind is SegmentClass.TEXT)
        if expect.text not in shown:
            prefix = next(n for n in range(len(expect.text), -1, -1) if expect.text[:n] in shown)
            near = [f"its first {prefix} characters are there"] if prefix else []
            _fail(index, f"the text {expect.text!r}", "no such text", "", near)


def _name(schema: str) -> str:
    """The tool's name in either spelling: `name ...` or `{"name":"name"...`."""
    return schema.split('"')[3] if schema.startswith('{"name"') else schema.split(" ")[0]


def _fail(index: int, expected: str, got: str, wanted: str, choices: list[str]) -> None:
    nearest = ", ".join(difflib.get_close_matches(wanted, choices, 1, 0.0) if wanted else choices)
    raise ExpectationFailed(
        f"Request {index + 1} is not what turn {index} of the script expects.",
        f"expected  {expected}",
        f"got       {got or 'nothing'}",
        f"nearest   {nearest or 'nothing'}",
        index=index,
        expected=expected,
        got=got,
        nearest=nearest,
    )
