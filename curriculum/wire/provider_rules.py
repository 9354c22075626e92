"""What a provider refuses in a request, or takes otherwise than it was meant.

The rules are read off a body alone, whoever wrote it: nothing here asks a wire of ours. They are
those of the providers' own documents and answers; where hosts of a format differ, the stricter one
counts.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import attrs

from .provider_bodies import (
    ANTHROPIC,
    CHAT,
    GEMINI,
    LISTS,
    RESPONSES,
    ROLES,
    Part,
    Said,
    system,
    turns,
)


@attrs.frozen
class Objection:
    """What is wrong, where in the body, and why in one sentence."""

    code: str
    place: str
    says: str


CODES = {
    "no-messages": "A request without a message is refused.",
    "unknown-role": "Each format has a closed list of roles.",
    "first-message": "On Anthropic and Gemini the user speaks first.",
    "alternation": "On Anthropic user and assistant take turns; on Gemini a call follows the user.",
    "empty-text": "On Anthropic no text is blank, on Gemini none is empty.",
    "result-place": "Each call has its result in the place that its format has for it.",
    "unknown-call": "A result answers a call that stands in the request.",
    "repeated-id": "No two calls have one id, and no call has two results.",
    "arguments-string": "On OpenAI the arguments of a call are JSON text.",
    "arguments-object": "On Anthropic and Gemini the arguments of a call are a JSON object.",
    "thinking-place": "Thinking stands before what it led to.",
}
"""Each rule by the code of its breach."""


def objections(wire: str, body: Mapping[str, Any]) -> list[Objection]:
    """Every breach of the provider's rules, in the order of the rules.

    `wire` is one of `provider_bodies.PROVIDERS`. Raises `WireError` for a body of another shape.
    """
    said = turns(wire, body)
    beside = system(wire, body)
    found = [*_none(wire, said), *_roles(wire, said)]
    if wire in (ANTHROPIC, GEMINI):
        found += [*_first(wire, said), *_alternation(wire, said)]
        found += _empty(wire, [beside, *said] if beside else said)
    if wire == RESPONSES:
        # What the server keeps may hold calls that this body only answers.
        kept = any(body.get(name) for name in ("previous_response_id", "conversation"))
        kept = kept or any(turn.role == "other" for turn in said)
        found += _loose(said, kept)
    else:
        found += _right_after(wire, said)
    return [*found, *_repeated(wire, said), *_arguments(wire, said), *_thinking(wire, said)]


def _none(wire: str, said: list[Said]) -> Iterator[Objection]:
    if not said:
        yield Objection("no-messages", LISTS[wire], "The request has no message.")


def _roles(wire: str, said: list[Said]) -> Iterator[Objection]:
    may = ROLES[wire]
    for turn in said:
        known = turn.role in may or (wire == RESPONSES and turn.role in ("tool", "other"))
        if not known:
            says = f"The role is {turn.role!a}; there are {', '.join(may)}."
            yield Objection("unknown-role", f"{turn.place}.role", says)


def _first(wire: str, said: list[Said]) -> Iterator[Objection]:
    if said and said[0].role != "user":
        says = f"The first message is of the {said[0].role}; the user speaks first."
        yield Objection("first-message", f"{said[0].place}.role", says)


def _alternation(wire: str, said: list[Said]) -> Iterator[Objection]:
    for before, turn in pairwise(said):
        if wire == ANTHROPIC and before.role == turn.role:
            says = f"Two neighbours have the role {turn.role}; some hosts join them, others refuse."
            yield Objection("alternation", f"{turn.place}.role", says)
        if wire == GEMINI and turn.of("call") and before.role == "model":
            says = "A function call comes right after a turn of the user or a function response."
            yield Objection("alternation", turn.place, says)


def _empty(wire: str, said: list[Said]) -> Iterator[Objection]:
    for turn in said:
        if wire == ANTHROPIC and turn is said[-1] and turn.role == "assistant" and _bare(turn):
            continue  # the last one may be empty: the model goes on from there
        if not turn.parts:
            yield Objection("empty-text", turn.place, "The message has no content.")
        for part in turn.parts:
            shown = part.text.strip() if wire == ANTHROPIC else part.text
            if part.what in ("text", "nested") and not shown and not part.signed:
                sort = "only blanks" if part.text else "empty"
                yield Objection("empty-text", part.place, f"The text is {sort}.")


def _bare(turn: Said) -> bool:
    """Whether a turn has nothing in it."""
    return all(part.what == "text" and not part.text for part in turn.parts)


def _by_id(part: Part) -> str:
    return part.id or ""


def _by_name(part: Part) -> str:
    return part.name or ""


def _right_after(wire: str, said: list[Said]) -> Iterator[Objection]:
    """Each call has its result in the one turn that follows, before anything else there.

    They are paired by id; on Gemini, where ids may be left out, then by name.
    """
    known: set[str] = set()
    for before, turn in pairwise([None, *said, None]):
        calls = before.of("call") if before else []
        results = turn.of("result") if turn else []
        bare = any(part.id is None for part in calls + results)
        key: Callable[[Part], str] = _by_name if bare else _by_id
        asked, answered = [key(part) for part in calls], [key(part) for part in results]
        for part in calls:
            if answered.count(key(part)) < (asked.count(key(part)) if bare else 1):
                says = f"The call {key(part)!a} has no result right after it."
                yield Objection("result-place", part.place, says)
        known |= {name for part in calls for name in (_by_id(part), _by_name(part))}
        for number, part in enumerate(results):
            earlier = answered[:number].count(key(part)) if bare else 0
            if earlier < asked.count(key(part)):
                continue
            if key(part) in known:
                says = f"The result of {key(part)!a} does not stand right after its call."
                yield Objection("result-place", part.place, says)
            else:
                yield Objection("unknown-call", part.place, f"No call before it is {key(part)!a}.")
        if turn and wire == ANTHROPIC:
            yield from _behind(turn)


def _behind(turn: Said) -> Iterator[Objection]:
    """Results that stand behind something else in their message."""
    sorts = [part for part in turn.parts if part.what != "nested"]
    for at, part in enumerate(sorts):
        if part.what == "result" and at and sorts[at - 1].what != "result":
            says = "Results come first in their message; something else stands before this one."
            yield Objection("result-place", part.place, says)


def _loose(said: list[Said], kept: bool) -> Iterator[Objection]:
    """On Responses, each call has an output somewhere behind it."""
    calls: dict[str, Part] = {}
    answered: set[str] = set()
    for turn in said:
        for part in turn.parts:
            if part.what == "call":
                calls[_by_id(part)] = part
            if part.what == "result":
                answered.add(_by_id(part))
                if _by_id(part) not in calls and not kept:
                    says = f"No call before it is {_by_id(part)!a}."
                    yield Objection("unknown-call", part.place, says)
    for name, part in calls.items():
        if name not in answered:
            yield Objection("result-place", part.place, f"The call {name!a} has no output.")


def _repeated(wire: str, said: list[Said]) -> Iterator[Objection]:
    """Ids that stand twice. OpenAI's chat pairs by neighbourhood: there, only twice in one turn."""
    seen: dict[str, set[str]] = {"call": set(), "result": set()}
    for turn in said:
        for what, ids in seen.items():
            if wire == CHAT:
                ids.clear()
            for part in turn.of(what):
                if part.id is not None and part.id in ids:
                    says = f"A second {what} has the id {part.id!a}."
                    yield Objection("repeated-id", part.place, says)
                if part.id is not None:
                    ids.add(part.id)


