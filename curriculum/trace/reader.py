"""Reads a trace back: strictly, whole lines only, the first bad line named."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import attrs

from curriculum.context.manifest import Manifest
from curriculum.record.records import Record
from curriculum.wire.request import Request

from . import faults
from .bulk import no_collection
from .errors import TraceError
from .events import FORMAT, VERSION, SessionStart, SessionStop
from .record_ids import is_record_id
from .sessions import Counting, sessions_of
from .structure import BadData, dangling, structured
from .types import EVERY_TYPE

T = TypeVar("T")
_VERSION = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\Z")


@attrs.frozen
class Event(Generic[T]):
    """One line of a trace. `seq` counts from 1; `cause` is the seq of its trigger."""

    seq: int
    type: str
    turn: int
    data: T
    cause: int | None = None
    uses: tuple[str, ...] = ()


type_of = type  # `type` is also the name of a field


class _NumberError(ValueError):
    """NaN, an infinity, a fraction or too many digits; the text is how the file spells it."""


class _TwiceError(ValueError):
    """A key that an object has twice; the text is the key."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return value


def _no_number(text: str) -> Any:
    raise _NumberError(text)


def _integer(text: str) -> int:
    """Where an interpreter's own limit lies is a setting of it, so ours comes first."""
    return int(text) if len(text.lstrip("-")) <= faults.DIGITS else _no_number(text)


_decode = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_constant=_no_number,
    parse_float=_no_number,
    parse_int=_integer,
).decode


def _bad(name: str, number: int, why: str, *evidence: str, code: str = "trace-line") -> TraceError:
    return faults.on_line(name, number, why, *evidence, code=code)


KNOWN = object()
"""Stands for the value of a line that another trace has at the same place, and has read."""


def parse(data: bytes, name: str, beside: "Trace | None" = None) -> Iterator[Event[Any]]:
    """The events of a trace file's bytes, in order. Raises `TraceError` for the first bad line.

    A byte order mark comes before all; of several faults the one on the first line is named. An
    event whose line is the same in `beside` is the very event of that trace.
    """
    theirs, here = 0, Counting()
    others = beside.written if beside else ()
    for number, value in enumerate(values(data, name, beside.lines if beside else ()), 1):
        if number == 1:
            if value is not KNOWN:
                _check_header(value, name)
            continue
        other = others[number - 2] if number - 2 < len(others) else None
        if value is KNOWN and other:
            event = other
            if event.seq != here.seq:
                _check_seq(event.seq, event.type, event.data, here, name, number)
        else:
            event = _event(value, here, name, number)
        # What was read with as many records before it needs no second look at what it refers to.
        if event is not other or here.branched or here.records != theirs:
            _check_references(event, here.records, name, number)
        here.take(event.type, event.data)
        theirs += other is not None and other.type == "record.append"
        yield event


def _check_seq(seq: Any, type: str, data: Any, here: Counting, name: str, number: int) -> None:
    if (fault := here.fault(seq, type, data)) is not None:
        raise _bad(name, number, fault[1], code=fault[0])


def _check_references(event: Event[Any], records: int, name: str, number: int) -> None:
    field = dangling(event.data, records)
    if field is None and any(int(use[1:]) > records for use in event.uses):
        field = "uses"
    if field is not None:
        why = f"{event.type}: {field} names a record that does not stand before it"
        raise _bad(name, number, why, code="trace-reference")


def values(data: bytes, name: str, known: Sequence[str] = ()) -> Iterator[Any]:
    """The JSON value of each line, of any major. Raises `TraceError` for the first bad line.

    `KNOWN` for a line that is the same as the one of `known` at its place.
    """
    lines, unread = _lines(data, name)
    if not lines and unread is None:
        raise TraceError(f"{name} is empty; it has no header.", code="trace-header")
    for number, line in enumerate(lines, 1):
        same = number <= len(known) and line == known[number - 1]
        yield KNOWN if same else _value(line, name, number)
    if unread is not None:
        raise unread


