"""What each provider is sent: one small conversation, its body written out."""

from collections.abc import Sequence

import pytest

from curriculum.record.records import Call, Image, Kind, Native, ToolSpec, Trust
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.errors import WireError
from curriculum.wire.gemini import Gemini
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.openai_responses import OpenAIResponses
from curriculum.wire.protocol import Wire
from curriculum.wire.request import Message, SegmentClass
from curriculum.wire.segments import segments_of
from tests.strategies import THOUGHTS
from tests.wire_messages import body, cut_of

TOOLS = Message(
    Kind.TOOLS,
    tools=(ToolSpec("read", "Reads it.", '{"type":"object"}'), ToolSpec("bare")),
    record="r0001",
)
RULE = Message(Kind.INSTRUCTION, "Keep it short.", trust=Trust.SYSTEM, record="r0002")
MEMORY = Message(Kind.MEMORY, "Likes tea.", record="r0003")
ASKED = Message(Kind.USER, 'Say "hé"\n', trust=Trust.USER, record="r0004")
PICTURE = Message(Kind.IMAGE, "eA==", image=Image("image/png"), record="r0005")
TURN = Message(
    Kind.ASSISTANT,
    "I will.",
    calls=(Call("c1", "read", '{"n": 1}'), Call("c 2", "bare", "half {")),
    record="r0007",
)
WHOLE = Message(Kind.RESULT, "whole", call_id="c1", turn="r0007", called="read", record="r0008")
CUT = Message(
    Kind.RESULT,
    cut=cut_of("he", "ta", 7, "a1b2c3d4"),
    call_id="c 2",
    turn="r0007",
    called="bare",
    record="r0009",
)
DONE = Message(Kind.ASSISTANT, "Done.", record="r0010")


def conversation(thinking: str | None) -> list[Message]:
    """The messages in a wire's order; `thinking` is the name of a wire that takes its own."""
    sent = [TOOLS, RULE, MEMORY, ASKED, PICTURE, TURN, WHOLE, CUT, DONE]
    if thinking is not None:
        native = Native(thinking, THOUGHTS[thinking])
        sent.insert(5, Message(Kind.THINKING, native=native, record="r0006"))
    return sent


def classes(wire: Wire, sent: Sequence[Message], of: str) -> list[tuple[str, str | None]]:
    """The segments of one class: text and record."""
    return [(s.text, s.record) for s in segments_of(wire, sent) if s.kind == SegmentClass(of)]


