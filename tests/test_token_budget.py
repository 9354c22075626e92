"""A budget's parts add up to the window; what does not fit is named; a client can break nothing."""

import asyncio
import base64
import enum
import struct
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.count import image_size, tokenizer
from curriculum.count.buffers import BEYOND_P99, FROM_O200K, buffer_for
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counter import Estimate
from curriculum.count.families import FAMILIES
from curriculum.count.models import Model, shipped
from curriculum.count.token_budget import BudgetCalculator, TokenBudget
from curriculum.record.cut import Cut
from curriculum.record.errors import CurriculumError
from curriculum.record.records import (
    Answers,
    Author,
    Call,
    Image,
    Kind,
    Native,
    Record,
    ToolSpec,
    Trust,
)

HELLO = [{"role": "user", "content": "hello"}]


class Fixed:
    """A client that gives the same thing for every text."""

    def __init__(self, given: Any) -> None:
        self.given, self.asked = given, 0

    def count(self, model: str, text: str) -> Any:
        self.asked += 1
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


class Slow:
    """An async client that answers after a while."""

    def __init__(self, seconds: float, given: Any) -> None:
        self.seconds, self.given = seconds, given

    async def count(self, model: str, text: str) -> Any:
        await asyncio.sleep(self.seconds)
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


class Words:
    """A client that counts words, and says that this is no tokenizer."""

    id, kind = "words@1", "heuristic"

    def count(self, model: str, text: str) -> int:
        return len(text.split())


class One(enum.IntEnum):
    one = 1


def budget(model: str | Model, messages: Any = (), *args: Any, **named: Any) -> TokenBudget:
    """The budget by the bound in bytes: what an install without extras has."""
    family = (model if isinstance(model, Model) else shipped().for_model(model)).family
    calculator = BudgetCalculator(counter=f"bytes@1:{family}")
    return checked(calculator.calculate_sync(model, list(messages), *args, **named))


def checked(found: TokenBudget) -> TokenBudget:
    """The budget, once its parts are seen to add up."""
    parts = [size for _, size in found.parts()]
    assert all(size >= 0 for size in parts)
    assert sum(parts) == found.context_window + found.over_by
    assert 0 in (found.usable_budget, found.over_by)
    assert found.response_reserve < found.context_window
    return found


def codes(found: TokenBudget) -> list[str]:
    return [reason.code for reason in found.reasons]


def mine(window: int, max_output: int | None = None, family: str = "o200k") -> Model:
    """A model with the largest frame: 66 once, 12 a message, 7 for the reply."""
    return shipped().given("mine", window, family, max_output)