_SORTS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    type(None): "missing",
}


def _arguments(wire: str, said: list[Said]) -> Iterator[Objection]:
    for part in [part for turn in said for part in turn.of("call")]:
        given = _SORTS.get(type(part.arguments), "a number")
        if wire in (CHAT, RESPONSES) and not isinstance(part.arguments, str):
            says = f"The arguments are {given}; this format sends them as a string of JSON."
            yield Objection("arguments-string", part.place, says)
        if wire in (ANTHROPIC, GEMINI) and not isinstance(part.arguments, dict):
            says = f"The arguments are {given}; this format sends them as an object."
            yield Objection("arguments-object", part.place, says)


def _thinking(wire: str, said: list[Said]) -> Iterator[Objection]:
    for number, turn in enumerate(said):
        if wire == ANTHROPIC:
            for at, part in enumerate(turn.parts):
                if part.what == "thinking" and at and turn.parts[at - 1].what != "thinking":
                    says = "Thinking comes first in its message; something stands before it."
                    yield Objection("thinking-place", part.place, says)
        if wire == RESPONSES and turn.of("thinking"):
            after = said[number + 1] if number + 1 < len(said) else None
            if after is None or after.role not in ("assistant", "other"):
                says = "A reasoning item is followed by the message or the call that it led to."
                yield Objection("thinking-place", turn.place, says)
