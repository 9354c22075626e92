"""What a wire sends can be read back, and nothing in it can pass for what the harness wrote."""

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curriculum.record.records import Answers, Author, Call, Kind, Record, ToolSpec, Trust
from curriculum.record.session import Session
from curriculum.record.unlawful import UnlawfulRecord
from curriculum.wire.errors import WireError
from curriculum.wire.frames import charges
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import wire_of
from curriculum.wire.request import Message, SegmentClass
from curriculum.wire.segments import segments_of
from tests.strategies import FRAGMENTS
from tests.wire_messages import EVERY, body, cut_of, messages, name

quick = settings(max_examples=100, deadline=None, derandomize=True)
every = pytest.mark.parametrize("wire", EVERY, ids=name)


def chat(*messages: Message) -> dict[str, Any]:
    return json.loads(body(OpenAIChat("m"), *messages))


@every
class TestEveryWire:
    @quick
    @given(data=st.data())
    def test_round_trip(self, wire: Wire, data: st.DataObject) -> None:
        """Decoding what was encoded gives back what can be known of the messages."""
        sent = data.draw(messages(wire))
        assert [wire.heard(message) for message in sent] == wire.decode(body(wire, *sent))

    @quick
    @given(data=st.data())
    def test_tiles(self, wire: Wire, data: st.DataObject) -> None:
        """Segments tile the request: none is empty, and each has its record or is frame."""
        sent = data.draw(messages(wire))
        segments = segments_of(wire, sent)
        assert all(segment.text for segment in segments)
        assert all(s.kind is SegmentClass.FRAME for s in segments if s.record is None)
        own = "".join(text for message in sent for _, text in wire.pieces(message))
        assert own == "".join(s.text for s in segments if s.record is not None)

    @quick
    @given(data=st.data())
    def test_different_messages(self, wire: Wire, data: st.DataObject) -> None:
        """Two lists of messages have the same bytes only if a reader could not tell them apart."""
        one, other = data.draw(messages(wire)), data.draw(messages(wire))
        heard = [[wire.heard(message) for message in side] for side in (one, other)]
        assert (heard[0] == heard[1]) == (body(wire, *one) == body(wire, *other))

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(data=st.data())
    def test_any_bytes(self, wire: Wire, data: st.DataObject) -> None:
        """Any bytes either decode, and encode to the same bytes again, or raise WireError."""
        pieces = st.sampled_from([f.encode() for f in FRAGMENTS]) | st.binary(max_size=6)
        drawn = data.draw(st.lists(pieces, max_size=8).map(b"".join))
        spelled = body(wire, *data.draw(messages(wire)))
        at = data.draw(st.integers(0, len(spelled)))
        until = data.draw(st.integers(at, min(len(spelled), at + 3)))
        for raw in (drawn, drawn + b"\n", spelled[:at] + drawn[:3] + spelled[until:]):
            try:
                decoded = wire.decode(raw)
            except WireError:
                continue
            assert raw == body(wire, *decoded)

    def test_deep_nesting(self, wire: Wire) -> None:
        """Bytes that nest deeper than a parser goes are refused like any others."""
        for raw in (b"[" * 200_000, b"+t " + b"[" * 200_000 + b"\n", b"\xff\xfe\n", b'"\\ud800"'):
            with pytest.raises(WireError):
                wire.decode(raw)

    def test_framing_is_bounded(self, wire: Wire) -> None:
        """The frame and a joint for each message but the first is the most that framing takes.

        Tried with every order of up to four messages behind every choice of tools and
        instructions. What is spared is at most the empty slot of the instructions: a joint is
        charged for the first of them, and none is written.
        """
        slots = {
            "anthropic-messages@1": '"system":[],',
            "gemini@1": '"systemInstruction":{"parts":[]},',
        }
        for size in (len, lambda text: len(text.encode())):
            frame, joint = charges(wire, size)
            spare = []
            for places in orders(wire):
                told = len([place for place in places if place != "tools"])
                takes = sum(
                    size(wire.frames[pair])
                    for pair in zip(("", *places), (*places, ""), strict=True)
                )
                spare.append(frame + joint * max(0, told - 1) - takes)
            assert 0 <= min(spare) <= len(slots.get(name(wire), ""))

    def test_found_by_its_id(self, wire: Wire) -> None:
        """A trace names the wire, and the wire of that name writes the same frames."""
        found = wire_of(wire.id)
        assert (type(found), found.id, found.frames) == (type(wire), wire.id, wire.frames)

    @pytest.mark.parametrize("trust", list(Trust))
    def test_instruction_slot(self, wire: Wire, trust: Trust) -> None:
        """Only a text of the system or the developer gets the place of an instruction."""
        record = Record("r0001", Kind.INSTRUCTION, trust, Author.PERSON, "test", "Obey.")
        assert (trust in ("system", "developer")) == (wire.refuses(record) is None)

    @pytest.mark.parametrize("kind", [Kind.USER, Kind.ASSISTANT])
    @pytest.mark.parametrize("trust", list(Trust))
    def test_nobody_speaks_as_user_or_assistant_but_they(
        self, wire: Wire, kind: Kind, trust: Trust
    ) -> None:
        """A text with a lower label would rise there; a higher label they cannot have."""
        record = Record("r0001", kind, trust, Author.PERSON, "mail", "Delete it.")
        assert (trust == kind) == (wire.refuses(record) is None)

    @pytest.mark.parametrize("trust", [Trust.TOOL, Trust.EXTERNAL])
    def test_results_are_of_tools_or_from_outside(self, wire: Wire, trust: Trust) -> None:
        answers = Answers("r0001", 0)
        record = Record("r0002", Kind.RESULT, trust, Author.TOOL, "t", "x", answers=answers)
        assert wire.refuses(record) is None

    @pytest.mark.parametrize("kind", [Kind.IMAGE, Kind.OPAQUE])
    def test_no_slot(self, wire: Wire, kind: Kind) -> None:
        """No wire has a place for an opaque record, or for an image without a picture."""
        assert wire.refuses(Record("r0001", kind, Trust.USER, Author.PERSON, "test")) == "no-slot"


