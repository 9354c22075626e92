"""Arguments of a call: JSON that fits the tool's schema, or a problem in our own words."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import fastjsonschema

from curriculum.record.errors import CurriculumError
from curriculum.record.schemas import canonical

from .failures import failure
from .tools import ToolOutput

_NOTHING = '{"additionalProperties":false,"properties":{},"type":"object"}'


class ArgumentProblem(Exception):
    """Where the arguments break which rule of the schema."""

    def __init__(self, where: str, rule: str) -> None:
        self.where, self.rule = where, rule
        super().__init__(f"{where} {rule}")

    def told(self, tool: str) -> ToolOutput:
        """What the model reads."""
        return failure("bad-arguments", tool=tool, where=self.where, rule=self.rule)


def _never(uri: str) -> Any:
    raise ValueError(f"{uri} is elsewhere; a schema is looked up in itself only")


_HANDLERS: Any = dict.fromkeys(("http", "https", "ftp", "file", "data"), _never)
"""Without these the library would open a connection for a `$ref` to another place."""


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    return fastjsonschema.compile(json.loads(schema), _HANDLERS, use_default=False)


def schema_of(tool: str, parameters: Mapping[str, Any]) -> str:
    """The parameters in their one spelling. Raises `CurriculumError` if they are no schema."""
    try:
        # Read again: keys that are no text have become text, and are sorted as such.
        schema = canonical(json.loads(canonical(parameters)))
        if not schema.startswith("{"):
            raise TypeError("parameters are a JSON object")
        _validator(schema)
    except Exception as error:  # whatever the library raises, the answer is the same
        raise CurriculumError(
            f"The parameters of the tool {tool!r} are no JSON Schema.",
            f"{type(error).__name__}: {error}",
            code="tool-schema",
            next="give parameters that describe an object, without references to other places",
        ) from None
    return schema


def parse(parameters: str, arguments: str) -> dict[str, Any]:
    """The arguments as a dict, by the schema's text. Raises `ArgumentProblem`."""
    schema = parameters or _NOTHING
    try:
        values = json.loads(arguments)
        _validator(schema)(values)
    except fastjsonschema.JsonSchemaValueException as error:
        where = ".".join(str(part) for part in error.path[1:]) or "the arguments"
        rule = json.dumps(error.rule_definition, sort_keys=True)
        if error.rule == "additionalProperties":
            known = ", ".join(sorted(json.loads(schema).get("properties", {}))) or "none"
            raise ArgumentProblem(where, f"have a name that is not known; known: {known}") from None
        raise ArgumentProblem(where, f"must satisfy {error.rule} {rule}") from None
    except RecursionError:
        raise ArgumentProblem("the arguments", "are nested too deep") from None
    except ValueError:
        raise ArgumentProblem("the arguments", "are not JSON") from None
    if not isinstance(values, dict):
        raise ArgumentProblem("the arguments", 'must satisfy type "object"')
    return values  # pyright: ignore
