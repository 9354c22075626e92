"""What a trace names, it can name again: a wire or counter that could not is not made."""

import pytest

from curriculum.count.byte_bound import ByteBound
from curriculum.count.for_model import ForModel
from curriculum.count.image_rules import RULES, rule_of
from curriculum.count.registry import counter_of
from curriculum.record.errors import CurriculumError
from curriculum.wire.anthropic_messages import AnthropicMessages
from curriculum.wire.errors import WireError
from curriculum.wire.openai_responses import OpenAIResponses
from curriculum.wire.registry import wire_of


class TestWires:
    @pytest.mark.parametrize("model", ["gpt-4o", "a:b", "a,b", "models/\u00e9 x", '"', "1"])
    def test_a_name_with_a_character_comes_back(self, model: str) -> None:
        for wire in (OpenAIResponses(model), AnthropicMessages(model, 1)):
            assert wire.id == wire_of(wire.id).id
            assert wire.frames == wire_of(wire.id).frames

    @pytest.mark.parametrize("model", ["", "\ud800", "a\udfff"])
    def test_a_name_that_cannot_be_sent_is_refused(self, model: str) -> None:
        for make in (OpenAIResponses, AnthropicMessages):
            with pytest.raises(WireError) as error:
                make(model)
            assert "wire-model" == error.value.code

    @pytest.mark.parametrize("most", [0, -1, 10**15, True, "4096"])
    def test_an_output_that_no_trace_can_hold_is_refused(self, most: object) -> None:
        with pytest.raises(WireError) as error:
            AnthropicMessages("m", most)  # type: ignore[arg-type]
        assert "wire-max-tokens" == error.value.code

    def test_one_number_has_one_name(self) -> None:
        with pytest.raises(WireError):
            wire_of("anthropic-messages@1:m,0100")


class TestCountersOfAModel:
    def test_it_comes_back_by_its_id(self) -> None:
        made = ForModel(ByteBound("claude-3"), 3, 588, "anthropic-standard")
        assert "bytes@1:claude-3;reply=3;preamble=588;images=anthropic-standard" == made.id
        again = counter_of(made.id)
        assert (made.id, 591, 3) == (again.id, again.around(True), again.around(False))

    @pytest.mark.parametrize(
        ("reply", "preamble", "images"),
        [(-1, 0, "none"), (0, 10**9, "none"), (True, 0, "none"), (0, 0, "gpt-9"), (0, 0, "")],
    )
    def test_what_no_id_can_say_is_refused(self, reply: int, preamble: int, images: str) -> None:
        with pytest.raises(CurriculumError) as error:
            ForModel(ByteBound(), reply, preamble, images)
        assert "counter-for-model" == error.value.code

    def test_one_inside_another_is_refused(self) -> None:
        inner = ForModel(ByteBound(), 0, 0, "none")
        with pytest.raises(CurriculumError) as error:
            ForModel(inner, 0, 0, "none")
        assert "counter-for-model" == error.value.code

    @pytest.mark.parametrize(
        "options", ["reply=007;preamble=0;images=none", "reply=1;preamble=0", "reply=1", ""]
    )
    def test_another_spelling_is_no_counter(self, options: str) -> None:
        with pytest.raises(CurriculumError) as error:
            counter_of(f"bytes@1;{options}")
        assert "counter-unknown" == error.value.code

    def test_the_price_of_an_unknown_rule_is_fixed(self) -> None:
        """A trace names the rule `unknown`: with another figure its sizes would be others."""
        assert 48_169 == rule_of("unknown").most == max(rule.most for rule in RULES.values())