def _lines(data: bytes, name: str) -> tuple[list[str], TraceError | None]:
    """The lines that can be read, and what is wrong with the one after them, if there is one."""
    if data.startswith(tuple(faults.BYTE_ORDER_MARKS)):
        raise faults.marked(data, name)
    unread: TraceError | None = None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        unread = faults.not_utf8(data, error.start, name)
        text = data[: data.rfind(b"\n", 0, error.start) + 1].decode("utf-8")
    *lines, rest = text.split("\n")
    return lines, faults.cut_off(rest, name, len(lines) + 1) if rest else unread


def _value(line: str, name: str, number: int) -> Any:
    """The JSON value of one line."""
    if faults.CONFLICT.match(line):
        raise faults.conflicted(line, name, number)
    if "\r" in line:
        raise faults.carriage_return(line, name, number)
    try:
        return _decode(line)
    except _NumberError as error:
        raise faults.odd_number(str(error), line, name, number) from None
    except _TwiceError as error:
        raise faults.key_twice(str(error), name, number) from None
    except (ValueError, RecursionError):
        # The decoder's own words would differ between versions; ours do not.
        raise _bad(name, number, "it is no JSON object") from None


def version_of(line: Any, name: str) -> str:
    """The version in a header, as MAJOR.MINOR. Raises `TraceError` if it is no header."""
    value = cast(dict[str, Any], line) if isinstance(line, dict) else {}
    if value.get("format") != FORMAT:
        raise TraceError(
            f"{name} is no trace: line 1 has no {FORMAT} header.",
            f'a trace begins with {{"format":"{FORMAT}","version":"{VERSION}"}}',
            code="trace-header",
        )
    version = value.get("version")
    if value.keys() != {"format", "version"} or not _VERSION.match(str(version)):
        raise TraceError(
            f"{name}: line 1 is no header of two fields, format and version.", code="trace-header"
        )
    return str(version)


def _check_header(line: Any, name: str) -> None:
    version = version_of(line, name)
    if version.split(".")[0] != VERSION.split(".")[0]:
        raise faults.other_major(version, name)


_REQUIRED = frozenset({"seq", "type", "turn", "data"})
_KEYS = _REQUIRED | {"cause", "uses"}


def _event(line: Any, here: Counting, name: str, number: int) -> Event[Any]:
    value = cast(dict[str, Any], line) if isinstance(line, dict) else {}
    if not _REQUIRED <= value.keys() <= _KEYS:
        raise _bad(name, number, "an event has seq, type, turn, data, cause and uses, no others")
    type = value["type"]
    if not isinstance(type, str) or type not in EVERY_TYPE:
        raise _bad(name, number, f"no event has the type {type!r}", code="trace-event")
    try:
        data = structured(value["data"], EVERY_TYPE[type])
    except BadData as error:
        why = f"{type}: {error} is missing, unknown, or not what the schema says"
        raise _bad(name, number, why, code="trace-event") from None
    _check_seq(value["seq"], type, data, here, name, number)
    for field, least in (("turn", 0), ("cause", 1)):
        if type_of(value.get(field, least)) is not int or value.get(field, least) < least:
            raise _bad(name, number, f"{field} is {value[field]!r}; it is a number from {least}")
    if value.get("cause", 1) >= max(value["seq"], 2):
        raise _bad(name, number, f"cause is {value['cause']}; a cause comes before its effect")
    uses = cast(list[Any], value.get("uses", []))
    if type_of(uses) is not list or not all(is_record_id(use) for use in uses):
        raise _bad(name, number, "uses is no list of record ids")
    return Event(value["seq"], type, value["turn"], data, value.get("cause"), tuple(uses))


