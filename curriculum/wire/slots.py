"""Where each kind of record goes on a wire, or why it is refused: asked of the wire itself."""

import attrs

from curriculum.record.records import (
    HIGHEST,
    Answers,
    Author,
    Image,
    Kind,
    Native,
    Record,
    Trust,
    rises,
)

from .protocol import Wire

ANY = "any label"
OWN, OTHER = "its own block", "any other block"
BLANK = "a blank text"
_BLOCKS = (
    ("anthropic-messages", '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}'),
    ("openai-responses", '{"type":"reasoning","id":"rs_1","summary":[]}'),
    ("gemini", '{"text":"Hm.","thought":true}'),
)


@attrs.frozen
class Slot:
    """What becomes of the records of one kind that are alike: a place, or a reason code.

    `given` says which they are: the labels they carry, or what they hold.
    """

    kind: Kind
    given: str
    place: str | None
    reason: str | None


def slots(wire: Wire) -> list[Slot]:
    """A slot or more for each kind, in the order of the kinds."""
    return [slot for kind in Kind for slot in _of(wire, kind)]


def _of(wire: Wire, kind: Kind) -> list[Slot]:
    if kind is Kind.THINKING:
        found = _thinking(wire)
    else:
        found = _labels(wire, kind)
        taken = next((trust for trust in _may(kind) if _asked(wire, kind, trust) is None), None)
        empty = _asked(wire, kind, taken, " ") if taken else None
        if empty is not None:
            found.append(Slot(kind, BLANK, None, empty))
    return found


def _may(kind: Kind) -> list[Trust]:
    """The labels that a log lets such a record carry, high to low."""
    highest = HIGHEST.get(kind, Trust.SYSTEM)
    labels = [trust for trust in Trust if not rises(trust, highest)]
    if kind in (Kind.INSTRUCTION, Kind.TOOLS):
        labels = [trust for trust in labels if not rises(Trust.DEVELOPER, trust)]
    return labels


def _labels(wire: Wire, kind: Kind) -> list[Slot]:
    """One slot for the labels that fare alike."""
    fates: dict[str | None, list[Trust]] = {}
    for trust in _may(kind):
        fates.setdefault(_asked(wire, kind, trust), []).append(trust)
    return [
        _slot(wire, kind, ANY if len(fates) == 1 else ", ".join(labels), reason)
        for reason, labels in fates.items()
    ]


def _thinking(wire: Wire) -> list[Slot]:
    """Whether a block goes back to where it came from, and what becomes of any other."""
    blocks = [None, *(Native(name, block) for name, block in _BLOCKS)]
    asked = [wire.refuses(_record(Kind.THINKING, Trust.ASSISTANT, native=one)) for one in blocks]
    if len(set(asked)) == 1:
        return [_slot(wire, Kind.THINKING, ANY, asked[0])]
    return [
        _slot(wire, Kind.THINKING, given, reason)
        for given, reason in ((OWN, None), (OTHER, asked[0]))
    ]


def _slot(wire: Wire, kind: Kind, given: str, reason: str | None) -> Slot:
    return Slot(kind, given, None if reason else wire.places[kind], reason)


def _asked(wire: Wire, kind: Kind, trust: Trust, text: str = "eA==") -> str | None:
    return wire.refuses(_record(kind, trust, text))


def _record(kind: Kind, trust: Trust, text: str = "eA==", native: Native | None = None) -> Record:
    """The least that such a record can be."""
    answers = Answers("r0001", 0) if kind is Kind.RESULT else None
    image = Image("image/png", 1, 1) if kind is Kind.IMAGE else None
    fields = {"answers": answers, "image": image, "native": native}
    return Record("r0002", kind, trust, Author.HARNESS, "slots", text, **fields)  # pyright: ignore