class TestSums:
    """Written out by hand."""

    def test_gpt_4o(self) -> None:
        """15 % of 128000 is 19200, so 4096 are reserved; 2 % of the other 123904 is 2478.08."""
        found = budget("gpt-4o", HELLO, "Be brief.")
        assert (
            ("response_reserve", 4096),
            ("safety_buffer", 2479),
            ("directive_tokens", 9),
            ("messages_tokens", 5),
            ("schemas_tokens", 0),
            ("frame_tokens", 11),  # 2 messages of 4, and 3 for the reply
            ("usable_budget", 121_400),
        ) == found.parts()
        assert (128_000, 0, False) == (found.context_window, found.over_by, found.is_constrained)
        assert ("bytes@1:o200k", "heuristic", "proven") == (
            found.counter,
            found.estimate_kind,
            found.bound_name,
        )
        assert [] == codes(found)

    def test_llama(self) -> None:
        """5 % of 131072 - 4096 = 126976 is 6348.8: a template is applied by whoever serves it."""
        found = budget("Llama-3.1-8B", HELLO, "Be brief.")
        assert (
            ("response_reserve", 4096),
            ("safety_buffer", 6349),
            ("directive_tokens", 9),
            ("messages_tokens", 5),
            ("schemas_tokens", 0),
            ("frame_tokens", 42),  # 26 once, 2 messages of 6, 4 for the reply
            ("usable_budget", 120_571),
        ) == found.parts()
        assert ["max-output-is-window"] == codes(found)

    def test_small_window(self) -> None:
        """15 % of 1000 is 150; 2 % of 850 is 17; 66 + 12 + 7 = 85 frame: 743 left of 748."""
        found = budget(mine(1000, 400), HELLO)
        assert (150, 17, 5, 85, 743) == (
            found.response_reserve,
            found.safety_buffer,
            found.messages_tokens,
            found.frame_tokens,
            found.usable_budget,
        )

    def test_claude_with_tools(self) -> None:
        """2 x bytes, and 290 tokens of a hidden prompt once there is a tool; 410 if it must be."""
        tool = {"name": "read"}  # {⏎    "name": "read"⏎} has 22 bytes
        found = budget("claude-opus-4-8", HELLO, "", [tool])
        assert (10, 44 + 290) == (found.messages_tokens, found.schemas_tokens)
        forced = budget("claude-opus-4-8", HELLO, "", [tool], tool_choice="any")
        assert 44 + 410 == forced.schemas_tokens
        assert 0 == budget("claude-opus-4-8", HELLO, tool_choice="any").schemas_tokens

    def test_calls_and_results(self) -> None:
        """A call costs its name and arguments and 13; a result its text and 14."""
        call = {"id": "c1", "function": {"name": "read", "arguments": '{"a":1}'}}
        messages = [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": 'a "b"'},
        ]
        found = budget("gpt-4o", messages)
        assert 4 + 7 + 5 == found.messages_tokens
        assert 4 + 13 + 14 + 3 == found.frame_tokens
        as_json = budget("Llama-3.1-8B", messages)  # its template writes a result as JSON
        assert 4 + 7 + 9 == as_json.messages_tokens

    @pytest.mark.parametrize(
        "messages",
        [
            [{"role": "user", "content": [{"type": "text", "text": "hello"}]}],
            [{"role": "user", "parts": [{"text": "hello"}]}],
            [{"role": "user", "content": "hel", "name": "lo"}],
            [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "hello"}],
                }
            ],
            [
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "hello", "signature": "x"}],
                }
            ],
            [{"role": "assistant", "content": "", "reasoning_content": "hello"}],
        ],
    )
    def test_each_wire_spells_a_text(self, messages: list[dict[str, Any]]) -> None:
        """What a key does not say is text is counted all the same."""
        found = budget("gpt-4o", messages)
        assert (5, 7) == (found.messages_tokens, found.frame_tokens)

    @pytest.mark.parametrize(
        "messages",
        [
            [{"type": "function_call", "name": "read", "arguments": "{}"},
             {"type": "function_call_output", "output": "done"}],
            [{"role": "model", "parts": [{"functionCall": {"name": "read", "args": {}}}]},
             {"role": "tool", "content": [{"type": "text", "text": "done"}]}],
            [{"role": "assistant", "content": [{"type": "tool_use", "name": "read", "input": {}}]},
             {"role": "user", "content": [{"type": "tool_result", "content": "done"}]}],
        ],
    )  # fmt: skip
    def test_each_wire_spells_a_call(self, messages: list[dict[str, Any]]) -> None:
        found = budget("gpt-4o", messages)
        assert len("read{}done") == found.messages_tokens
        roles = sum("content" in m or "parts" in m for m in messages if m.get("role") != "tool")
        assert 13 + 14 + 4 * roles + 3 == found.frame_tokens

    def test_records(self) -> None:
        """Records are counted by what would be sent of them: a cut with its marker."""
        model: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "m"}
        tool: dict[str, Any] = {"trust": Trust.TOOL, "author": Author.TOOL, "source": "t"}
        harness: dict[str, Any] = {"trust": Trust.SYSTEM, "author": Author.HARNESS, "source": "h"}
        records = [
            Record("r0001", Kind.TOOLS, tools=(ToolSpec("read"),), **harness),
            Record("r0002", Kind.INSTRUCTION, text="Be brief.", **harness),
            Record("r0003", Kind.ASSISTANT, calls=(Call("c1", "read"),), **model),
            Record(
                "r0004",
                Kind.RESULT,
                cut=Cut("ab", "yz", 100, ""),
                answers=Answers("r0003", 0),
                **tool,
            ),
            Record("r0005", Kind.OPAQUE, text="never sent", **harness),
        ]
        found = budget("gpt-4o", records)
        marker = "[-96-]"
        assert len("Be brief." + "read{}" + "ab" + marker + "yz") == found.messages_tokens
        assert 2 * 4 + 13 + 14 + 3 == found.frame_tokens
        written = '{\n    "type": "function",\n    "function": {\n        "name": "read"\n    }\n}'
        assert len(written) == found.schemas_tokens

    def test_lone_surrogate(self) -> None:
        """It cannot be sent, so it is counted as the three bytes that take its place."""
        assert 3 == budget("gpt-4o", [{"role": "user", "content": "\udc80"}]).messages_tokens

    @pytest.mark.parametrize("messages", [[5], ["hello"], [{"role": "user", "content": {1, 2}}]])
    def test_no_message(self, messages: list[Any]) -> None:
        with pytest.raises(CurriculumError) as caught:
            budget("gpt-4o", messages)
        assert "messages-odd" == caught.value.code