class Trace:
    """A trace that has been read: events, records, and each request as it was sent.

    It shows one session: the last, if it holds branches. `sessions` has the events of each by
    its name, `written` all events in the order of the file, `names` the sessions of the file.
    """

    def __init__(
        self, events: Iterator[Event[Any]] | tuple[Event[Any], ...], name: str, data: bytes = b""
    ) -> None:
        self.name, self._data = name, data
        with no_collection():
            self.written = tuple(events)
        self.sessions = sessions_of(self.written)
        self.names = tuple(self.sessions)
        self.events: tuple[Event[Any], ...] = next(reversed(self.sessions.values()), ())
        if not self.events or self.events[0].type != "session.start":
            raise TraceError(f"{name} does not begin with session.start.", code="trace-header")

    @classmethod
    def read(cls, path: Path | str, beside: "Trace | None" = None) -> "Trace":
        """The trace at `path`. Raises `TraceError` (also for a file that cannot be opened).

        Lines that are the same in `beside`, at the same place, are not read a second time: of two
        traces that differ in little, the second costs little.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            why = f"{path} cannot be read: {error.strerror}."
            raise TraceError(why, code="trace-missing") from None
        if beside is not None and data == beside._data:
            return cls(beside.written, str(path), data)
        return cls(parse(data, str(path), beside), str(path), data)

    @classmethod
    def parse_bytes(cls, data: bytes, name: str) -> "Trace":
        """The trace that the bytes of a file spell. Raises `TraceError`."""
        return cls(parse(data, name), name, data)

    @classmethod
    def parse(cls, text: str, name: str = "trace") -> "Trace":
        """The trace that `text` spells."""
        return cls.parse_bytes(text.encode(), name)

    def session(self, name: str) -> "Trace":
        """The trace as it shows another of its sessions. Raises `TraceError`."""
        if name not in self.sessions:
            has = f"it has {', '.join(map(ascii, self.sessions))}"
            raise TraceError(f"{self.name} has no session {name!a}.", has, code="trace-no-session")
        found = Trace(self.sessions[name], self.name, self._data)
        found.names = self.names
        return found

    @property
    def session_name(self) -> str:
        """The name of the session that it shows."""
        return next(reversed(self.sessions))

    @property
    def lines(self) -> list[str]:
        """The lines it was read from, the header first; none if it was not read from any."""
        return self._data.decode().split("\n")[:-1]

    @property
    def minor(self) -> int:
        """The minor version of its format; that of this program if it was not read from a file."""
        version = version_of(json.loads(self.lines[0]), self.name) if self._data else VERSION
        return int(version.partition(".")[2])

    @property
    def start(self) -> SessionStart:
        """What the run was given."""
        return self.events[0].data

    @property
    def stop(self) -> SessionStop | None:
        """How the run ended; None for a session file or a run that crashed."""
        last = self.events[-1]
        return last.data if last.type == "session.stop" else None

    @cached_property
    def declared(self) -> bool:
        """Whether a harness of one's own declares its decisions: its policy has no content hash."""
        named = self.start.components
        return "harness" in named and "#" not in named.get("policy", "#")

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All records, in order."""
        return tuple(event.data for event in self.of("record.append"))

    def of(self, type: str) -> Iterator[Event[Any]]:
        """The events of one type."""
        return (event for event in self.events if event.type == type)

    @cached_property
    def assemblies(self) -> tuple[Event[Manifest], ...]:
        """Every assembly, refused ones too."""
        return tuple(self.of("context.assemble"))

    def request(self, n: int) -> Request:
        """The exact bytes of request `n` (from 1), rebuilt from records and decisions alone.

        Raises `TraceError` if there is no such request.
        """
        return self._rebuilt.request(self._sent(n))

    def manifest(self, n: int) -> "list[Any]":
        """The full decision table of request `n` (from 1): one row for each candidate."""
        return self._rebuilt.table(self._sent(n))

    @cached_property
    def _rebuilt(self) -> Any:
        from .rebuild import Rebuild

        return Rebuild(self)

    def _sent(self, n: int) -> Event[Manifest]:
        sent = [event for event in self.assemblies if event.data.refused is None]
        if not 1 <= n <= len(sent):
            raise TraceError(
                f"{self.name} has {len(sent)} requests; there is no request {n}.",
                code="trace-no-request",
            )
        return sent[n - 1]
