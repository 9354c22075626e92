"""Arguments of a call: JSON that fits the tool's schema, or a problem in our own words."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import fastjsonschema

_NOTHING: Mapping[str, Any] = {"type": "object", "additionalProperties": False, "properties": {}}


class ArgumentProblem(Exception):
    """Where the arguments break which rule of the schema."""

    def __init__(self, where: str, rule: str) -> None:
        self.where, self.rule = where, rule
        super().__init__(f"{where} {rule}")


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    return fastjsonschema.compile(json.loads(schema), use_default=False)


def parse(parameters: Mapping[str, Any] | None, arguments: str) -> dict[str, Any]:
    """The arguments as a dict. Raises `ArgumentProblem`."""
    try:
        values = json.loads(arguments)
    except ValueError:
        raise ArgumentProblem("the arguments", "are not JSON") from None
    schema = parameters or _NOTHING
    try:
        _validator(json.dumps(schema, sort_keys=True))(values)
    except fastjsonschema.JsonSchemaValueException as error:
        where = ".".join(str(part) for part in error.path[1:]) or "the arguments"
        rule = json.dumps(error.rule_definition, sort_keys=True)
        if error.rule == "additionalProperties":
            known = ", ".join(sorted(schema.get("properties", {}))) or "none"
            raise ArgumentProblem(where, f"have a name that is not known; known: {known}") from None
        raise ArgumentProblem(where, f"must satisfy {error.rule} {rule}") from None
    return values