class TestBuffers:
    """The buffer follows from the family and from who counted."""

    @pytest.mark.parametrize("client", [None, Fixed(1), Fixed(None)])
    def test_gpt_4o_and_llama_differ(self, client: Any) -> None:
        """With the bound in bytes, with a tokenizer, and with none that answers."""
        found = {
            name: BudgetCalculator(client, counter="" if client else f"bytes@1:{family}")
            .calculate_sync(name, HELLO)
            .safety_buffer
            for name, family in (("gpt-4o", "o200k"), ("Llama-3.1-8B", "llama3"))
        }
        assert found["Llama-3.1-8B"] > found["gpt-4o"] * 11 // 10
        if not (client and client.given is None):
            assert found == {"gpt-4o": 2479, "Llama-3.1-8B": 6349}

    @pytest.mark.parametrize(
        ("family", "kind", "counted_in", "bounded", "buffer"),
        [
            ("o200k", "exact", "o200k", False, 20),  # of a ceiling of 1000: only the frame
            ("llama3", "exact", "llama3", False, 50),
            ("llama3", "heuristic", "llama3", True, 50),  # a bound in bytes: only the frame
            ("claude-4.7", "heuristic", "claude-4.7", True, 50),
            ("claude-4.7", "heuristic", "o200k", True, 525),  # 1 x bytes, 2 may be: 950 / 2
            ("llama3", "exact", "o200k", False, 96),  # 950 / 1.05 = 904.7
            ("claude-4.7", "exact", "o200k", False, 628),  # 950 / 2.55 = 372.5
            ("o200k", "exact", "llama3", False, 633),  # nobody measured it: 980 / 2.67 = 367.04
            ("llama3", "calibrated", "llama3", False, 186),  # 950 x 1.02 / 1.19 = 814.3
            ("o200k", "heuristic", "o200k", False, 119),  # 980 / 1.112 = 881.3
            ("o200k", "fallback", "o200k", False, 368),  # 980 / 1.55 = 632.3
            ("claude-4.7", "fallback", "claude-4.7", False, 571),  # 950 / 2.21 = 429.9
        ],
    )
    def test_by_hand(
        self, family: str, kind: str, counted_in: str, bounded: bool, buffer: int
    ) -> None:
        assert buffer == buffer_for(family, kind, counted_in, bounded).tokens(1000)

    def test_nothing_of_nothing(self) -> None:
        assert 0 == buffer_for("o200k", "exact", "o200k").tokens(0)
        assert 0 == buffer_for("o200k", "exact", "o200k").tokens(-5)

    def test_each_family_has_its_figures(self) -> None:
        assert set(FAMILIES) == set(FROM_O200K) == set(BEYOND_P99)
        assert all(p99 < most for p99, most in BEYOND_P99.values())

    def test_a_client_that_only_estimates(self) -> None:
        found = checked(BudgetCalculator(Words()).calculate_sync("gpt-4o", HELLO))
        assert ("words@1", "heuristic", None) == (
            found.counter,
            found.estimate_kind,
            found.bound_name,
        )
        assert 1 == found.messages_tokens
        assert 123_904 - 123_904 * 980 // 1112 == found.safety_buffer

    def test_a_counter_of_another_family_is_no_bound(self) -> None:
        found = BudgetCalculator(counter="bytes@1:o200k").calculate_sync("claude-opus-4-8", HELLO)
        assert (5, None) == (found.messages_tokens, found.bound_name)
        assert 995_904 - 995_904 * 950 // 2000 == found.safety_buffer


