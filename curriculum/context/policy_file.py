"""Policy files: TOML text read as a `Policy`, with every mistake named by its line.

What a file leaves out is as `Policy` and `Pooling` have it, so an empty file is newest first. The
text `about` is for people: it is no part of what the policy's hash covers.
"""

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from curriculum.record.records import Author, Kind, Trust
from curriculum.record.truncation import Truncation
from curriculum.record.truncation_data import KEYS, TruncationError

from .policy import NEWEST_FIRST, Policy
from .policy_checks import check_policy, ladder_of
from .policy_fields import BELOW, Fields, Reading
from .policy_problems import SHOWN, PolicyFileError, once_mended, refusal
from .pooling import (
    ORDERS,
    PACKED,
    PACKINGS,
    POOLS,
    Again,
    Compaction,
    Ingest,
    Pool,
    Pooling,
    Rule,
    Smaller,
)
from .toml_lines import Place

LARGEST = 1_000_000
"""Bytes that a file may have."""
DOTS = 100
"""Dots that a line may have: for a key of many thousand parts the reader would take hours."""
PLAIN = ("name", "version", "about", "protect", "current_request", "cut", "flat")
POOLED = (
    *("packing", "order", "ladder", "high", "low", "recent", "block"),
    *("rule", "pool", "again", "smaller", "compact", "ingest"),
)
"""Keys of which one is enough to make a policy more than newest first."""
RULE = tuple(field.name for field in attrs.fields(Rule))
POOL = ("cap", "min", "value")
INGEST = ("tool", *KEYS)
COMPACT = tuple(field.name for field in attrs.fields(Compaction))
KINDS = tuple(kind for kind in Kind if kind is not Kind.OPAQUE)
"""Kinds that a policy decides on: an opaque record is no candidate."""
BY_ITSELF = {Kind.INSTRUCTION, Kind.TOOLS}
"""Kinds that newest first protects without pools."""


@attrs.frozen
class PolicyFile:
    """A policy, what it says about itself, and the text that it was read from.

    `checked` is how many values of the text were looked at.
    """

    policy: Policy
    about: str
    text: str
    checked: int

    def line(self, place: Place) -> int:
        """The line on which a key or an entry of a list stands, counted from 1."""
        from .toml_lines import line_at, lines_of

        return line_at(lines_of(self.text), place)


def read_policy(path: str | Path) -> PolicyFile:
    """The policy of a file. Raises `PolicyFileError`: `policy-unreadable`, or what is wrong."""
    try:
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode):
            what = "it is a folder" if stat.S_ISDIR(mode) else "it is no regular file"
            raise _unreadable(path, what)
        with Path(path).open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise PolicyFileError(
                f"{str(path)!a} has more than {LARGEST} bytes.",
                "the largest policy that comes with the package has about 2,000",
                code="policy-too-large",
                next="curriculum policies",
            )
        return policy_from(raw.decode("utf-8-sig"), str(path))
    except FileNotFoundError:
        raise _unreadable(path, "there is no such file", *_beside(path)) from None
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"it is no UTF-8 text (byte {error.start})") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is no file name"
        raise _unreadable(path, why) from None


def policy_from(text: str, file: str = "policy") -> PolicyFile:
    """The policy that a text describes; `file` is what errors call it. Raises `PolicyFileError`."""
    data = _toml(text, file)
    reading = Reading(file, text)
    top = Fields(reading, data, (), (*PLAIN, *POOLED))
    plain = Policy(
        name=top.name("name", NEWEST_FIRST.name),
        version=_version(top),
        protect=top.words("protect", NEWEST_FIRST.protect, KINDS, "kind"),
        current_request=top.flag("current_request", NEWEST_FIRST.current_request),
        cut=top.flag("cut", NEWEST_FIRST.cut),
        flat=top.flag("flat", NEWEST_FIRST.flat),
    )
    about = top.text("about", "")
    # Newest first by itself knows two kinds that stay; another one needs the classes of records.
    pooled = any(name in data for name in POOLED) or not BY_ITSELF.issuperset(plain.protect)
    policy = attrs.evolve(plain, pooling=_pooling(top) if pooled else None)
    if not reading.problems:  # what goes together is asked of parts that are right by themselves
        check_policy(reading, policy)
    if reading.problems:
        raise refusal(file, reading.problems)
    return PolicyFile(policy, about, text, reading.checked)


def _version(top: Fields) -> int:
    """A version of at most nine digits: that is what a trace can name."""
    version = top.number("version", NEWEST_FIRST.version, 0)
    if version < 10**9:
        return version
    top.wrong(("version",), "type", version, "a version has at most 9 digits")
    return NEWEST_FIRST.version


def _pooling(top: Fields) -> Pooling:
    plain = Pooling()
    return Pooling(
        rules=tuple(_rule(fields) for fields in top.tables("rule", RULE)),
        pools=_pools(top),
        ladder=ladder_of(top, plain.ladder),
        packing=top.word("packing", plain.packing, PACKINGS, "packing"),
        order=top.word("order", plain.order, ORDERS, "order"),
        high=top.amount("high", plain.high) or 0,
        low=top.amount("low", plain.low),
        recent=top.number("recent", plain.recent, 0),
        block=top.number("block", plain.block, 1),
        again=_again(top),
        ingest=_ingest(top),
        smaller=_smaller(top),
        compact=_compact(top),
    )