class TestAnthropicMessages:
    wire = AnthropicMessages("claude-x", 1024)
    system = '{"model":"claude-x","max_tokens":1024,'
    stand_in = '{"role":"user","content":"[...]"}'

    def test_body(self) -> None:
        """Instructions are in `system`; the roles take turns; an answer stays with its question."""
        expected = (
            '{"model":"claude-x","max_tokens":1024,'
            '"tools":['
            '{"name":"read","description":"Reads it.","input_schema":{"type":"object"}},'
            '{"name":"bare","input_schema":{"type":"object","properties":{}}}'
            "],"
            '"system":[{"type":"text","text":"Keep it short."}],'
            '"messages":['
            '{"role":"user","content":['
            '{"type":"document","source":{"type":"text","media_type":"text/plain",'
            '"data":"Likes tea."},"title":"memory"},'
            '{"type":"text","text":"Say \\"hé\\"\\n"},'
            '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"eA=="}}'
            "]},"
            '{"role":"assistant","content":['
            '{"type":"thinking","thinking":"Hm.","signature":"c2ln"},'
            '{"type":"text","text":"I will."},'
            '{"type":"tool_use","id":"c1-r0007","name":"read","input":{"n":1}},'
            '{"type":"tool_use","id":"x-632032-r0007","name":"bare",'
            '"input":{"_arguments":"half {"}}'
            "]},"
            '{"role":"user","content":['
            '{"type":"tool_result","tool_use_id":"c1-r0007","content":"whole"},'
            '{"type":"tool_result","tool_use_id":"x-632032-r0007","content":['
            '{"type":"text","text":"he"},'
            '{"type":"document","source":{"type":"text","media_type":"text/plain",'
            '"data":"[-7 a1b2c3d4-]"},"title":"cut"},'
            '{"type":"text","text":"ta"}'
            "]}]},"
            '{"role":"assistant","content":[{"type":"text","text":"Done."}]}'
            "]}"
        )
        sent = conversation("anthropic-messages")
        assert expected == body(self.wire, *sent).decode()
        assert [self.wire.heard(message) for message in sent] == self.wire.decode(expected.encode())

    def test_classes(self) -> None:
        """What a counter prices by itself: the picture, the thinking, the schemas."""
        sent = conversation("anthropic-messages")
        assert classes(self.wire, sent, "image") == [('"eA=="', "r0005")]
        assert classes(self.wire, sent, "thinking") == [(THOUGHTS["anthropic-messages"], "r0006")]
        assert [record for _, record in classes(self.wire, sent, "schema")] == ["r0001", "r0001"]

    @pytest.mark.parametrize(
        ("messages", "sent"),
        [
            ('{"role":"user","content":"[...]"}', []),
            (
                '{"role":"user","content":"[...]"},'
                '{"role":"assistant","content":[{"type":"text","text":"Done."}]}',
                [DONE],
            ),
            (
                '{"role":"user","content":[{"type":"text","text":"Say \\"hé\\"\\n"}]},'
                '{"role":"assistant","content":[{"type":"text","text":"Done."}]},'
                '{"role":"user","content":"[...]"},'
                '{"role":"assistant","content":[{"type":"text","text":"Done."}]}',
                [ASKED, DONE, DONE],
            ),
        ],
        ids=["nothing", "the model first", "the model twice"],
    )
    def test_stand_in(self, messages: str, sent: list[Message]) -> None:
        """Where the user would have to speak and does not, a message says so."""
        expected = f'{{"model":"claude-x","max_tokens":1024,"messages":[{messages}]}}'
        assert expected == body(self.wire, *sent).decode()
        assert self.wire.decode(expected.encode()) == sent

    def test_a_user_cannot_write_the_stand_in(self) -> None:
        """Only a stand-in is a string; what a user says is always a block."""
        said = Message(Kind.USER, "[...]", trust=Trust.USER)
        expected = '"messages":[{"role":"user","content":[{"type":"text","text":"[...]"}]}]}'
        assert expected in body(self.wire, said).decode()

    def test_no_text_beside_calls(self) -> None:
        """A blank text is refused by the provider, so a turn with calls is sent without it."""
        turn = Message(Kind.ASSISTANT, "\n", calls=(Call("c1", "bare"),), record="r0002")
        call = '{"type":"tool_use","id":"c1-r0002","name":"bare","input":{}}'
        assert f'{{"role":"assistant","content":[{call}]}}' in body(self.wire, turn).decode()


