"""Policies by name: those that come with the package, and files of one's own."""

import difflib
import os
import re
from functools import cache
from importlib.resources import files

from curriculum.record.errors import CurriculumError

from .known_policies import register
from .policy import Policy
from .policy_file import PolicyFile, policy_from, read_policy
from .policy_problems import shown

_ID = re.compile(r"(?P<name>[^@#]+)(?:@(?P<version>0|[1-9][0-9]{0,8}))?(?:#(?P<hash>.*))?\Z", re.S)


@cache
def every_policy() -> tuple[PolicyFile, ...]:
    """The policies that come with the package, by name and version."""
    return _in("policies")


@cache
def lesson_policies() -> tuple[PolicyFile, ...]:
    """The policies that lessons teach with: known by their names, and not on the list of ours."""
    return _in("policies", "lessons")


def _in(*parts: str) -> tuple[PolicyFile, ...]:
    folder = files("curriculum.context").joinpath(*parts)
    found = [
        policy_from(entry.read_text("utf-8"), entry.name)
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    ]
    return tuple(sorted(found, key=lambda one: (one.policy.name, one.policy.version)))


def policy_of(name: str) -> Policy:
    """The policy of this name, which is known from now on. See `policy_file_of`."""
    return register(policy_file_of(name).policy)


def policy_file_of(name: str) -> PolicyFile:
    """`pools` (its newest version), `pools@1`, `pools@1#HASH`, or the path of a `.toml` file.

    Raises `CurriculumError`: `policy-unknown` with the nearest name; `component-not-installed` if
    the policy of that name and version has another hash here; for a file what `read_policy` does.
    """
    if is_path(name):
        return read_policy(name)
    asked = _ID.match(name)
    known = (*every_policy(), *lesson_policies())
    found = [one for one in known if asked and one.policy.name == asked["name"]]
    if asked and asked["version"] is not None:
        found = [one for one in found if one.policy.version == int(asked["version"])]
    if not asked or not found:
        raise _unknown(name)
    chosen = found[-1]
    if asked["hash"] is not None and chosen.policy.id.rpartition("#")[2] != asked["hash"]:
        raise CurriculumError(
            f"The policy asked for is {shown(name)}; here is {chosen.policy.id}.",
            "the hash says what the policy does, so this one does something else",
            code="component-not-installed",
            next="pip install --upgrade curriculum",
        )
    return chosen


def is_path(name: str) -> bool:
    """Whether a name is the path of a file: it has a separator, or ends in .toml."""
    separators = ("/", os.sep, os.altsep or os.sep)
    return name.endswith(".toml") or any(separator in name for separator in separators)


def _unknown(name: str) -> CurriculumError:
    known = [one.policy.id.partition("#")[0] for one in every_policy()]
    near = difflib.get_close_matches(name[:100].casefold(), known, 1, 0.0)
    return CurriculumError(
        f"No policy is called {shown(name)}.",
        *(f"nearest: {one}" for one in near),
        "a file of your own is named by its path, such as ./mine.toml",
        code="policy-unknown",
        next="curriculum policies",
    )
