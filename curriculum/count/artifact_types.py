"""The type of an artifact that a planner weighs: recognised from its path and its text.

Every answer says why. What fits no rule is `unknown`, which has a weight of its own.
"""

import re
from itertools import pairwise
from pathlib import PurePosixPath

import attrs

from .content import content_class

_ENDS = {
    "source-verbose": "cs java kt scala vb",
    "source": "c cc cjs cpp cts cxx go h hpp js jsx lua mjs mts php pl pm py pyi r rb rs sh sql "
    "swift ts tsx vue zig",
    "json-yaml": "json json5 jsonl ndjson yaml yml",
}
SUFFIXES = {end: type for type, ends in _ENDS.items() for end in ends.split()}
"""Types that the end of a file's name decides."""
MARKDOWN = ("markdown", "md", "mdx")

_STEP = re.compile(r"\s*(?:[-*] |\d+\. |\|)?\s*[*_]{0,2}(Given|When|Then|And|But)\b[*_]{0,2}[ :,]")
_HEAD = re.compile(r"\s*(?:[#*\s-]*)(Feature|Scenario|Background|Examples|Acceptance)\b")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_TEST_NAME = re.compile(
    r"(?:test_.*|.*_tests?|.*[.-](?:test|spec)|tests?|conftest|.*[a-z0-9]Tests?|Test[A-Z].*)"
)
_TEST_FOLDERS = {"test", "tests", "__tests__", "spec"}
_PLAN_NAME = re.compile(r"test[-_ ]?plan", re.IGNORECASE)
LOOKED_AT = 16_384
"""Characters of a text that are looked at."""


@attrs.frozen
class Recognised:
    """A type, one of `heuristics.TYPES`, and the sentence that says why it was chosen."""

    type: str
    why: str


def recognise(path: str, text: str) -> Recognised:
    """The type of the artifact at `path` that holds `text`; either may be empty.

    Steps of acceptance criteria go before what the path says, and the path before what the rest
    of the text shows.
    """
    place = PurePosixPath(path.replace("\\", "/"))
    folders = [part.lower() for part in place.parts[:-1]]
    suffix = place.suffix.removeprefix(".").lower()
    lines = [line for line in text[:LOOKED_AT].split("\n") if line.strip()]
    prose = suffix in (*MARKDOWN, "feature", "txt", "rst", "adoc", "")
    found = (_acceptance(suffix, lines) if prose else None) or _by_path(place, folders, suffix)
    if found is None and prose:
        found = _test_plan(lines)
    return found or _by_suffix(suffix) or _by_text(text, suffix)


def _acceptance(suffix: str, lines: list[str]) -> Recognised | None:
    if suffix == "feature":
        return Recognised("acceptance", "its name ends in .feature")
    steps = [match[1] for line in lines if (match := _STEP.match(line))]
    heads = sum(1 for line in lines if _HEAD.match(line))
    if {"Given", "When", "Then"} <= set(steps) and 2 * (len(steps) + heads) >= len(lines):
        said = f"{len(steps)} of its {len(lines)} lines are steps (Given, When, Then)"
        return Recognised("acceptance", said)
    return None


def _by_path(place: PurePosixPath, folders: list[str], suffix: str) -> Recognised | None:
    if suffix in MARKDOWN:
        if _PLAN_NAME.search(place.name):
            return Recognised("test-plan", "its name says test plan")
        if "specs" in folders:
            inside = ".paqad/specs" if ".paqad" in folders else "specs"
            return Recognised("spec", f"it is Markdown in a folder {inside}")
        if place.stem.lower() == "spec":
            return Recognised("spec", "its name is spec")
    modules = any(pair == ("docs", "modules") for pair in pairwise(folders))
    if modules and suffix in (*MARKDOWN, "rst", "adoc", "txt", ""):
        return Recognised("module-docs", "it is in docs/modules")
    if SUFFIXES.get(suffix, "").startswith("source"):
        if _TEST_NAME.fullmatch(place.stem):
            return Recognised("test", f"its name {place.name} is that of a test")
        if _TEST_FOLDERS & set(folders):
            return Recognised("test", "it is source in a folder of tests")
    return None


def _test_plan(lines: list[str]) -> Recognised | None:
    rows = [line for line in lines if _ROW.match(line)]
    if len(rows) >= 3 and 2 * len(rows) >= len(lines) and "test" in rows[0].lower():
        said = f"{len(rows)} of its {len(lines)} lines are rows of a table about tests"
        return Recognised("test-plan", said)
    return None


def _by_suffix(suffix: str) -> Recognised | None:
    if suffix in SUFFIXES:
        return Recognised(SUFFIXES[suffix], f"its name ends in .{suffix}")
    return None


def _by_text(text: str, suffix: str) -> Recognised:
    if suffix:
        return Recognised("unknown", f"no rule is about names that end in .{suffix}")
    kind = content_class(text)
    if kind == "data" and text.lstrip()[:1] in ("{", "["):
        return Recognised("json-yaml", "it begins as JSON does")
    if kind == "code":
        return Recognised("source", "its lines are those of source code")
    return Recognised("unknown", "neither its name nor its text fits a rule")
