"""What a provider refuses is named, whoever wrote the body; and our wires write nothing of it."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curriculum.context.assemble import assemble
from curriculum.record.session import Session
from curriculum.wire.errors import WireError
from curriculum.wire.protocol import Wire
from curriculum.wire.provider_bodies import recognise
from curriculum.wire.provider_rules import CODES, objections
from tests.provider_sessions import LOGS, PROVIDERS, sent_json
from tests.strategies import logs
from tests.wire_messages import name

Body = dict[str, Any]


def asked(id: str, arguments: Any = "{}") -> Body:
    return {"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}}


def use(id: str, given: Any = None) -> Body:
    return {"type": "tool_use", "id": id, "name": "read", "input": {} if given is None else given}


def answer(id: str, content: Any = "x") -> Body:
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def call(name: str, id: str | None = None, args: Any = None) -> Body:
    own = {"id": id} if id else {}
    return {"functionCall": {**own, "name": name, "args": {} if args is None else args}}


def response(name: str, id: str | None = None) -> Body:
    own = {"id": id} if id else {}
    return {"functionResponse": {**own, "name": name, "response": {"output": "x"}}}


USER = {"role": "user", "content": "Go."}
SAID = {"role": "assistant", "content": "Done."}
SPOKE = {"role": "user", "parts": [{"text": "Go."}]}
THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "eA=="}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}


def model(*parts: Body) -> Body:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Body) -> Body:
    return {"role": "user", "parts": list(parts)}


def chat(*messages: Body) -> Body:
    return {"model": "m", "messages": list(messages)}


def claude(*messages: Body, **more: Any) -> Body:
    return {"model": "m", "max_tokens": 1, "messages": list(messages), **more}


def says(role: str, *blocks: Body) -> Body:
    return {"role": role, "content": list(blocks)}


def responses(*items: Body, **more: Any) -> Body:
    return {"model": "m", "input": list(items), **more}


def contents(*turns: Body) -> Body:
    return {"contents": list(turns)}


def item(id: str, arguments: Any = "{}") -> Body:
    return {"type": "function_call", "call_id": id, "name": "read", "arguments": arguments}


def output(id: str) -> Body:
    return {"type": "function_call_output", "call_id": id, "output": "x"}


def tool(id: str) -> Body:
    return {"role": "tool", "tool_call_id": id, "content": "x"}


def calls(*ids: str) -> Body:
    return {"role": "assistant", "content": None, "tool_calls": [asked(id) for id in ids]}


GOOD = [
    ("openai-chat", chat(USER, calls("a", "b"), tool("b"), tool("a"), SAID, USER)),
    ("openai-chat", chat(SAID, SAID, USER, calls("a"), tool("a"), calls("a"), tool("a"))),
    ("openai-chat", chat({"role": "user", "content": ""}, {"role": "system", "content": ""})),
    ("openai-responses", responses(USER, item("a"), item("b"), SAID, output("b"), output("a"))),
    ("openai-responses", responses(USER, REASONING, item("a"), output("a"), REASONING, SAID)),
    ("openai-responses", responses(output("a"), previous_response_id="resp_1")),
    ("openai-responses", responses({"type": "item_reference", "id": "x"}, output("a"))),
    ("openai-responses", {"input": "Go."}),
    ("anthropic-messages", claude(USER, says("assistant", THOUGHT, use("a"), use("b")),
                                  says("user", answer("b"), answer("a"), {"type": "text", "text": "?"}))),
    ("anthropic-messages", claude(USER, {"role": "assistant", "content": ""})),
    ("anthropic-messages", claude(USER, says("assistant", use("a")), says("user", answer("a", "")))),
    ("gemini", contents(SPOKE, SPOKE, model(call("f", "1")), user(response("f", "1")))),
    ("gemini", contents(SPOKE, model(call("f"), call("f")), user(response("f"), response("f")))),
    ("gemini", contents({"parts": [{"text": "Go."}]}, model({"text": "", "thoughtSignature": "x"}))),
    ("gemini", contents(SPOKE, model({"function_call": {"name": "f"}}),
                        user({"function_response": {"name": "f", "response": {}}}))),
]  # fmt: skip
BAD: list[tuple[str, str, list[str], Body]] = [
    # the rule, the format, the places, the body
    ("no-messages", "openai-chat", ["messages"], chat()),
    ("no-messages", "openai-responses", ["input"], responses()),
    ("no-messages", "anthropic-messages", ["messages"], claude()),
    ("no-messages", "gemini", ["contents"], contents()),
    ("unknown-role", "openai-chat", ["messages[1].role"], chat(USER, {**USER, "role": "model"})),
    ("unknown-role", "openai-responses", ["input[0].role"], responses({**USER, "role": "ai"})),
    ("unknown-role", "anthropic-messages", ["messages[1].role"], claude(USER, {**USER, "role": "system"})),
    ("unknown-role", "gemini", ["contents[1].role"], contents(SPOKE, {**SPOKE, "role": "assistant"})),
    ("first-message", "anthropic-messages", ["messages[0].role"], claude(SAID)),
    ("first-message", "gemini", ["contents[0].role"], contents(model({"text": "Hi."}))),
    ("alternation", "anthropic-messages", ["messages[1].role", "messages[3].role"],
     claude(USER, USER, SAID, SAID)),
    ("alternation", "gemini", ["contents[2]"],
     contents(SPOKE, model({"text": "Hi."}), model(call("f", "1")), user(response("f", "1")))),
    ("empty-text", "anthropic-messages", ["messages[0].content"], claude({"role": "user", "content": " "})),
    ("empty-text", "anthropic-messages", ["messages[0].content[1].text", "messages[2]"],
     claude(says("user", {"type": "text", "text": "a"}, {"type": "text", "text": "\n"}), SAID,
            says("user"))),
    ("empty-text", "anthropic-messages", ["system[0].text"],
     claude(USER, system=[{"type": "text", "text": ""}])),
    ("empty-text", "anthropic-messages", ["messages[2].content[0].content[0].text"],
     claude(USER, says("assistant", use("a")), says("user", answer("a", [{"type": "text", "text": ""}])))),
    ("empty-text", "gemini", ["contents[0].parts[0].text"], contents(user({"text": ""}))),
    ("result-place", "openai-chat", ["messages[1].tool_calls[0].function.arguments", "messages[3]"],
     chat(USER, calls("a"), USER, tool("a"))),
    ("result-place", "openai-chat", ["messages[1].tool_calls[1].function.arguments"],
     chat(USER, calls("a", "b"), tool("a"))),
    ("result-place", "openai-responses", ["input[1].arguments"], responses(USER, item("a"), item("b"), output("b"))),
    ("result-place", "anthropic-messages", ["messages[1].content[1].input"],
     claude(USER, says("assistant", use("a"), use("b")), says("user", answer("a")))),
    ("result-place", "anthropic-messages", ["messages[1].content[0].input"],
     claude(USER, says("assistant", use("a")))),
    ("result-place", "anthropic-messages", ["messages[1].content[0].input", "messages[4].content[0]"],
     claude(USER, says("assistant", use("a")), USER, SAID, says("user", answer("a")))),
    ("result-place", "anthropic-messages", ["messages[2].content[1]"],
     claude(USER, says("assistant", use("a")), says("user", {"type": "text", "text": "?"}, answer("a")))),
    ("result-place", "gemini", ["contents[1].parts[1].functionCall.args"],
     contents(SPOKE, model(call("f", "1"), call("f", "2")), user(response("f", "1")))),
    ("result-place", "gemini", ["contents[1].parts[0].functionCall.args",
                                "contents[1].parts[1].functionCall.args"],
     contents(SPOKE, model(call("f"), call("f")), user(response("f")))),
    ("unknown-call", "openai-chat", ["messages[1]"], chat(USER, tool("z"))),
    ("unknown-call", "openai-responses", ["input[1]"], responses(USER, output("z"))),
    ("unknown-call", "anthropic-messages", ["messages[0].content[0]"], claude(says("user", answer("z")))),
    ("unknown-call", "gemini", ["contents[2].parts[1].functionResponse"],
     contents(SPOKE, model(call("f", "1")), user(response("f", "1"), response("g", "2")))),
    ("arguments-string", "openai-chat", ["messages[1].tool_calls[0].function.arguments"],
     chat(USER, {"role": "assistant", "tool_calls": [asked("a", {})]}, tool("a"))),
    ("arguments-string", "openai-responses", ["input[0].arguments"], responses(item("a", {}), output("a"))),
    ("arguments-object", "anthropic-messages", ["messages[1].content[0].input"],
     claude(USER, says("assistant", use("a", "{}")), says("user", answer("a")))),
    ("arguments-object", "gemini", ["contents[1].parts[0].functionCall.args"],
     contents(SPOKE, model(call("f", "1", "{}")), user(response("f", "1")))),
    ("repeated-id", "openai-chat", ["messages[1].tool_calls[1].function.arguments", "messages[3]"],
     chat(USER, calls("a", "a"), tool("a"), tool("a"))),
    ("repeated-id", "openai-responses", ["input[2].arguments", "input[3]"],
     responses(item("a"), output("a"), item("a"), output("a"))),
    ("repeated-id", "anthropic-messages", ["messages[3].content[0].input", "messages[4].content[0]"],
     claude(USER, says("assistant", use("a")), says("user", answer("a")), says("assistant", use("a")),
            says("user", answer("a")))),
    ("repeated-id", "gemini", ["contents[2].parts[1].functionResponse"],
     contents(SPOKE, model(call("f", "1")), user(response("f", "1"), response("f", "1")))),
    ("thinking-place", "anthropic-messages", ["messages[1].content[1]"],
     claude(USER, says("assistant", {"type": "text", "text": "Hi."}, THOUGHT))),
    ("thinking-place", "openai-responses", ["input[1]", "input[3]"],
     responses(USER, REASONING, USER, REASONING)),
]  # fmt: skip


class TestEachRule:
    @pytest.mark.parametrize(("wire", "body"), GOOD)
    def test_what_is_taken(self, wire: str, body: Body) -> None:
        assert objections(wire, body) == []

    @pytest.mark.parametrize(
        ("code", "wire", "places", "body"), BAD, ids=[f"{code}-{wire}" for code, wire, *_ in BAD]
    )
    def test_what_is_refused(self, code: str, wire: str, places: list[str], body: Body) -> None:
        """The rule and the places are named, and no other rule is."""
        found = objections(wire, body)
        assert [(code, place) for place in places] == [(one.code, one.place) for one in found]
        assert all(one.says.endswith(".") for one in found)

    def test_every_rule_has_a_body_that_breaks_it(self) -> None:
        assert {code for code, *_ in BAD} == set(CODES)

    def test_several_at_once(self) -> None:
        """All are named, in the order of the rules."""
        body = claude(
            says("assistant", use("a", [])), says("assistant", {"type": "text", "text": ""}), SAID
        )
        assert [one.code for one in objections("anthropic-messages", body)] == [
            *("first-message", "alternation", "alternation", "empty-text"),
            *("result-place", "arguments-object"),
        ]


class TestRecognised:
    @pytest.mark.parametrize("wire", PROVIDERS, ids=name)
    @pytest.mark.parametrize("log", LOGS)
    def test_our_own(self, wire: Wire, log: str) -> None:
        assert name(wire).startswith(recognise(sent_json(wire, log)))

    @pytest.mark.parametrize(("wire", "body"), GOOD)
    def test_of_others(self, wire: str, body: Body) -> None:
        """But for a text or two, which could be of either: then the name must be given."""
        if body == claude(USER, {"role": "assistant", "content": ""}):
            with pytest.raises(WireError, match="could be of openai-chat or of anthropic"):
                recognise(body)
            return
        assert recognise(body) == wire

    def test_by_the_model(self) -> None:
        assert recognise({**claude(USER), "model": "anthropic/claude-x"}) == "anthropic-messages"

    @pytest.mark.parametrize("body", [{}, {"prompt": "Go."}, {"message": []}])
    def test_none(self, body: Body) -> None:
        with pytest.raises(WireError, match="no request of a known format"):
            recognise(body)


class TestOtherShapes:
    @pytest.mark.parametrize(
        ("place", "wire", "body"),
        [
            ("messages is no list", "openai-chat", {"messages": {}}),
            ("messages is no list", "anthropic-messages", {}),
            ("messages[0] is no JSON object", "openai-chat", chat(7)),  # type: ignore
            ("messages[0].role is no text", "openai-chat", chat({"content": "x"})),
            ("messages[0].content is neither", "anthropic-messages", claude({"role": "user", "content": 7})),
            ("messages[0].content[0] is no JSON", "openai-chat", chat({"role": "user", "content": ["x"]})),
            ("messages[0].tool_calls is no list", "openai-chat", chat({**SAID, "tool_calls": "x"})),
            ("messages[0].tool_calls[0].id is no", "openai-chat", chat({**SAID, "tool_calls": [{"function": {"name": "f"}}]})),
            ("messages[0].tool_call_id is no text", "openai-chat", chat({"role": "tool"})),
            ("input[0].call_id is no text", "openai-responses", responses({"type": "function_call"})),
            ("contents[0].parts is no list", "gemini", contents({"parts": {}})),
            ("contents[0].parts[0].text is no text", "gemini", contents({"parts": [{"text": 1}]})),
            ("contents[0].parts[0].functionCall.id", "gemini",
             contents({"parts": [{"functionCall": {"name": "f", "id": 7}}]})),
        ],
    )  # fmt: skip
    def test_says_where(self, place: str, wire: str, body: Body) -> None:
        """A body of another shape cannot be checked; the first place that is none is named."""
        with pytest.raises(WireError) as raised:
            objections(wire, body)
        said = raised.value
        assert said.code == "body-shape"
        assert place in " ".join((said.headline, *said.evidence))

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(data=st.data())
    def test_any_change_to_a_body(self, data: st.DataObject) -> None:
        """Whatever stands where: a list of objections or a WireError, nothing else."""
        wire = data.draw(st.sampled_from(PROVIDERS))
        body = sent_json(wire, "every_kind")
        at: Any = body
        for _ in range(data.draw(st.integers(0, 4))):
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            inner = [key for key in keys if isinstance(at[key], dict | list) and at[key]]
            if not inner:
                break
            at = at[data.draw(st.sampled_from(inner))]
        key = data.draw(st.sampled_from(list(at) if isinstance(at, dict) else list(range(len(at)))))
        odd = st.sampled_from([None, 7, "", "x", [], {}, [None], [{}], {"type": "tool_use"}, True])
        at[key] = data.draw(odd)
        for check in (recognise, lambda b: objections(wire.id.partition("@")[0], b)):
            try:
                check(copy.deepcopy(body))
            except WireError:
                continue


many = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("wire", PROVIDERS, ids=name)
class TestOurOwn:
    @many
    @given(data=st.data())
    def test_no_rule_is_broken(self, wire: Wire, data: st.DataObject) -> None:
        """Whatever the log and the room: what is assembled is taken.

        But for one: a request without a single message is refused on OpenAI, and a wire there has
        no way to say that nothing is shown.
        """
        session = Session()
        lawful = data.draw(st.booleans())
        session.adopt(data.draw(logs(lawful=lawful, least=6, most=10)))
        limit = data.draw(st.sampled_from([300, 1000, 3000, 10**4, 10**6]))
        projection = assemble(session, limit, wire=wire)
        if projection.request is None:
            return
        found = objections(wire.id.partition("@")[0], json.loads(projection.request.body))
        silent = not [message for message in projection.messages if message.kind != "tools"]
        expected = ["no-messages"] if silent and wire.id.startswith("openai") else []
        assert [one.code for one in found] == expected

    @pytest.mark.parametrize("log", LOGS)
    def test_sessions_by_hand(self, wire: Wire, log: str) -> None:
        assert objections(wire.id.partition("@")[0], sent_json(wire, log)) == []

    @pytest.mark.parametrize(
        "change",
        [
            lambda turns: turns.pop(next(n for n, t in enumerate(turns) if "c1-" in str(t)) + 1),
            lambda turns: turns.extend(copy.deepcopy(turns[-6:])),
            lambda turns: turns.clear(),
        ],
        ids=["a result is lost", "a part is sent twice", "all is lost"],
    )
    def test_the_check_can_fail(self, wire: Wire, change: Callable[[Any], object]) -> None:
        body = sent_json(wire, "every_kind")
        turns = body.get("messages") or body.get("input") or body["contents"]
        if name(wire) == "openai-chat@1":
            turns[:] = json.loads(json.dumps(turns).replace('"c1"', '"c1-"'))
        change(turns)
        assert objections(wire.id.partition("@")[0], body)