class TestOpenAIResponses:
    wire = OpenAIResponses("gpt-x")

    def test_body(self) -> None:
        """Every record is an item; a turn is its words, as a commentary, and then its calls."""
        expected = (
            '{"model":"gpt-x",'
            '"tools":['
            '{"type":"function","name":"read","description":"Reads it.",'
            '"parameters":{"type":"object"},"strict":false},'
            '{"type":"function","name":"bare",'
            '"parameters":{"type":"object","properties":{}},"strict":false}'
            "],"
            '"input":['
            '{"role":"system","content":"Keep it short."},'
            '{"role":"user","content":[{"type":"input_text","text":"memory"},'
            '{"type":"input_text","text":"Likes tea."}]},'
            '{"role":"user","content":"Say \\"hé\\"\\n"},'
            '{"role":"user","content":['
            '{"type":"input_image","image_url":"data:image/png;base64,eA==","detail":"auto"}]},'
            '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"eA=="},'
            '{"role":"assistant","content":"I will.","phase":"commentary"},'
            '{"type":"function_call","call_id":"c1-r0007","name":"read","arguments":"{\\"n\\": 1}"},'
            '{"type":"function_call","call_id":"x-632032-r0007","name":"bare",'
            '"arguments":"half {"},'
            '{"type":"function_call_output","call_id":"c1-r0007","output":"whole"},'
            '{"type":"function_call_output","call_id":"x-632032-r0007","output":['
            '{"type":"input_text","text":"he"},'
            '{"type":"input_text","text":"[-7 a1b2c3d4-]"},'
            '{"type":"input_text","text":"ta"}]},'
            '{"role":"assistant","content":"Done."}'
            "]}"
        )
        sent = conversation("openai-responses")
        assert expected == body(self.wire, *sent).decode()
        assert [self.wire.heard(message) for message in sent] == self.wire.decode(expected.encode())

    def test_classes(self) -> None:
        sent = conversation("openai-responses")
        assert classes(self.wire, sent, "image") == [('"data:image/png;base64,eA=="', "r0005")]
        assert classes(self.wire, sent, "thinking") == [(THOUGHTS["openai-responses"], "r0006")]

    def test_developer(self) -> None:
        """This format tells the two apart who may instruct."""
        said = Message(Kind.INSTRUCTION, "Be.", trust=Trust.DEVELOPER)
        expected = '{"model":"gpt-x","input":[{"role":"developer","content":"Be."}]}'
        assert expected == body(self.wire, said).decode()

    def test_two_turns_in_a_row(self) -> None:
        """Calls of two turns are told apart by the records in their ids."""
        one = Message(Kind.ASSISTANT, calls=(Call("c1", "a"), Call("c2", "b")), record="r0001")
        two = Message(Kind.ASSISTANT, calls=(Call("c1", "a"),), record="r0002")
        assert self.wire.decode(body(self.wire, one, two)) == [one, two]


class TestGemini:
    wire = Gemini()
    silent = '{"role":"user","parts":[{"text":"unshown"},{"text":"[...]"}]}'

    def test_body(self) -> None:
        """Every record of the user's is a content; the results of a turn are one."""
        expected = (
            '{"tools":[{"functionDeclarations":['
            '{"name":"read","description":"Reads it.","parametersJsonSchema":{"type":"object"}},'
            '{"name":"bare"}'
            "]}],"
            '"systemInstruction":{"parts":[{"text":"Keep it short."}]},'
            '"contents":['
            '{"role":"user","parts":[{"text":"memory"},{"text":"Likes tea."}]},'
            '{"role":"user","parts":[{"text":"Say \\"hé\\"\\n"}]},'
            '{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"eA=="}}]},'
            '{"role":"model","parts":['
            '{"text":"Hm.","thought":true,"thoughtSignature":"c2ln"},'
            '{"text":"I will."},'
            '{"functionCall":{"id":"c1-r0007","name":"read","args":{"n":1}}},'
            '{"functionCall":{"id":"x-632032-r0007","name":"bare",'
            '"args":{"_arguments":"half {"}}}'
            "]},"
            '{"role":"user","parts":['
            '{"functionResponse":{"id":"c1-r0007","name":"read","response":{"output":"whole"}}},'
            '{"functionResponse":{"id":"x-632032-r0007","name":"bare",'
            '"response":{"head":"he","cut":"[-7 a1b2c3d4-]","tail":"ta"}}}'
            "]},"
            '{"role":"model","parts":[{"text":"Done."}]}'
            "]}"
        )
        sent = conversation("gemini")
        assert expected == body(self.wire, *sent).decode()
        assert [self.wire.heard(message) for message in sent] == self.wire.decode(expected.encode())

    def test_classes(self) -> None:
        sent = conversation("gemini")
        assert classes(self.wire, sent, "image") == [('"eA=="', "r0005")]
        assert classes(self.wire, sent, "thinking") == [(THOUGHTS["gemini"], "r0006")]

    @pytest.mark.parametrize("count", [0, 1, 2])
    def test_stand_in(self, count: int) -> None:
        """Before each turn of the model that nobody asked for, a content says so."""
        done = '{"role":"model","parts":[{"text":"Done."}]}'
        contents = ",".join([self.silent, done] * count or [self.silent])
        expected = f'{{"contents":[{contents}]}}'
        assert expected == body(self.wire, *[DONE] * count).decode()
        assert self.wire.decode(expected.encode()) == [DONE] * count

    def test_a_user_cannot_write_the_stand_in(self) -> None:
        """A user's words are one part; no kind of record is called as the stand-in is."""
        said = Message(Kind.USER, "unshown", trust=Trust.USER)
        assert '"parts":[{"text":"unshown"}]' in body(self.wire, said).decode()
        assert "unshown" not in list(Kind)


