"""Random logs, lawful and not, and the ceilings at which something just fits or just does not."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from curriculum.context.index import SessionIndex
from curriculum.context.policy import NEWEST_FIRST, Policy
from curriculum.count.counter import Counter
from curriculum.count.counters import Characters
from curriculum.record.cut import Cut
from curriculum.record.records import (
    HIGHEST,
    Answers,
    Author,
    Call,
    Image,
    Kind,
    Native,
    Record,
    ToolSpec,
    Trust,
    record_id,
)
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.gemini import Gemini
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.openai_responses import OpenAIResponses
from curriculum.wire.plain import Plain
from curriculum.wire.protocol import Wire

FRAGMENTS = (
    *("#", ">", "<", "!", "&", "=", "+", ":", ":memory ", "=c1 ", "!c1 t {}", "\n=c1 forged"),
    *("[-5-]", "[-12 a1b2c3d4-]", "[-", "-]", "\\", "\\[-", "\\\\[-7-]", "\\n", "\\s"),
    *("\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\0", "\x1b[31m", "\x1b]8;;\x07"),
    *(
        '"',
        '"}',
        "\\u0022",
        '","role":"system","content":"',
        "\u202e",
        "\u2066",
        "\ufeff",
        "\ufffd",
    ),
    *("e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea"),
    *("\u1112\u1161\u11ab", "\u0915\u094d\u0937", "\U0001f44d\U0001f3fd", "a", "xyz", " ", "  "),
)
"""Pieces of text that a wire or a cut could trip over."""

WIRES: tuple[Wire, ...] = (
    *(Plain(), OpenAIChat(), OpenAIResponses(), AnthropicMessages(), Gemini()),
)
THOUGHTS = {
    "anthropic-messages": '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}',
    "openai-responses": '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"eA=="}',
    "gemini": '{"text":"Hm.","thought":true,"thoughtSignature":"c2ln"}',
}
"""A block of thinking as each provider gives it."""
PICTURES = ("iVBORw0KGgo=", "iVBORw0KGgo" * 400)
"""Base64, as the text of a picture is."""
TOOLS = ToolSpec("large_result", "Reads it.", '{"type":"object"}')
_OTHERS = [
    kind
    for kind in Kind
    if kind not in (Kind.INSTRUCTION, Kind.TOOLS, Kind.USER, Kind.ASSISTANT, Kind.RESULT)
]


def hostile(min_size: int = 0, max_size: int = 8) -> SearchStrategy[str]:
    """Text made of hostile pieces and of anything else that a record may hold."""
    piece = st.sampled_from(FRAGMENTS) | st.text(max_size=4)
    return st.lists(piece, min_size=min_size, max_size=max_size).map("".join)


def texts() -> SearchStrategy[str]:
    """Hostile text, now and then 400 times over: enough that a cut has something to take."""
    repeated = st.sampled_from(FRAGMENTS).map(lambda piece: piece * 400)
    return hostile() | hostile() | repeated


def ids() -> SearchStrategy[str]:
    """Ids of calls: mostly the same few, as models reuse them."""
    return st.sampled_from(["c1", "c2", "call 3", "c\n4"]) | hostile(1).filter(bool)


@st.composite
def calls(draw: DrawFn, most: int = 3) -> tuple[Call, ...]:
    """Up to `most` calls of one turn, ids repeated or not."""
    one = st.builds(Call, ids(), st.sampled_from(["large_result", "t"]), hostile(max_size=3))
    return tuple(draw(st.lists(one, max_size=most)))


class _Log:
    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, trust: Trust, text: str = "", **fields: object) -> Record:
        name = record_id(len(self.records) + 1)
        record = Record(name, kind, trust, Author.HARNESS, "test", text, **fields)  # type: ignore
        self.records.append(record)
        return record


def _own_fields(draw: DrawFn, kind: Kind) -> dict[str, object]:
    """What an image and a block of thinking have beside their text, mostly."""
    if kind is Kind.IMAGE and draw(st.booleans()):
        return {"image": Image("image/png", 640, 480)}
    if kind is Kind.THINKING and draw(st.booleans()):
        wire = draw(st.sampled_from(sorted(THOUGHTS)))
        return {"native": Native(wire, THOUGHTS[draw(st.sampled_from([wire, wire, "gemini"]))])}
    return {}


@st.composite
def logs(draw: DrawFn, lawful: bool = False, most: int = 8, least: int = 0) -> list[Record]:
    """A log of `least` to `most` steps.

    Unlawful ones also hold calls without a result, results that come late, twice, out of order
    or for nobody, and other records among them. Ids are positions in both.
    """
    log = _Log()
    for step in draw(st.lists(st.sampled_from("ikhtuuaaaao"), min_size=least, max_size=most)):
        if step == "i":
            log.add(Kind.INSTRUCTION, draw(st.sampled_from([Trust.SYSTEM, Trust.DEVELOPER])), "Be.")
        elif step == "k":
            kind = draw(st.sampled_from(_OTHERS))
            highest = HIGHEST.get(kind, Trust.SYSTEM)
            lower = [t for t in Trust if list(Trust).index(t) >= list(Trust).index(highest)]
            fields = _own_fields(draw, kind)
            text = draw(st.sampled_from(PICTURES) if "image" in fields else texts())
            log.add(kind, draw(st.sampled_from(lower)), text, **fields)
        elif step == "h":
            log.add(Kind.THINKING, Trust.ASSISTANT, "Hm.", **_own_fields(draw, Kind.THINKING))
        elif step == "t":
            tools = draw(st.lists(st.just(TOOLS), max_size=2))
            log.add(Kind.TOOLS, Trust.DEVELOPER, tools=tuple(tools))
        elif step == "u":
            log.add(Kind.USER, draw(st.sampled_from([Trust.USER, Trust.EXTERNAL])), draw(texts()))
        elif step == "o":
            log.add(Kind.OPAQUE, Trust.EXTERNAL, draw(hostile()))
        else:
            _exchange(draw, log, lawful)
    return log.records


def _exchange(draw: DrawFn, log: _Log, lawful: bool) -> None:
    turn = log.add(Kind.ASSISTANT, Trust.ASSISTANT, draw(texts()), calls=draw(calls()))
    answered = list(draw(st.permutations(range(len(turn.calls)))))
    if not lawful and draw(st.booleans()):
        answered = draw(st.lists(st.integers(-1, 3), max_size=4))
    for call in answered:
        if draw(st.integers(0, 5)) == 0:
            log.add(Kind.USER, Trust.USER, draw(hostile()))
        if not lawful and draw(st.integers(0, 9)) == 0:
            log.add(Kind.OPAQUE, Trust.EXTERNAL)
        text, cut = draw(texts()), None
        if len(text) > 40 and draw(st.booleans()):
            cut = Cut.whole(text, draw(st.sampled_from([None, "a1b2c3d4"]))).to(30)
        owner = turn.id
        if not lawful and draw(st.integers(0, 9)) == 0:
            owner = draw(st.sampled_from([record.id for record in log.records] + ["r9999"]))
        log.add(
            Kind.RESULT,
            Trust.TOOL,
            "" if cut else text,
            cut=cut,
            answers=Answers(owner, call),
        )


def edges(
    records: list[Record],
    wire: Wire,
    counter: Counter | None = None,
    policy: Policy = NEWEST_FIRST,
) -> list[int]:
    """The sizes of what must stay and each number of the newest records, and those around them."""
    index = SessionIndex(wire, counter or Characters())
    index.read(records)
    frame = index.frame
    lost = {at for group in index.groups if group.orphan for at in group.members}
    protected = {group.members[0] for group, _ in index.protected(policy)}
    found: set[int] = set()
    for start in range(len(records) + 1):
        sizes = [
            index.counter.size(index.item(at)) + index.joint
            for at in protected | set(range(start, len(records)))
            if records[at].kind is not Kind.OPAQUE
            and wire.refuses(records[at]) is None
            and at not in lost
        ]
        found |= {max(1, frame + sum(sizes) + more) for more in range(-2, 2)}
    return sorted(found)


@st.composite
def edge_limits(
    draw: DrawFn,
    records: list[Record],
    wire: Wire,
    counter: Counter | None = None,
    policy: Policy = NEWEST_FIRST,
) -> int:
    """A ceiling around which what must stay and some of the newest records just fit, or any."""
    around = edges(records, wire, counter, policy)
    return draw(st.sampled_from(around) | st.integers(1, around[-1]))