PNG = b"\x89PNG\r\n\x1a\n"


def png(width: int, height: int) -> str:
    """A PNG of that size, as base64; its bytes as text would be another matter."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(b"\0" * (width + 1) * height, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        sum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + sum

    whole = PNG + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def chat(data: str, **more: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}", **more}}


def anthropic(data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def user(*parts: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": list(parts)}]


class TestImages:
    """T13: neither as text nor for a small flat sum."""

    def test_as_its_rule_says(self) -> None:
        """1024 x 1024: 4 tiles on gpt-4o, 37 x 37 patches on Claude; the base64 has 1.4 MB."""
        data = png(1024, 1024)
        assert 1_000_000 < len(data)
        assert 765 == budget("gpt-4o", user(chat(data))).images_tokens
        assert 85 == budget("gpt-4o", user(chat(data, detail="low"))).images_tokens
        assert 1369 == budget("claude-opus-4-8", user(anthropic(data))).images_tokens
        gemini = {"inline_data": {"mime_type": "image/png", "data": data}}
        found = budget("gemini-2.5-pro", [{"role": "user", "parts": [gemini]}])
        assert 1032 == found.images_tokens == found.messages_tokens

    def test_in_a_result(self) -> None:
        """An image that a tool returned is an image, not a million characters of a result."""
        part = {
            "type": "tool_result",
            "content": [{"type": "text", "text": "x"}, anthropic(png(1024, 1024))],
        }
        found = budget("claude-haiku-4-5", user(part))
        assert (1369, 1369 + 2) == (found.images_tokens, found.messages_tokens)

    @pytest.mark.parametrize(
        ("model", "most"),
        [
            ("gpt-4o", 1445),
            ("gpt-4o-mini", 48_169),
            ("claude-opus-4-8", 4784),
            ("gemini-3.5-flash", 1120),
        ],
    )
    @pytest.mark.parametrize(
        "part",
        [
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "input_image", "file_id": "file-1"},
            {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
            {"type": "image_url", "image_url": "data:image/png;base64,!!!"},
        ],
    )
    def test_of_unknown_size(self, model: str, most: int, part: dict[str, Any]) -> None:
        """The most that the rule allows, and it is said."""
        found = budget(model, user(part))
        assert most == found.images_tokens
        assert "size not known of 1 of the 1 images" in found.warnings[0]

    def test_where_sizes_cannot_be_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without the extra an image of a rarer format costs the most, and the extra is named."""
        monkeypatch.setattr(image_size, "find_spec", lambda name: None)
        icon = b"\0\0\1\0\1\0\x40\x40" + bytes(14)  # an icon of 64 x 64
        found = budget("gpt-4o", user(chat(base64.b64encode(icon).decode())))
        assert 1445 == found.images_tokens
        assert 'pip install "curriculum[exact]"' in found.warnings[0]

    def test_of_the_common_formats_needs_no_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """64 x 64: one tile, 85 + 170."""
        monkeypatch.setattr(image_size, "find_spec", lambda name: None)
        found = budget("gpt-4o", user(chat(png(64, 64))))
        assert (255, ()) == (found.images_tokens, found.warnings)

    def test_size_beside_it(self) -> None:
        found = budget(
            "gpt-4o",
            user(
                {
                    "type": "image_url",
                    "image_url": {"url": "https://a/b"},
                    "width": 1024,
                    "height": 1024,
                }
            ),
        )
        assert 765 == found.images_tokens
        assert () == found.warnings

    def test_of_a_model_that_takes_none(self) -> None:
        """Never free: the largest bound of any rule, and a warning."""
        found = budget("Llama-3.1-8B", user(anthropic(png(8, 8))))
        assert 48_169 == found.images_tokens
        assert "the model takes no images" in found.warnings[0]

    def test_that_the_provider_refuses(self) -> None:
        """GPT-5.6 takes 30,000 patches: 201 x 150 = 30,150 are refused, and that has a name."""
        part = {"type": "input_image", "image_url": "https://a/b", "width": 6401, "height": 4800}
        found = budget("gpt-5.6", user(part))
        assert 36_000 == found.images_tokens
        assert "image-refused" in codes(found)
        assert "image-refused" not in codes(budget("gpt-5.6", user({**part, "width": 6400})))
        assert "image-refused" not in codes(budget("gpt-5.6", user({**part, "detail": "high"})))

    def test_media_without_a_rule(self) -> None:
        part = {"type": "input_audio", "input_audio": {"data": "AAAA"}}
        found = budget("gpt-4o", user(part))
        assert 48_169 == found.images_tokens
        assert "no rule prices these parts: input_audio" in found.warnings[0]

    def test_text_of_a_document_is_text(self) -> None:
        part = {"type": "document", "source": {"type": "text", "data": "hello"}}
        assert 5 == budget("gpt-4o", user(part)).messages_tokens

    @pytest.mark.parametrize(
        ("image", "tokens"),
        [(None, 765), (Image("image/png"), 765), (Image("image/png", 512, 512), 255)],
    )
    def test_image_record(self, image: Image | None, tokens: int) -> None:
        """The text of an image's record is the picture in base64, which nobody is sent as text."""
        who: dict[str, Any] = {"trust": Trust.USER, "author": Author.PERSON, "source": "p"}
        record = Record("r0001", Kind.IMAGE, text=png(1024, 1024), image=image, **who)
        found = budget("gpt-4o", [record])
        assert (tokens, tokens) == (found.images_tokens, found.messages_tokens)
        empty = budget("gpt-4o", [Record("r0001", Kind.IMAGE, **who)])
        assert 1445 == empty.images_tokens

    def test_native_record(self) -> None:
        """A block that goes back as it came is counted by what stands in it."""
        block = Native(
            "anthropic-messages", '{"type":"thinking","thinking":"hello","signature":"x"}'
        )
        who: dict[str, Any] = {"trust": Trust.ASSISTANT, "author": Author.MODEL, "source": "m"}
        record = Record("r0001", Kind.THINKING, text="hello", native=block, **who)
        assert 5 == budget("gpt-4o", [record]).messages_tokens


