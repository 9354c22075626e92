"""The names that a harness of one's own gives itself and its policy: `my-agent@1`."""

import re
from functools import cached_property

import attrs

from curriculum.context.policy import Policy
from curriculum.record.errors import CurriculumError

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*@(0|[1-9][0-9]{0,8})\Z")


@attrs.frozen
class Declared(Policy):
    """A policy that a harness follows by itself: a name and a version, and no content here."""

    @cached_property
    def id(self) -> str:
        """Name and version; without a hash, as there is nothing to hash."""
        return f"{self.name}@{self.version}"


def component(name: str) -> str:
    """The name, if a component can have it. Raises `CurriculumError`."""
    if not _NAME.match(name):
        raise CurriculumError(
            f"{name!a} is no name of a component.",
            "lower-case letters, digits, . _ - and a version: my-agent@1",
            code="component-name",
        )
    return name


def declared(name: str) -> Declared:
    """The policy that a name and a version stand for. Raises `CurriculumError`."""
    before, _, version = component(name).rpartition("@")
    return Declared(before, int(version))
