"""What goes wrong with a call, in our own words: no text of a library or the interpreter."""

import json
from collections.abc import Coroutine
from typing import Any

from curriculum.record.cut import Cut, content_size
from curriculum.record.records import Trust, rises
from curriculum.record.text import scalar

from .tools import ToolOutput


class Denied(Exception):
    """A tool, or what stands before it, raises this where the call was not allowed to run.

    The model is told so in a result; the words of the exception do not enter the log.
    """


LONGEST = 200
"""Characters of one parameter in such a text; a longer one is cut in the middle."""


FAILURES = {
    "unknown-tool": "unknown-tool: no tool is named {tool}; offered: {offered}",
    "bad-arguments": "bad-arguments: {tool}: {where} {rule}",
    "tool-raised": "tool-raised: {tool} raised {type}",
    "bad-result": "bad-result: {tool} returned {type}, which is no text and no JSON",
    "interrupted": "interrupted: {tool} did not finish",
    "denied": "denied: {tool} was not allowed to run",
    "not-run": "not-run: the output ended with {finish}, so {tool} was not run",
}
"""Code -> the text that a model reads."""


def failure(code: str, **params: str) -> ToolOutput:
    """The failure `code` in the catalogue's words; bounded, whatever the parameters are."""
    short = {name: _short(scalar(text)) for name, text in params.items()}
    return ToolOutput(FAILURES[code].format(**short), code)


def _short(text: str) -> str:
    cut = Cut.whole(text).fit(LONGEST, content_size)
    assert cut is not None  # a marker is far shorter
    return f"{cut.head}{cut.marker}{cut.tail}"


def raised(tool: str, error: BaseException) -> ToolOutput:
    """The tool raised `error`; one that was not allowed to run has not failed by itself."""
    if isinstance(error, Denied):
        return failure("denied", tool=tool)
    return failure("tool-raised", tool=tool, type=builtin_name(error))


def builtin_name(error: BaseException) -> str:
    """The name of the nearest exception of the language.

    Other names can change with the version of a library or of Python.
    """
    kinds = type(error).__mro__
    return next(kind.__name__ for kind in kinds if kind.__module__ == "builtins")


def spelled(tool: str, value: Any) -> ToolOutput:
    """A value that is no text: a text with a lower label, or JSON; a failure if it is neither."""
    if isinstance(value, Coroutine):
        value.close()
    if isinstance(value, ToolOutput) and type(value.text) is str and value.failed is None:
        lower = value.trust is not None and rises(Trust.TOOL, value.trust)
        tags = tuple(map(scalar, value.tags))
        return ToolOutput(scalar(value.text), None, value.trust if lower else None, tags)
    try:
        return ToolOutput(json.dumps(value, sort_keys=True, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return failure("bad-result", tool=tool, type=type(value).__name__)  # pyright: ignore