class TestOpenAIChat2:
    wire = OpenAIChat2("gpt-x")

    def test_body(self) -> None:
        """As version 1, and a name for each labelled kind, images, and ids with their turn."""
        expected = (
            '{"model":"gpt-x",'
            '"tools":['
            '{"type":"function","function":{"name":"read","description":"Reads it.",'
            '"parameters":{"type":"object"}}},'
            '{"type":"function","function":{"name":"bare"}}'
            "],"
            '"messages":['
            '{"role":"system","content":"Keep it short."},'
            '{"role":"user","name":"memory","content":"Likes tea."},'
            '{"role":"user","content":"Say \\"hé\\"\\n"},'
            '{"role":"user","content":['
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,eA=="}}]},'
            '{"role":"assistant","content":"I will.","tool_calls":['
            '{"id":"c1-r0007","type":"function",'
            '"function":{"name":"read","arguments":"{\\"n\\": 1}"}},'
            '{"id":"x-632032-r0007","type":"function",'
            '"function":{"name":"bare","arguments":"half {"}}'
            "]},"
            '{"role":"tool","tool_call_id":"c1-r0007","content":"whole"},'
            '{"role":"tool","tool_call_id":"x-632032-r0007","content":['
            '{"type":"text","text":"he"},'
            '{"type":"text","text":"[-7 a1b2c3d4-]"},'
            '{"type":"text","text":"ta"}]},'
            '{"role":"assistant","content":"Done."}'
            "]}"
        )
        sent = conversation(None)
        assert expected == body(self.wire, *sent).decode()
        assert sent == self.wire.decode(expected.encode())

    def test_classes(self) -> None:
        sent = conversation(None)
        assert classes(self.wire, sent, "image") == [('"data:image/png;base64,eA=="', "r0005")]
        assert classes(self.wire, sent, "thinking") == []

    def test_no_thinking(self) -> None:
        with pytest.raises(WireError, match="no place for a record of kind thinking"):
            body(self.wire, Message(Kind.THINKING, native=Native("gemini", "{}")))


@pytest.mark.parametrize(
    "wire", [OpenAIChat2(), OpenAIResponses(), AnthropicMessages(), Gemini()], ids=lambda w: w.id
)
class TestAlike:
    def test_text_as_it_is(self, wire: Wire) -> None:
        """Only what JSON must escape is escaped: letters of any script stand as their UTF-8."""
        said = Message(Kind.USER, 'é"\\\n\u2028\U0001f44d\x7f', trust=Trust.USER)
        assert 'é\\"\\\\\\n\u2028\U0001f44d\x7f"'.encode() in body(wire, said)

    def test_no_place(self, wire: Wire) -> None:
        """What has no place is refused also where nobody asked before."""
        for kind in (Kind.OPAQUE, Kind.IMAGE, Kind.THINKING):
            with pytest.raises(WireError, match=f"no place for a record of kind {kind}"):
                body(wire, Message(kind, "x"))
