"""Tools, and what becomes of a call: every call gets one result, also when it goes wrong.

What goes wrong is told in our own words, by code and parameters: no text of a library or of
the interpreter enters a record.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call, ToolSpec
from curriculum.record.text import scalar

FAILURES = {
    "unknown-tool": "unknown-tool: no tool is named {tool}; offered: {offered}",
    "bad-arguments": "bad-arguments: {tool}: {where} {rule}",
    "tool-raised": "tool-raised: {tool} raised {type}",
    "bad-result": "bad-result: {tool} returned {type}, which is no text and no JSON",
    "interrupted": "interrupted: {tool} did not finish",
    "not-run": "not-run: the output ended with {finish}, so {tool} was not run",
}
"""Code -> the text that a model reads."""


@attrs.frozen
class ToolOutput:
    """What a call gave: text for the model, and the failure's code if there is one."""

    text: str
    failed: str | None = None

    @classmethod
    def failure(cls, code: str, **params: str) -> "ToolOutput":
        """The failure `code` in the catalogue's words."""
        return cls(scalar(FAILURES[code].format(**params)), code)


def _canonical(schema: Mapping[str, Any] | None) -> str:
    return json.dumps(schema, sort_keys=True, separators=(",", ":")) if schema else ""


@attrs.frozen
class Tool:
    """A function with a name, a description and JSON-Schema parameters (None: takes nothing)."""

    name: str = attrs.field(converter=scalar)
    run: Callable[..., Any]
    description: str = attrs.field(default="", converter=scalar)
    parameters: Mapping[str, Any] | None = None

    @property
    def spec(self) -> ToolSpec:
        """The tool as it is offered."""
        return ToolSpec(self.name, self.description, _canonical(self.parameters))

    def call(self, arguments: str) -> ToolOutput:
        """Check the arguments, run, and return text; nothing but an interrupt escapes."""
        values: dict[str, Any] = {}
        if self.parameters or arguments != "{}":
            from .arguments import ArgumentProblem, parse  # needs a schema validator

            try:
                values = parse(self.parameters, arguments)
            except ArgumentProblem as problem:
                where, rule = problem.where, problem.rule
                return ToolOutput.failure("bad-arguments", tool=self.name, where=where, rule=rule)
        try:
            value = self.run(**values)
        except (Exception, SystemExit) as error:
            return ToolOutput.failure("tool-raised", tool=self.name, type=type(error).__name__)
        if isinstance(value, str):
            return ToolOutput(scalar(value))
        try:
            return ToolOutput(json.dumps(value, sort_keys=True, allow_nan=False))
        except (TypeError, ValueError):
            return ToolOutput.failure("bad-result", tool=self.name, type=type(value).__name__)


class ToolRegistry:
    """The tools on offer, in the order they were added. Names are unique and not empty."""

    def __init__(self, *tools: Tool) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Offer one more tool. Raises `CurriculumError` for a name that is empty or taken."""
        if not tool.name or tool.name in self._tools:
            raise CurriculumError(
                f"The tool name {tool.name!r} is empty or taken.", code="tool-name"
            )
        self._tools[tool.name] = tool

    def function(self, name: str) -> Callable[..., Any] | None:
        """What the tool of this name runs; None if there is none."""
        tool = self._tools.get(name)
        return tool.run if tool else None

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a request offers."""
        return tuple(tool.spec for tool in self._tools.values())

    def call(self, call: Call) -> ToolOutput:
        """The output of one call. Unknown tools and bad arguments are outputs too."""
        tool = self._tools.get(call.name)
        if tool is None:
            offered = ", ".join(self._tools) or "none"
            return ToolOutput.failure("unknown-tool", tool=call.name, offered=offered)
        return tool.call(call.arguments)
