"""Tools, and what becomes of a call: every call gets one result, also when it goes wrong."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from curriculum.record.records import Call, ToolSpec, Trust
from curriculum.record.text import scalar


@attrs.frozen
class ToolOutput:
    """What a call gave: text for the model, and the failure's code if there is one.

    Policies know the result by its `tags`.

    A tool may return one to give its text a label of trust that is lower than `tool`; None and
    any higher one stand for `tool`. Raises `ValueError` for a trust that there is not.
    """

    text: str
    failed: str | None = None
    trust: Trust | None = attrs.field(default=None, converter=attrs.converters.optional(Trust))
    tags: tuple[str, ...] = ()


@attrs.frozen
class Tool:
    """A function with a name, a description and JSON-Schema parameters (None: takes nothing).

    `tags` are words by which policies know what it returns, such as `verified`. Raises
    `CurriculumError` for parameters that are no schema.
    """

    name: str = attrs.field(converter=scalar)
    run: Callable[..., Any]
    description: str = attrs.field(default="", converter=scalar)
    parameters: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        self.spec  # noqa: B018  # it checks the parameters

    @property
    def spec(self) -> ToolSpec:
        """The tool as it is offered."""
        if not self.parameters:
            return ToolSpec(self.name, self.description)
        from .arguments import schema_of  # needs a schema validator

        return ToolSpec(self.name, self.description, schema_of(self.name, self.parameters))

    def call(self, arguments: str) -> ToolOutput:
        """Check the arguments, run, and return text; nothing but an interrupt escapes."""
        values: dict[str, Any] = {}
        if self.parameters or arguments not in ("", "{}"):
            from .arguments import ArgumentProblem, parse

            try:
                values = parse(self.spec.parameters, arguments or "{}")
            except ArgumentProblem as problem:
                return problem.told(self.name)
        try:
            value = self.run(**values)
        except (Exception, SystemExit) as error:
            from .failures import raised

            return raised(self.name, error)
        if isinstance(value, str):
            return ToolOutput(scalar(value), tags=self.tags)
        from .failures import spelled

        return spelled(self.name, value)


class ToolRegistry:
    """The tools on offer, in the order they were added. Names are unique and not empty."""

    def __init__(self, *tools: Tool) -> None:
        self.tools: dict[str, Tool] = {}
        """The tools by name. `add` is the way to change it."""
        for tool in tools:
            self.add(tool)

    @classmethod
    def of(cls, tools: "ToolRegistry | Iterable[Tool]") -> "ToolRegistry":
        """A registry of the tools, or the registry that it is already."""
        return cls(*tools) if isinstance(tools, Iterable) else tools

    def add(self, tool: Tool) -> None:
        """Offer one more tool. Raises `CurriculumError` for a name that is empty or taken."""
        if not tool.name or tool.name in self.tools:
            from curriculum.record.errors import CurriculumError

            raise CurriculumError(
                f"The tool name {tool.name!r} is empty or taken.", code="tool-name"
            )
        self.tools[tool.name] = tool

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a request offers."""
        return tuple(tool.spec for tool in self.tools.values())

    def call(self, call: Call) -> ToolOutput:
        """The output of one call. Unknown tools and bad arguments are outputs too."""
        if (tool := self.tools.get(call.name)) is None:
            from .failures import failure

            offered = ", ".join(self.tools) or "none"
            return failure("unknown-tool", tool=call.name, offered=offered)
        return tool.call(call.arguments)