class TestReserve:
    """T21: the room for the output is kept once, and is not what the model could write."""

    def test_not_forgotten(self) -> None:
        found = budget("gpt-4o")
        assert 4096 == found.response_reserve
        assert 128_000 - 4096 - 2479 - 3 == found.usable_budget

    def test_not_twice(self) -> None:
        """Neither in the buffer nor in the frame is there another one."""
        less, more = budget("gpt-4o", output=1000), budget("gpt-4o", output=2000)
        assert (1000, 2000) == (less.response_reserve, more.response_reserve)
        assert 2540 == less.safety_buffer  # 2 % of 127000
        assert 2520 == more.safety_buffer
        assert 1000 - 20 == less.usable_budget - more.usable_budget

    def test_capability_is_no_reservation(self) -> None:
        """It can write 128,000; 4,096 are kept, unless the request asks for more."""
        assert 4096 == budget("gpt-5.5").response_reserve
        assert 128_000 == budget("gpt-5.5", output=128_000).response_reserve

    def test_exactly_the_ceiling(self) -> None:
        """150 + 17 + 85 + 748 = 1000: it fits, and nothing is left."""
        found = budget(mine(1000, 400), [{"role": "user", "content": "x" * 748}])
        assert (0, 0, True) == (found.usable_budget, found.over_by, found.is_constrained)
        assert ["budget-full"] == codes(found)

    def test_one_over(self) -> None:
        found = budget(mine(1000, 400), [{"role": "user", "content": "x" * 749}])
        assert (0, 1, True) == (found.usable_budget, found.over_by, found.is_constrained)
        assert ["budget-over"] == codes(found)
        assert "1 more than the window holds" == found.reasons[0].says

    def test_nonsense(self) -> None:
        """339,835 tokens of output from a model that writes at most 65,536."""
        found = budget("gemini-2.5-pro", HELLO, output=339_835)
        assert 65_536 == found.response_reserve
        assert ["output-over-model"] == codes(found)
        assert "339835 asked for as output; the model writes at most 65536" == found.reasons[0].says

    @pytest.mark.parametrize("output", [0, -5, True, "9", 1.5])
    def test_no_number(self, output: Any) -> None:
        found = budget("gpt-4o", output=output)
        assert 1 == found.response_reserve
        assert ["output-not-positive"] == codes(found)

    def test_of_astronomic_size(self) -> None:
        assert 16_384 == budget("gpt-4o", output=10**5000).response_reserve

    def test_model_that_may_fill_its_window(self) -> None:
        """The reserve stays under the window, and both results have a name."""
        found = budget(mine(1000), HELLO, output=1000)
        assert (999, 1, 1) == (
            found.response_reserve,
            found.context_window - found.response_reserve,
            found.safety_buffer,
        )
        assert [
            "output-over-window",
            "max-output-is-window",
            "frame-over-window",
            "budget-over",
        ] == codes(found)

    def test_formula_is_bounded_by_the_model(self) -> None:
        """15 % of 1000 are 150; a model that writes 100 gets 100."""
        found = budget(mine(1000, 100))
        assert 100 == found.response_reserve
        assert "output-over-model" in codes(found)

    def test_provider_that_takes_less_than_the_window(self) -> None:
        """gpt-5: 272,000 in and 128,000 out, so no request may have 300,000 in."""
        found = budget("gpt-5")
        assert 128_000 == found.response_reserve
        assert ["input-limit"] == codes(found)
        assert "input-limit" in codes(budget("gpt-5", output=1000))

    def test_window_of_one(self) -> None:
        found = budget(mine(1), HELLO)
        assert (0, 1) == (found.response_reserve, found.context_window)
        assert "frame-over-window" in codes(found)