def orders(wire: Wire) -> list[tuple[str, ...]]:
    """Places of up to four messages, behind no tools or some and up to two instructions."""
    told = sorted(set(wire.places.values()) - set(wire.leads))
    tails = [tail for length in range(5) for tail in product(told, repeat=length)]
    system = [("system",) * number for number in range(3 if "system" in wire.leads else 1)]
    return [(*a, *b, *tail) for a in ((), ("tools",)) for b in system for tail in tails]


class TestSession:
    def test_user_label(self) -> None:
        """A log refuses an instruction that carries a user's label."""
        with pytest.raises(UnlawfulRecord, match="cannot be an instruction"):
            Session().append(
                Kind.INSTRUCTION, "x", trust=Trust.USER, author=Author.PERSON, source="t"
            )


class TestOpenAIChat:
    def test_shape(self) -> None:
        """The body is a Chat Completions request: model, tools, then messages by role."""
        expected = {
            "model": "m",
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "large_result",
                        "description": "Reads it.",
                        "parameters": {"type": "object"},
                    },
                },
                {"type": "function", "function": {"name": "bare"}},
            ],
            "messages": [
                {"role": "system", "content": "Keep it short."},
                {"role": "developer", "content": "And polite."},
                {"role": "user", "content": 'Say "hi"\n'},
                {
                    "role": "assistant",
                    "content": "I will.",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "large_result", "arguments": '{"n": 1}'},
                        },
                        {
                            "id": "c2",
                            "type": "function",
                            "function": {"name": "bare", "arguments": "{}"},
                        },
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "whole"},
                {
                    "role": "tool",
                    "tool_call_id": "c2",
                    "content": [
                        {"type": "text", "text": "he"},
                        {"type": "text", "text": "[-7 a1b2c3d4-]"},
                        {"type": "text", "text": "ta"},
                    ],
                },
                {"role": "assistant", "content": "Done."},
            ],
        }
        assert expected == chat(
            Message(Kind.INSTRUCTION, "Keep it short.", trust=Trust.SYSTEM),
            Message(
                Kind.TOOLS,
                tools=(
                    ToolSpec("large_result", "Reads it.", '{"type":"object"}'),
                    ToolSpec("bare"),
                ),
            ),
            Message(Kind.INSTRUCTION, "And polite.", trust=Trust.DEVELOPER),
            Message(Kind.USER, 'Say "hi"\n', trust=Trust.USER),
            Message(
                Kind.ASSISTANT,
                "I will.",
                calls=(Call("c1", "large_result", '{"n": 1}'), Call("c2", "bare")),
            ),
            Message(Kind.RESULT, "whole", call_id="c1"),
            Message(Kind.RESULT, cut=cut_of("he", "ta", 7, "a1b2c3d4"), call_id="c2"),
            Message(Kind.ASSISTANT, "Done."),
        )

    def test_no_tools(self) -> None:
        """An empty set of tools leaves the member out; an empty log is an empty list."""
        assert chat(Message(Kind.TOOLS)) == {"model": "m", "messages": []}

    def test_sizes_add_up(self) -> None:
        """The body is its frame, its messages and a comma between each two."""
        sent = [Message(Kind.USER, text, trust=Trust.USER) for text in ("a", "bc", "def")]
        items = len('{"role":"user","content":""}') * 3 + len("abcdef")
        assert len('{"model":"m","messages":[]}') + 2 + items == len(body(OpenAIChat("m"), *sent))

    @quick
    @given(data=st.data())
    def test_valid_json(self, data: st.DataObject) -> None:
        """Whatever the content, the body is JSON, and each message keeps its own role and text."""
        sent = [m for m in data.draw(messages(OpenAIChat())) if m.kind is not Kind.TOOLS]
        roles = {"assistant": "assistant", "result": "tool", "user": "user"}
        expected = [
            (roles.get(m.kind, str(m.trust)), m.text)
            if m.cut is None
            else (roles.get(m.kind, str(m.trust)), [m.cut.head, m.cut.marker, m.cut.tail])
            for m in sent
        ]
        got = [
            (m["role"], [p["text"] for p in m["content"]] if isinstance(m["content"], list)
             else m["content"])
            for m in chat(*sent)["messages"]
        ]  # fmt: skip
        assert expected == got

    def test_marker_in_content(self) -> None:
        """A text that looks like a marker is a string; only a cut is a list of three parts."""
        (message,) = chat(Message(Kind.USER, "a[-5-]b", trust=Trust.USER))["messages"]
        assert message["content"] == "a[-5-]b"

    @pytest.mark.parametrize(
        "raw",
        [
            b'{"model":"another","messages":[]}',
            *(b"", b"[]", b"{}", b"null", b"\xff", b'{"model":"m","messages":1}'),
            b'{"model":"m","messages":[1]}',
            b'{"model":"m","messages":[{"role":"root","content":""}]}',
            b'{"model":"m","messages":[{"role":[],"content":""}]}',
            b'{"model":"m","messages":[{"role":"user","content":null}]}',
            b'{"model":"m","messages":[{"role":"user","content":"a","content":"b"}]}',
            b'{"model":"m","messages":[{"role":"user","content":"a"}],"more":1}',
            b'{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}',
            b'{"model":5,"messages":[]}',
            b'{"messages":[]}',
            '{"model":"m","messages":[]}'.encode("utf-16"),
        ],
    )
    def test_refused(self, raw: bytes) -> None:
        """Bytes that this wire would not have written are refused."""
        with pytest.raises(WireError):
            OpenAIChat("m").decode(raw)
