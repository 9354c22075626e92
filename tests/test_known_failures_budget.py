"""Budgets that other agents got wrong, made here: the room for the output, and one number for all.

Each class is one kind of failure, named by what went wrong; its docstring says what makes the
whole kind impossible here. T numbers the inputs as they were collected.
"""

from typing import Any

import pytest

from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.unworkable import BudgetError
from curriculum.count.byte_bound import ByteBound
from curriculum.count.counter import Counter
from curriculum.count.registry import counter_of
from curriculum.count.token_budget import BudgetCalculator, TokenBudget
from curriculum.wire.openai_chat_2 import OpenAIChat2
from curriculum.wire.protocol import Wire
from curriculum.wire.registry import every_wire

from .talk import Talk

O200K = "exact@1:o200k"
wires = pytest.mark.parametrize("wire", every_wire(), ids=lambda wire: wire.id)


def budget(messages: Any, *, model: str = "gpt-4o", **named: Any) -> TokenBudget:
    """The budget by exact counts of o200k."""
    return BudgetCalculator(counter=O200K).calculate_sync(model, messages, **named)


class TestOutputReserve:
    """T21: forgotten, kept twice, mistaken for what the model can write, off by one, nonsense.

    One sum: input ceiling + reserve <= capacity. A budget that breaks it cannot be made.
    """

    def test_not_forgotten(self) -> None:
        """A ceiling of the whole window leaves no room for an answer, and is refused."""
        with pytest.raises(BudgetError) as caught:
            ContextBudget(max_input_tokens=128_000, output_reserve=4_096, capacity=128_000)
        assert "128000 + 4096 = 132096 > 128000, 4096 tokens over" in caught.value.evidence
        assert 4_096 == budget([]).response_reserve

    def test_not_kept_twice(self) -> None:
        """The reserve does not shrink the ceiling again: what fills the ceiling is sent."""
        talk = Talk()
        talk.user("x" * 500)
        roomy = assemble(talk.records, 10_000, wire=OpenAIChat2(), counter=ByteBound()).manifest
        assert roomy.size is not None
        made = assemble(talk.records, roomy.size, 4_000, wire=OpenAIChat2(), counter=ByteBound())
        assert made.manifest.size == made.manifest.limit == roomy.size
        less, more = (budget([], output=n) for n in (1_000, 2_000))
        assert 1_000 == more.response_reserve - less.response_reserve
        assert 980 == less.usable_budget - more.usable_budget  # 2 % of it was in the buffer

    def test_what_a_model_can_write_is_no_reserve(self) -> None:
        assert 4_096 == budget([], model="gpt-5.5").response_reserve  # it can write 128,000

    def test_exactly_the_capacity(self) -> None:
        assert (
            1_000 == ContextBudget(max_input_tokens=900, output_reserve=100, capacity=1_000).window
        )

    def test_one_token_over(self) -> None:
        with pytest.raises(BudgetError) as caught:
            ContextBudget(max_input_tokens=901, output_reserve=100, capacity=1_000)
        assert "901 + 100 = 1001 > 1000, 1 tokens over" in caught.value.evidence

    def test_nonsense(self) -> None:
        """339,835 tokens of output: bounded by what the model writes, by name; none below 0."""
        found = budget([], model="gemini-2.5-pro", output=339_835)
        assert 65_536 == found.response_reserve
        assert ["output-over-model"] == [reason.code for reason in found.reasons]
        with pytest.raises(BudgetError, match="output_reserve is -1"):
            ContextBudget(max_input_tokens=900, output_reserve=-1)


class TestOneNumber:
    """T23: a trigger that counts with a buffer and a trim that does not, so nothing is ever enough.

    There is one size: it is what the ceiling limits, what the parts add up to and what the band
    is found from.
    """

    BANDS = ((40, "green"), (65, "yellow"), (85, "amber"), (1_000, "red"))

    @wires
    @pytest.mark.parametrize("id", ["chars@1", "bytes@1:claude-3", O200K, "calibrated@1:o200k"])
    def test_of_ceiling_sums_and_band(self, id: str, wire: Wire) -> None:
        talk, counter = Talk(), counter_of(id)
        talk.user("Go.")
        for number in range(12):
            talk.step(f"{number} " + " word" * 20)
        whole = assemble(talk.records, 10**6, wire=wire, counter=counter).manifest.size
        assert whole is not None
        limits = range(whole // 4, whole * 2, whole // 40)
        trimmed = [self.trims(talk, limit, wire, counter) for limit in limits]
        assert {True, False} == set(trimmed)
        assert sorted(trimmed, reverse=True) == trimmed  # what fits once fits with more room

    def trims(self, talk: Talk, limit: int, wire: Wire, counter: Counter) -> bool:
        """Whether something gives way at this limit; the sums and the band must hold."""
        capacity = limit + 300
        made = assemble(talk.records, limit, 100, wire=wire, counter=counter, capacity=capacity)
        manifest, size = made.manifest, made.manifest.size
        if size is None:
            return True
        assert (manifest.frame or 0) + sum(row.size or 0 for row in manifest.decisions) == size
        assert size <= limit
        share = size * 100 / (capacity - 100)
        assert manifest.band == next(band for most, band in self.BANDS if share <= most)
        return any(row.decision != "admitted" for row in manifest.decisions)