class TestConstrained:
    def test_at_the_limit(self) -> None:
        """748 are free: with 492 in messages 256 are left, with 493 there are 255."""
        enough = budget(mine(1000, 400), [{"role": "user", "content": "x" * 492}])
        assert (256, False, []) == (enough.usable_budget, enough.is_constrained, codes(enough))
        less = budget(mine(1000, 400), [{"role": "user", "content": "x" * 493}])
        assert (255, True, ["budget-small"]) == (
            less.usable_budget,
            less.is_constrained,
            codes(less),
        )


NONSENSE = [
    *(-1, 0, True, False, 1.0, float("nan"), float("inf"), "5", None, b"5", [], One.one),
    *(11, 10**30, -(10**30), 10**5000),  # "hello" has 5 bytes, so 10 is the most
    *(ValueError("no"), TimeoutError(), MemoryError(), RecursionError(), StopIteration()),
]


class TestFallback:
    """A tokenizer that cannot be reached ends no budget: characters // 3, and it is said."""

    @pytest.mark.parametrize("given", NONSENSE, ids=lambda given: type(given).__name__)
    @pytest.mark.parametrize("slow", [False, True])
    def test_whatever_it_does(self, given: Any, slow: bool) -> None:
        client = Slow(0, given) if slow else Fixed(given)
        found = checked(BudgetCalculator(client).calculate_sync("gpt-4o", HELLO, "Be brief."))
        self._is_fallback(found)
        awaited = asyncio.run(BudgetCalculator(client).calculate("gpt-4o", HELLO, "Be brief."))
        self._is_fallback(checked(awaited))

    def _is_fallback(self, found: TokenBudget) -> None:
        assert (3, 1) == (found.directive_tokens, found.messages_tokens)  # 9 // 3, 5 // 3
        assert ("characters // 3", "fallback", None) == (
            found.counter,
            found.estimate_kind,
            found.bound_name,
        )
        assert found.is_constrained
        assert "tokenizer-fallback" == found.reasons[0].code
        assert found.reasons[0].says.isascii()
        assert 45_565 == found.safety_buffer  # 123904 - 123904 x 980 // 1550

    def test_characters_not_bytes_and_never_nothing(self) -> None:
        """7 characters of Chinese are 2, and one character is 1."""
        found = BudgetCalculator(Fixed(None)).calculate_sync(
            "gpt-4o", [{"role": "user", "content": "你好世界你好世"}], "x"
        )
        assert (1, 2) == (found.directive_tokens, found.messages_tokens)

    def test_after_the_first_failure_it_is_left_alone(self) -> None:
        client = Fixed(ValueError())
        BudgetCalculator(client).calculate_sync("gpt-4o", [*HELLO, *user("a", "b", "c")], "x")
        assert 1 == client.asked

    def test_one_bad_count_makes_the_whole_a_fallback(self) -> None:
        """Two kinds of estimate are never added up."""

        class Half:
            def count(self, model: str, text: str) -> int:
                return 2 if text == "hello" else -1

        found = BudgetCalculator(Half()).calculate_sync("gpt-4o", HELLO, "Be brief.")
        self._is_fallback(found)

    def test_time_is_up(self) -> None:
        calculator = BudgetCalculator(Slow(30, 1), timeout=0.01)
        found = checked(asyncio.run(calculator.calculate("gpt-4o", HELLO)))
        assert "in the time that it was given" in found.reasons[0].says
        assert "fallback" == calculator.calculate_sync("gpt-4o", HELLO).estimate_kind

    def test_in_a_running_loop(self) -> None:
        """Code that is not async cannot wait there: the budget says what to do."""

        async def inside() -> TokenBudget:
            return BudgetCalculator(Slow(0, 1)).calculate_sync("gpt-4o", HELLO)

        found = checked(asyncio.run(inside()))
        assert "await calculate(...)" in found.reasons[0].says

    @pytest.mark.parametrize("slow", [False, True])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError, SystemExit])
    def test_an_interrupt_is_none_of_its_failures(
        self, slow: bool, error: type[BaseException]
    ) -> None:
        client = Slow(0, error()) if slow else Fixed(error())
        with pytest.raises(error):
            BudgetCalculator(client).calculate_sync("gpt-4o", HELLO)

    def test_cancelled_from_outside(self) -> None:
        async def outside() -> None:
            task = asyncio.ensure_future(BudgetCalculator(Slow(30, 1)).calculate("gpt-4o", HELLO))
            await asyncio.sleep(0)
            task.cancel()
            await task

        with pytest.raises(asyncio.CancelledError):
            asyncio.run(outside())

    def test_a_model_that_is_not_known_is_no_failure_of_the_client(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            BudgetCalculator(Fixed(1)).calculate_sync("gtp-4o", HELLO)
        assert "model-unknown" == caught.value.code


class TestClients:
    def test_sync_and_async_say_the_same(self) -> None:
        sync, slow = BudgetCalculator(Fixed(3)), BudgetCalculator(Slow(0, 3))
        found = {
            (b.messages_tokens, b.usable_budget)
            for b in (
                sync.calculate_sync("gpt-4o", HELLO),
                slow.calculate_sync("gpt-4o", HELLO),
                asyncio.run(sync.calculate("gpt-4o", HELLO)),
                asyncio.run(slow.calculate("gpt-4o", HELLO)),
            )
        }
        assert {(3, 128_000 - 4096 - 2479 - 3 - 7)} == found

    def test_its_word_is_taken(self) -> None:
        found = BudgetCalculator(Fixed(3)).calculate_sync("gpt-4o", HELLO)
        assert ("Fixed", "exact", "assumed") == (
            found.counter,
            found.estimate_kind,
            found.bound_name,
        )

    def test_a_text_that_stands_twice_is_asked_for_once(self) -> None:
        client = Fixed(3)
        found = BudgetCalculator(client).calculate_sync("gpt-4o", HELLO * 100)
        assert (1, 300) == (client.asked, found.messages_tokens)

    def test_an_empty_text_is_not_asked_for(self) -> None:
        client = Fixed(ValueError())
        found = BudgetCalculator(client).calculate_sync("gpt-4o", [{"role": "user", "content": ""}])
        assert (0, 0, False) == (client.asked, found.messages_tokens, found.is_constrained)

    def test_without_a_client_there_is_always_a_counter(self) -> None:
        """Every family can be counted on an install without extras."""
        for family in FAMILIES:
            found = checked(BudgetCalculator().calculate_sync(mine(9000, 100, family), HELLO))
            assert found.counter.endswith(f":{family}")
            assert found.estimate_kind != "fallback"

    def test_a_counter_that_is_not_installed_is_passed_over(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The best that can count is taken; one that is asked for by its id says what is wrong."""
        real = tokenizer.counter_of

        class Missing:
            id, unit = "exact@1:o200k", "tokens"

            def estimate(self, text: str) -> Any:
                raise CurriculumError("The vocabulary is not installed.", code="not-installed")

        def some(id: str) -> Any:
            return Missing() if id.startswith("exact@1") else real(id)

        monkeypatch.setattr(tokenizer, "counter_of", some)
        found = BudgetCalculator().calculate_sync("gpt-4o", HELLO)
        assert found.counter in ("calibrated@1:o200k", "bytes@1:o200k")
        with pytest.raises(CurriculumError) as caught:
            BudgetCalculator(counter="exact@1:o200k").calculate_sync("gpt-4o", HELLO)
        assert "not-installed" == caught.value.code

    def test_a_bound_of_ours_is_taken_at_its_word(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A tokenizer that makes a text longer first has bounds of more than 2 a byte."""
        monkeypatch.setattr(ByteBound, "size", lambda self, text: 12)
        found = BudgetCalculator(counter="bytes@1:qwen3").calculate_sync("Qwen3-8B", HELLO)
        assert (12, "heuristic") == (found.messages_tokens, found.estimate_kind)

    def test_the_best_that_is_installed_is_taken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Exact before calibrated before bytes; a calibrated bound is never over that in bytes."""
        real = tokenizer.counter_of

        class Told:
            unit = "tokens"

            def __init__(self, id: str, found: Estimate) -> None:
                self.id, self.found = id, found

            def estimate(self, text: str) -> Estimate:
                return self.found

        told = {
            "exact@1:o200k": Estimate(2, 2, "tokens", "exact", "proven"),
            "calibrated@1:o200k": Estimate(2, 9, "tokens", "calibrated", "p99"),
            "calibrated@1:llama3": Estimate(2, 4, "tokens", "calibrated", "p99"),
        }

        def some(id: str) -> Any:
            if id.startswith("bytes@1"):
                return real(id)
            if id in told:
                return Told(id, told[id])
            raise ImportError

        monkeypatch.setattr(tokenizer, "counter_of", some)
        found = BudgetCalculator().calculate_sync("gpt-4o", HELLO)
        assert (2, "exact", "proven", 2479) == (
            found.messages_tokens,
            found.estimate_kind,
            found.bound_name,
            found.safety_buffer,
        )
        llama = BudgetCalculator().calculate_sync("Llama-3.1-8B", HELLO)
        assert (4, "calibrated", "p99") == (
            llama.messages_tokens,
            llama.estimate_kind,
            llama.bound_name,
        )
        assert 126_976 - 126_976 * 950 // 1167 == llama.safety_buffer  # 1.19 / 1.02 = 1.1667
        del told["exact@1:o200k"]
        assert 5 == BudgetCalculator().calculate_sync("gpt-4o", HELLO).messages_tokens

    def test_a_counter_of_characters_is_refused(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            BudgetCalculator(counter="chars@1").calculate_sync("gpt-4o", HELLO)
        assert "counter-unit" == caught.value.code


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.sampled_from([ValueError(), OSError(), TimeoutError(), UnicodeError()]),
)
PART = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": st.text()}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["image", "input_audio", "tool_result"]), "width": st.integers(),
         "height": st.integers(), "content": st.text()}
    ),
)  # fmt: skip
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system"]),
     "content": st.none() | st.text() | st.lists(PART, max_size=3)}
)  # fmt: skip


@given(
    st.sampled_from(sorted(shipped().models)),
    st.lists(MESSAGE, max_size=4),
    st.text(),
    st.lists(st.fixed_dictionaries({"name": st.text()}), max_size=2),
    st.none() | st.integers(),
    st.booleans(),
    ANYTHING,
)
def test_any_client_any_request(
    model: str,
    messages: list[Any],
    directive: str,
    tools: list[Any],
    output: int | None,
    slow: bool,
    answer: Any,
) -> None:
    """The parts always add up, and no client makes a calculation raise."""
    client = Slow(0, answer) if slow else Fixed(answer)
    calculator = BudgetCalculator(client)
    found = calculator.calculate_sync(model, messages, directive, tools, output=output)
    checked(found)
    assert found.is_constrained or found.usable_budget >= 256


@given(st.integers(1, 5000), st.none() | st.integers(1, 9000), st.integers(0, 6000))
def test_any_window(window: int, max_output: int | None, size: int) -> None:
    """Windows of a few tokens too: nothing is negative, and what is over is said to the token."""
    found = budget(mine(window, max_output), [{"role": "user", "content": "x" * size}])
    taken = found.safety_buffer + size + found.frame_tokens
    assert found.usable_budget - found.over_by == window - found.response_reserve - taken
    assert ("budget-over" in codes(found)) == (found.over_by > 0)
