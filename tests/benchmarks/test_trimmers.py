"""The trimmers of other harnesses and ours: one session of 1,002 messages, one budget in characters.

Each counts the characters of content in its own messages; our ceiling is for all of the request,
marks and ids too. What the result keeps is said beside the time, because who may lose more has
less to do: the system text, what a person forbade early on, and results without their call. Ours
also writes the bytes of the request and a decision for every record. Who is not installed is
skipped, with the reason.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import attrs
import pytest

from curriculum.context.assemble import assemble
from curriculum.context.index import SessionIndex
from curriculum.context.policy_registry import policy_of
from curriculum.count.counters import Characters
from curriculum.record.records import Answers, Kind, Record, record_id
from curriculum.wire.plain import Plain

from .test_assemble import log
from .test_pools import in_turns, unlike

FORBIDDEN, PLACE = "Never delete a file.", 101
"""What a person said after 20 questions."""


class Said(NamedTuple):
    """A message: its text, the ids of the calls it makes, the id of the call it answers."""

    kind: Kind
    text: str
    calls: tuple[str, ...] = ()
    answers: str = ""


@cache
def session() -> tuple[Record, ...]:
    """200 questions with their answers; no two messages of one text, no two calls of one id."""
    made = list[Record]()
    for at, record in enumerate(unlike(log(1_000))):
        calls = tuple(attrs.evolve(one, id=f"{one.id}x{at}") for one in record.calls)
        answers = record.answers
        if answers is not None:
            turn = int(answers.record[1:])
            answers = Answers(record_id(turn + (turn > PLACE)), answers.call)
        made.append(attrs.evolve(record, calls=calls, answers=answers))
    forbidden = attrs.evolve(made[PLACE], kind=Kind.CONSTRAINT, text=FORBIDDEN)
    all_of_them = (*made[:PLACE], forbidden, *made[PLACE:])
    return tuple(attrs.evolve(one, id=record_id(at)) for at, one in enumerate(all_of_them, 1))


@cache
def messages() -> tuple[Said, ...]:
    """The session as any harness has it."""
    records = session()
    made = list[Said]()
    for one in records:
        asked = one.answers
        call = records[int(asked.record[1:]) - 1].calls[asked.call].id if asked else ""
        made.append(Said(one.kind, one.text, tuple(each.id for each in one.calls), call))
    return tuple(made)


def budget() -> int:
    """A quarter of the characters of all content."""
    return sum(len(one.text) for one in messages()) // 4


def told(name: str, step: Callable[[], Any], kept: Sequence[Said]) -> str:
    """The line of one trimmer."""
    seconds = in_turns(5, it=step)["it"]
    asked = {call for one in kept for call in one.calls}
    answered = {one.answers for one in kept if one.answers}
    texts = {one.text for one in kept}
    system = "kept" if messages()[0].text in texts else "LOST"
    forbidden = "kept" if FORBIDDEN in texts else "LOST"
    size = sum(len(one.text) for one in kept)
    return (
        f"{name:<28} {seconds * 1000:7.2f} ms; {len(kept):>4} messages, {size:>6} of {budget()} "
        f"characters; system {system}, constraint {forbidden}, orphans: "
        f"{len(answered - asked)} results, {len(asked - answered)} calls"
    )


@pytest.mark.parametrize("policy", ["newest-first", "pools"])
@pytest.mark.parametrize("kept", ["cold", "indexed"])
def test_ours(figure: Callable[[str], None], policy: str, kept: str) -> None:
    """Whole exchanges or shortened results; under pools the constraint as well."""
    index = SessionIndex(Plain(), Characters()) if kept == "indexed" else None
    step = partial(assemble, session(), budget(), policy=policy_of(policy), index=index)
    projection = step()
    assert projection.request is not None
    assert len(projection.request.text) <= budget()
    sent = list[Said]()
    for one in projection.messages:
        cut = one.cut
        text = one.text if cut is None else f"{cut.head}{cut.marker}{cut.tail}"
        sent.append(messages()[int(one.record[1:]) - 1]._replace(text=text))
    figure(told(f"ours, {policy}, {kept}", step, sent))


def test_langchain_core(figure: Callable[[str], None]) -> None:
    """`trim_messages`, set as its documentation says a history should be trimmed."""
    given: Any = pytest.importorskip("langchain_core.messages", reason="no langchain-core here")
    made = list[Any]()
    for at, one in enumerate(messages()):
        name = str(at)
        if one.kind is Kind.INSTRUCTION:
            made.append(given.SystemMessage(one.text, id=name))
        elif one.kind is Kind.RESULT:
            made.append(given.ToolMessage(one.text, tool_call_id=one.answers, id=name))
        elif one.kind is Kind.ASSISTANT:
            calls = [{"name": "read", "args": {"n": at}, "id": call} for call in one.calls]
            made.append(given.AIMessage(one.text, tool_calls=calls, id=name))
        else:
            made.append(given.HumanMessage(one.text, id=name))

    def step() -> Any:
        return given.trim_messages(
            made,
            max_tokens=budget(),
            token_counter=lambda some: sum(len(one.content) for one in some),
            strategy="last",
            start_on="human",
            include_system=True,
        )

    figure(told("langchain-core", step, [messages()[int(one.id)] for one in step()]))


def test_ag2(figure: Callable[[str], None]) -> None:
    """`TokenLimiter` at one character a token. The system text stands beside its history."""
    limiters: Any = pytest.importorskip("ag2.middleware", reason="no ag2 here")
    events: Any = pytest.importorskip("ag2.events", reason="no ag2 here")
    made, means = list[Any](), dict[int, list[Said]]()
    for at, one in enumerate(messages()):
        if one.kind is Kind.INSTRUCTION:
            continue
        if one.kind is Kind.RESULT:
            result = events.ToolResultEvent(
                parent_id=one.answers, name="read", result=events.ToolResult(one.text)
            )
            if isinstance(made[-1], events.ToolResultsEvent):
                made[-1].results.append(result)
                means[id(made[-1])].append(one)
                continue
            made.append(events.ToolResultsEvent([result]))
        elif one.kind is Kind.ASSISTANT:
            arguments = json.dumps({"n": at})
            calls = [events.ToolCallEvent("read", id=c, arguments=arguments) for c in one.calls]
            said = events.ModelMessage(one.text)
            made.append(events.ModelResponse(said, tool_calls=events.ToolCallsEvent(calls)))
        else:
            made.append(events.ModelRequest([events.TextInput(one.text)]))
        means[id(made[-1])] = [one]

    async def back(trimmed: Any, _: Any) -> Any:
        return trimmed

    system = messages()[0]
    limiter = limiters.TokenLimiter(budget() - len(system.text), chars_per_token=1)

    def step() -> Any:
        return asyncio.run(limiter(made[0], None).on_llm_call(back, made, None))

    figure(told("ag2", step, [system, *(one for each in step() for one in means[id(each)])]))


def test_haystack(figure: Callable[[str], None]) -> None:
    """`SlidingWindowCompactor`, with a counter of characters."""
    hooks: Any = pytest.importorskip("haystack.hooks.compaction", reason="no haystack here")
    given: Any = pytest.importorskip("haystack.dataclasses", reason="no haystack here")
    made, means, origin = list[Any](), dict[int, Said](), dict[str, Any]()
    for at, one in enumerate(messages()):
        if one.kind is Kind.INSTRUCTION:
            made.append(given.ChatMessage.from_system(one.text))
        elif one.kind is Kind.RESULT:
            made.append(given.ChatMessage.from_tool(one.text, origin=origin[one.answers]))
        elif one.kind is Kind.ASSISTANT:
            calls = [given.ToolCall("read", {"n": at}, id=call) for call in one.calls]
            origin |= {call.id: call for call in calls}
            made.append(given.ChatMessage.from_assistant(one.text, tool_calls=calls))
        else:
            made.append(given.ChatMessage.from_user(one.text))
        means[id(made[-1])] = one

    class ByCharacters:
        def count(self, messages: Any, tools: Any = None) -> int:
            return sum(len(means[id(one)].text) for one in messages if id(one) in means)

    compactor = hooks.SlidingWindowCompactor(omission_note=None)
    step = partial(compactor.compact, made, budget(), ByCharacters())
    figure(told("haystack", step, [means[id(one)] for one in step()]))
