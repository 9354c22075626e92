"""Short ways through long traces: each gives exactly what the long way gives.

The long way is the meaning: the library's reader, the table of rules, a whole request decoded
again, events matched by the keys of their causes. The short way only has to be faster.
"""

import contextlib
import gc
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.course.lessons import all_cases
from curriculum.record.cut import Cut
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Record
from curriculum.trace import diff as diff_module
from curriculum.trace import laws as laws_module
from curriculum.trace.bulk import no_collection
from curriculum.trace.diff import Diff
from curriculum.trace.errors import TraceError
from curriculum.trace.facts import Rebuilt
from curriculum.trace.ladder import reference_cut
from curriculum.trace.laws import breaches
from curriculum.trace.readback import one_by_one, shown
from curriculum.trace.reader import Trace
from curriculum.trace.rebuild import Item, Rebuild
from curriculum.trace.straight import reader_of
from curriculum.trace.structure import BadData, by_library, structured
from curriculum.trace.types import EVERY_TYPE as TYPES
from curriculum.wire.plain import Plain, escape
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message
from curriculum.wire.segments import segments_of

from . import strategies
from .kinds import leaves, leaves_of, of_each_kind
from .test_laws import EDITS, FORGED, edited, run_text
from .traces import text_of, trace_of

SMALL = sorted(set(of_each_kind(all_cases())) - {"harness/long-session"})
OWN_LOOPS = sorted((Path(__file__).parent / "examples").rglob("*.jsonl"))
ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    "",
    "\ud800",
    "r0000",
    "r0001",
    "x",
    [],
    {},
    [1],
    {"a": 1},
]
"""What may stand where something else belongs."""


