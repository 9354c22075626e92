"""Whether what a loop says it sends is what its decisions lead to (law 7, sufficient)."""

import json
from collections.abc import Mapping
from typing import Any, cast

from curriculum.record.law import LawBroken
from curriculum.wire.provider_bodies import LISTS
from curriculum.wire.request import Request

BESIDE = {
    *("temperature", "top_p", "top_k", "seed", "stop", "n", "stream", "stream_options", "timeout"),
    *("max_tokens", "max_completion_tokens", "presence_penalty", "frequency_penalty"),
    *("logit_bias", "logprobs", "top_logprobs", "parallel_tool_calls", "tool_choice"),
    *("reasoning_effort", "user", "metadata", "store", "service_tier", "reasoning", "include"),
    *("max_output_tokens", "stop_sequences", "thinking", "truncation", "background"),
    *("generationConfig", "safetySettings", "toolConfig"),
}
"""Members that give a model no text, and may stand beside the context. Any other might."""
REMEDY = "send what request() returns, or say with a Choice what was left out, cut or replaced"
LONGEST, BEFORE = 60, 20
"""Characters of a value that is quoted, and those of them before the place where two part."""


def compare(request: Request, sent: object) -> None:
    """Raise `LawBroken` with the first place at which `sent` is something else.

    `sent` may be the body as bytes or text, the body as JSON (members of `BESIDE`, such as a
    temperature, may stand in it), or the list of its messages, which leaves what stands beside
    it unchecked. Where a turn has calls and no text, its content may be null, as
    providers write it.
    """
    if isinstance(sent, (bytes, bytearray, str)):
        given = sent.encode(errors="surrogatepass") if isinstance(sent, str) else bytes(sent)
        if given != request.body:
            _bytes_differ(request.body, given)
        return
    try:
        must: Any = json.loads(request.body)
    except ValueError:
        raise LawBroken(7, "This wire's body is no JSON; give it as bytes or text.") from None
    got: Any = sent
    where = "body"
    if isinstance(sent, Mapping):
        ours = cast(Mapping[str, Any], sent)
        got = {name: value for name, value in ours.items() if name in must or name not in BESIDE}
    else:
        where = next(member for member in LISTS.values() if member in must)
        must = must[where]
    found = _first(where, must, _plain(got))
    if found is not None:
        place, expected, given = found
        raise LawBroken(
            7,
            f"What is sent is not what the decisions lead to, at {place}.",
            f"by the decisions: {expected}",
            f"sent: {given}",
            next=REMEDY,
        )


def _bytes_differ(must: bytes, got: bytes) -> None:
    pairs = enumerate(zip(must, got, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(must), len(got)))
    raise LawBroken(
        7,
        f"What is sent is not what the decisions lead to, at byte {at}.",
        f"by the decisions, {len(must)} bytes: {_shown(must[at:])}",
        f"sent, {len(got)} bytes: {_shown(got[at:])}",
        next=REMEDY,
    )


def _plain(value: Any) -> Any:
    """The value as JSON has it. Raises `LawBroken` for one that is no JSON."""
    try:
        return json.loads(json.dumps(value))  # a tuple is a list on the way
    except (TypeError, ValueError, RecursionError) as error:
        raise LawBroken(7, "What is sent is no JSON.", type(error).__name__) from None


def _first(where: str, must: Any, got: Any) -> tuple[str, str, str] | None:
    """The first place at which two JSON values differ, and both values there."""
    if isinstance(must, dict) and isinstance(got, dict):
        ours, theirs = cast(dict[str, Any], must), cast(dict[str, Any], got)
        if "tool_calls" in ours and ours.get("content") == "" and theirs.get("content", 0) is None:
            ours = {**ours, "content": None}
        for name in [*ours, *(n for n in theirs if n not in ours)]:
            if name not in ours or name not in theirs:
                return f"{where}.{name}", _told(ours, name), _told(theirs, name)
            if (found := _first(f"{where}.{name}", ours[name], theirs[name])) is not None:
                return found
        return None
    if isinstance(must, list) and isinstance(got, list):
        ones, others = cast(list[Any], must), cast(list[Any], got)
        for number, (a, b) in enumerate(zip(ones, others, strict=False)):
            if (found := _first(f"{where}[{number}]", a, b)) is not None:
                return found
        if len(ones) != len(others):
            at = min(len(ones), len(others))
            more = [_shown(side[at]) if at < len(side) else "nothing" for side in (ones, others)]
            return f"{where}[{at}]", more[0], more[1]
        return None
    # In JSON, true is no 1; two values are the same if they are spelled the same.
    if json.dumps(must) == json.dumps(got):
        return None
    if isinstance(must, str) and isinstance(got, str):
        at = next((n for n, (a, b) in enumerate(zip(must, got, strict=False)) if a != b), None)
        at = min(len(must), len(got)) if at is None else at
        return f"{where}, character {at + 1}", _around(must, at), _around(got, at)
    return where, _shown(must), _shown(got)


def _around(text: str, at: int) -> str:
    """The text near the place where it parts from another, with its whole length."""
    if len(text) <= LONGEST:
        return ascii(text)
    start = max(0, at - BEFORE)
    part = ascii(text[start : start + LONGEST])
    more = "..." if start + LONGEST < len(text) else ""
    return f"{len(text)} characters, {'...' if start else ''}{part}{more}"


def _told(side: Mapping[str, Any], name: str) -> str:
    return _shown(side[name]) if name in side else "nothing"


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