def _ingest(top: Fields) -> tuple[Ingest, ...]:
    """`[[ingest]]`: how a tool's output is cut on its way into the log."""
    found: list[Ingest] = []
    for fields in top.tables("ingest", INGEST):
        tools = fields.texts("tool")
        table = {key: value for key, value in fields.given.items() if key in KEYS}
        odd = [key for key, value in table.items() if not _plain(value)]
        for key in odd:
            fields.wrong((key,), "type", table[key], "it must be a word, a number, true or false")
        fields.reading.checked += len(table)
        try:
            found += [] if odd or not fields.readable else [Ingest(Truncation.of(table), tools)]
        except TruncationError as error:
            said = " ".join([error.headline, *error.evidence])
            named = [key for key in re.findall(r"\w+", error.headline) if key in table]
            place = fields.at(*named[:1])
            fields.reading.problem(place, error.code.removeprefix("truncation-"), said)
    return tuple(found)


def _plain(value: Any) -> bool:
    """Whether a value is short enough to be said again in an error about it."""
    if isinstance(value, str):
        return len(value) <= SHOWN
    return isinstance(value, int) and abs(value) < BELOW


def _rule(fields: Fields) -> Rule:
    if "pool" not in fields.given:
        fields.missing("pool")
    return Rule(
        pool=fields.word("pool", "ordinary", POOLS, "pool"),
        name=fields.name("name", ""),
        rank=fields.number("rank", 1, 1),
        kind=fields.words("kind", (), KINDS, "kind"),
        author=fields.words("author", (), Author, "author"),
        trust=fields.words("trust", (), Trust, "trust label"),
        tool=fields.texts("tool"),
        tag=fields.texts("tag"),
        older_than=fields.number("older_than", None, 0),
        active=fields.maybe("active"),
        externalize=fields.flag("externalize", False),
        intact=fields.flag("intact", False),
    )


def _pools(top: Fields) -> tuple[Pool, ...]:
    """The pools in the order in which they are served, however the file orders them."""
    if "pool" not in top.given:
        return ()
    tables = Fields(top.reading, top.given["pool"], top.at("pool"), PACKED)
    found: list[Pool] = []
    for name in PACKED:
        if name in tables.given:
            fields = Fields(top.reading, tables.given[name], tables.at(name), POOL)
            value = fields.number("value", 1, 0)
            found.append(Pool(name, fields.amount("cap", None), fields.amount("min", None), value))
    return tuple(found)


def _again(top: Fields) -> tuple[Again, ...]:
    found: list[Again] = []
    for fields in top.tables("again", ("tool", "argument")):
        for name in ("tool", "argument"):
            if name not in fields.given:
                fields.missing(name)
        one = Again(fields.text("tool", ""), fields.text("argument", ""))
        if one.tool in [other.tool for other in found]:
            fields.wrong(("tool",), "duplicate", one.tool, "one argument stands for a tool")
        found.append(one)
    return tuple(found)


def _smaller(top: Fields) -> Smaller | None:
    if "smaller" not in top.given:
        return None
    keys = ("name", "release")
    fields = Fields(top.reading, top.given["smaller"], top.at("smaller"), keys)
    for name in keys:
        if name not in fields.given:
            fields.missing(name)
    if fields.given.get("release") == []:
        fields.wrong(("release",), "release", [], "it must name a rule whose protection is lifted")
    return Smaller(fields.name("name", ""), fields.texts("release"))


def _compact(top: Fields) -> Compaction | None:
    if "compact" not in top.given:
        return None
    plain = Compaction()
    fields = Fields(top.reading, top.given["compact"], top.at("compact"), COMPACT)
    return Compaction(
        recent=fields.number("recent", plain.recent, 1),
        at=fields.amount("at", plain.at),
        records=fields.number("records", plain.records, 1),
        least=fields.amount("least", plain.least) or 0,
        preserve=fields.texts("preserve"),
        keep=fields.words("keep", (), KINDS, "kind"),
        drop=fields.words("drop", (), KINDS, "kind"),
        instruction=fields.text("instruction", plain.instruction),
    )


def _toml(text: str, file: str) -> Mapping[str, Any]:
    """The data of a TOML text; what is no TOML is told with its line."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.count(".") > DOTS:
            raise _no_toml(file, number, f"a line with more than {DOTS} dots is not read")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = re.search(r" ?\(at line (\d+), column (\d+)\)", said)
        why = said.replace(found[0], f", column {found[2]}") if found else said
        line = int(found[1]) if found else len(text.rstrip("\n").split("\n"))
        raise _no_toml(file, line, why[:300]) from None
    except ValueError:
        line = next((n for n, one in enumerate(lines, 1) if re.search(r"\d[\d_]{4000}", one)), 1)
        raise _no_toml(file, line, "a number is too long") from None
    except RecursionError:
        deep = [line.count("[") + line.count("{") for line in lines]
        raise _no_toml(file, deep.index(max(deep)) + 1, "lists are nested too deep") from None


def _no_toml(file: str, line: int, why: str) -> PolicyFileError:
    return PolicyFileError(
        f"{file}, line {line}: this is no TOML.",
        why,
        code="policy-toml",
        next=once_mended(file),
    )


def _unreadable(path: str | Path, why: str, *near: str) -> PolicyFileError:
    return PolicyFileError(
        f"{str(path)!a} cannot be read: {why}.",
        *near,
        code="policy-unreadable",
        next="curriculum policies",
    )


def _beside(path: str | Path) -> list[str]:
    """The nearest policy file in the same folder."""
    import difflib

    folder = Path(path).parent
    try:
        names = sorted(one.name for one in folder.iterdir() if one.suffix == ".toml")
    except (OSError, ValueError):
        return []
    return [f"nearest: {folder / n}" for n in difflib.get_close_matches(Path(path).name, names, 1)]