def event_data(id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in run_text(id).splitlines()[1:]:
        event = json.loads(line)
        yield event["type"], event["data"]


def altered(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The data with one leaf made odd, gone, or joined by a field that there is not."""
    for path in leaves(data):
        for odd in [*ODD, "gone", "more"]:
            copy = json.loads(json.dumps(data))
            *way, last = path
            place: Any = copy
            for key in way:
                place = place[key]
            if odd == "gone":
                del place[last]
            elif odd == "more" and isinstance(place, dict):
                place["more"] = 1
            else:
                place[last] = odd
            yield copy


class TestReadingStraight:
    """The reader of a class takes what the library takes; what it refuses, the library explains."""

    @pytest.mark.parametrize("id", sorted(of_each_kind(all_cases())))
    def test_what_a_recorder_writes_is_read_without_the_library(self, id: str) -> None:
        for type, data in event_data(id):
            assert by_library(data, TYPES[type]) == reader_of(TYPES[type])(data)

    @pytest.mark.parametrize("id", SMALL)
    def test_nothing_is_taken_that_the_library_refuses(self, id: str) -> None:
        for type, data in event_data(id):
            for odd in altered(data):
                try:
                    straight = reader_of(TYPES[type])(odd)
                except Exception:
                    continue  # then the library is asked
                assert by_library(odd, TYPES[type]) == straight

    def test_a_field_that_is_wrong_is_named_by_the_library(self) -> None:
        with pytest.raises(BadData, match=r"\Acall\Z"):
            structured({"record": "r0001", "call": -1, "tool": "t"}, TYPES["tool.request"])

    @pytest.mark.parametrize("odd", ["", {}, "r0001"])
    def test_what_stands_for_a_list_is_a_list(self, odd: Any) -> None:
        """The library would take an empty text for an empty list."""
        start = {"kind": "user", "trust": "user", "author": "person", "source": "prompt"}
        with pytest.raises(BadData, match=r"\Acalls"):
            structured({"id": "r0001", **start, "calls": odd}, TYPES["record.append"])


def found(trace: Trace) -> list[Any]:
    """The breaches, or the error that the checker itself ends with."""
    try:
        return list(breaches(trace))
    except Exception as error:
        return [type(error), str(error)]


def by_the_rules_alone(trace: Trace) -> list[Any]:
    with (
        mock.patch.object(laws_module, "right_at_once", return_value=False),
        mock.patch("curriculum.trace.assembly_laws.one_by_one", return_value=None),
        mock.patch("curriculum.trace.assembly_laws._merely_fits", return_value=False),
    ):
        return found(trace)


class TestLawsAtOneLook:
    """The checker finds the same breaches whether or not it first takes one look."""

    @pytest.mark.parametrize("id", sorted(of_each_kind(all_cases())))
    def test_the_cases_that_ship(self, id: str) -> None:
        trace = Trace.parse(run_text(id))
        assert [] == found(trace) == by_the_rules_alone(trace)

    @pytest.mark.parametrize("id", SMALL)
    def test_every_number_and_word_changed(self, id: str) -> None:
        events = [json.loads(line) for line in run_text(id).splitlines()[1:]]
        for at, path in leaves_of(events, ends=False):
            try:
                trace = edited(lambda e, at=at, path=path: poke(e[at], path), id)
            except CurriculumError:
                continue
            assert by_the_rules_alone(trace) == found(trace), (events[at]["type"], path)

    @pytest.mark.parametrize("file", OWN_LOOPS, ids=[path.stem for path in OWN_LOOPS])
    def test_loops_of_ones_own_changed(self, file: Path) -> None:
        """Where a harness declares its decisions, less can be recomputed: the same less."""
        lines = file.read_text("ascii").splitlines(keepends=True)
        for at, line in enumerate(lines[1:], 1):
            for path in leaves(json.loads(line)):
                event = json.loads(line)
                poke(event, path)
                spelled = json.dumps(event, sort_keys=True, separators=(",", ":")) + "\n"
                try:
                    trace = Trace.parse("".join([*lines[:at], spelled, *lines[at + 1 :]]))
                except CurriculumError:
                    continue
                assert by_the_rules_alone(trace) == found(trace), (event["type"], path)

    @pytest.mark.parametrize("what", [*(e[0] for e in EDITS), *(f[0] for f in FORGED)])
    def test_edits_and_forgeries(self, what: str) -> None:
        known = {name: (edit, "s06-context-budget") for name, _, edit in EDITS}
        known |= {name: (edit, id) for name, id, _, edit in FORGED}
        trace = edited(*known[what])
        assert by_the_rules_alone(trace) == found(trace) != []

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_random_logs(self, data: st.DataObject, records: list[Record], wire: Wire) -> None:
        """Under another ceiling than they were made with, so that much is broken."""
        limit = data.draw(strategies.edge_limits(records, wire))
        text = text_of(records, wire, [(len(records), limit)])
        other = text.replace(f'"max_input_chars":{limit}', f'"max_input_chars":{limit + 1}')
        for trace in (Trace.parse(text), Trace.parse(other)):
            assert by_the_rules_alone(trace) == found(trace)


def poke(event: dict[str, Any], path: tuple[Any, ...]) -> None:
    """Change one leaf: a number by one, a text by a letter."""
    *way, last = path
    for key in way:
        event = event[key]
    event[last] = event[last] + (1 if isinstance(event[last], int) else "x")


def requests(trace: Trace) -> Iterator[Rebuilt]:
    rebuild = Rebuild(trace)
    for event in trace.assemblies:
        if event.data.refused is None:
            yield Rebuilt(rebuild, event.data)


def holds(trace: Trace, wire: Wire) -> None:
    for rebuilt in requests(trace):
        tiles = segments_of(wire, rebuilt.messages)
        assert "".join(tile.text for tile in tiles) == rebuilt.text
        assert sum(len(tile.text) for tile in tiles if not tile.record) == rebuilt.frame
        read = one_by_one(wire, rebuilt.items)
        assert read is not None
        known = shown(map(wire.heard, rebuilt.messages))
        assert shown(wire.decode(rebuilt.text.encode())) == known
        told = [message for message in rebuilt.messages if message in read]
        assert shown(told) == shown(read)


class TestItemsReadOneByOne:
    """Items that are right alone are right together, in every wire: no joint is ambiguous."""

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_random_logs_of_hostile_text(
        self, data: st.DataObject, records: list[Record], wire: Wire
    ) -> None:
        holds(trace_of(records, wire, data.draw(strategies.edge_limits(records, wire))), wire)

    @given(texts=st.lists(strategies.hostile(), min_size=1, max_size=4))
    def test_any_lines_that_read_alone_read_together(self, texts: list[str]) -> None:
        """Also lines that no message of ours has: whoever wrote them, the joint adds nothing."""
        wire = Plain()
        lines = [f"{text}\n" for text in texts]
        try:
            alone = [wire.decode(line.encode()) for line in lines]
        except CurriculumError:
            return
        if all(len(read) == 1 for read in alone) and not any(line[0] == "+" for line in lines):
            together = wire.decode("".join(lines).encode())
            assert [message for read in alone for message in read] == together

    def test_an_item_that_says_something_else_is_not_taken(self) -> None:
        """Two lines where one message was sent; only the whole request can tell."""
        message = Message(kind=Plain().decode(b">a\n")[0].kind, text="a\n>b")
        forged = Item(">a\n>b\n", 6, 6, message, "message")
        assert one_by_one(Plain(), [forged]) is None
        assert one_by_one(Plain(), [Item(">a\\n>b\n", 7, 7, message, "message")]) is not None

    def test_two_sets_of_tools_are_left_to_the_whole_request(self) -> None:
        """Each reads well alone, but a body has one set of tools."""
        line = b"+read\n"
        item = Item("+read\n", 6, 6, Plain().decode(line)[0], "tools")
        assert one_by_one(Plain(), [item]) == []
        assert one_by_one(Plain(), [item, item]) is None


class TestTheSearchForACut:
    """Beginning where most texts end changes where the search looks, not what it finds."""

    @given(
        text=strategies.hostile(min_size=1, max_size=12),
        limit=st.integers(0, 60),
        kept=st.none() | st.integers(0, 20),
    )
    def test_it_finds_the_longest_of_all(self, text: str, limit: int, kept: int | None) -> None:
        whole = Cut.whole(text)
        whole = whole if kept is None or kept >= len(text) else whole.to(kept)

        def size(cut: Cut) -> int:
            return len(escape(cut.head)) + len(cut.marker) + len(escape(cut.tail))

        fits = [whole.to(keep) for keep in range(min(whole.original, 2 * limit + 2))]
        best = [cut for cut in fits if cut.missing and size(cut) <= limit]
        assert reference_cut(whole, limit, size) == (best[-1] if best else None)


def differences(left: Trace, right: Trace) -> list[tuple[Any, ...]]:
    return [
        (d.left and d.left.seq, d.right and d.right.seq, d.field, d.expected, d.got)
        for d in Diff(left, right).differences
    ]


class TestTracesOfOneShape:
    """Events of two traces of one shape answer each other by place, as by the keys of causes."""

    @given(data=st.data(), records=strategies.logs(), wire=st.sampled_from(strategies.WIRES))
    def test_random_logs_under_two_ceilings(
        self, data: st.DataObject, records: list[Record], wire: Wire
    ) -> None:
        limits = [data.draw(strategies.edge_limits(records, wire)) for _ in range(2)]
        left, right = (trace_of(records, wire, limit) for limit in limits)
        short = differences(left, right)
        with mock.patch.object(diff_module, "_same_shape", return_value=False):
            assert differences(left, right) == short

    @pytest.mark.parametrize("id", SMALL)
    def test_every_number_and_word_changed(self, id: str) -> None:
        left = Trace.parse(run_text(id))
        events = [json.loads(line) for line in run_text(id).splitlines()[1:]]
        for at, path in leaves_of(events, ends=False):
            try:
                right = edited(lambda e, at=at, path=path: poke(e[at], path), id)
                short = differences(left, right)
            except (CurriculumError, ArithmeticError, LookupError):
                continue  # it cannot be read, or not be compared at all
            with mock.patch.object(diff_module, "_same_shape", return_value=False):
                assert differences(left, right) == short, (events[at]["type"], path)


def spelled(path: Path, beside: Trace | None) -> Any:
    """The events that are read, or the error in full."""
    try:
        return Trace.read(path, beside).events
    except TraceError as error:
        return str(error)


class TestReadingBesideAnother:
    """Lines that another trace has at the same place are its events; all else is as ever."""

    def test_equal_lines_are_the_very_events(self, tmp_path: Path) -> None:
        one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
        one.write_text(run_text("s06-context-budget"), "ascii")
        two.write_text(run_text("s06-context-budget").replace("row 0001.", "row 000i."), "ascii")
        left = Trace.read(one)
        right = Trace.read(two, left)
        same = [a is b for a, b in zip(left.events, right.events, strict=True)]
        assert [True] * 11 + [False] + [True] * 5 == same  # the log's copy of the output
        assert right.events == Trace.read(two).events

    def test_an_equal_file_is_not_read_again(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).write_text(run_text("s06-context-budget"), "ascii")
        left = Trace.read(tmp_path / "one")
        right = Trace.read(tmp_path / "two", left)
        assert left.events is right.events
        assert str(tmp_path / "two") == right.name

    @given(data=st.data())
    def test_lines_gone_doubled_and_swapped(
        self, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        """The same events or the same error, whatever stands beside it."""
        lines = run_text("s06-context-budget").splitlines(keepends=True)
        picks: Sequence[int] = data.draw(
            st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=len(lines))
            | st.permutations(range(len(lines)))
            | st.integers(0, len(lines)).map(lambda n: [*range(n), *range(n + 1, len(lines))])
        )
        folder = tmp_path_factory.mktemp("beside")
        (folder / "one").write_text("".join(lines), "ascii")
        (folder / "two").write_text("".join(lines[at] for at in picks), "ascii")
        left = Trace.read(folder / "one")
        assert spelled(folder / "two", None) == spelled(folder / "two", left)

    def test_a_reference_is_checked_where_fewer_records_stand_before_it(
        self, tmp_path: Path
    ) -> None:
        """A line may be the same and what it refers to be gone."""
        text = run_text("s06-context-budget")
        lines = text.splitlines(keepends=True)
        lines[4] = lines[4].replace('"record.append"', '"error"')
        lines[4] = '{"data":{"code":"x","params":{}},"seq":4,"turn":0,"type":"error"}\n'
        (tmp_path / "one").write_text(text, "ascii")
        (tmp_path / "two").write_text("".join(lines), "ascii")
        left = Trace.read(tmp_path / "one")
        alone = spelled(tmp_path / "two", None)
        assert "names a record that does not stand before it" in str(alone)
        assert alone == spelled(tmp_path / "two", left)


class TestWithoutCollection:
    """The search for garbage is off for the while, and then as it was, whatever happened."""

    @pytest.mark.parametrize("before", [True, False])
    def test_it_is_as_it_was(self, before: bool) -> None:
        was = gc.isenabled()
        (gc.enable if before else gc.disable)()
        try:
            seen: list[bool] = []
            with contextlib.suppress(ZeroDivisionError), no_collection():
                seen.append(gc.isenabled())
                _ = 1 / 0
            assert [False, before] == [*seen, gc.isenabled()]
        finally:
            (gc.enable if was else gc.disable)()

    def test_a_trace_that_is_refused_leaves_it_on(self) -> None:
        with pytest.raises(TraceError):
            Trace.parse("hello\n")
        assert gc.isenabled()
