"""How much of a model's window is left for memories, in numbers that add up to the window.

    window + over_by = response reserve + safety buffer + directive + messages + schemas + frame
                       + usable budget

Of `usable_budget` and `over_by` at most one is above 0: what does not fit is said, never cut off.
"""

from collections.abc import Iterable
from typing import Any

import attrs

from .budget_reasons import Reason, found_reasons, media_warnings, reserve_of
from .buffers import DIGITS, Buffer, buffer_for
from .image_rules import LARGEST, ImageRule, rule_of
from .image_size import UNREAD, can_read
from .models import Capabilities, Frame, Model, shipped
from .request_parts import Parts, Picture, parts_of
from .tokenizer import (
    Counting,
    Installed,
    TokenizerClient,
    Tokens,
    Unreachable,
    counting_of,
    fallback,
    third,
)

MIN_VIABLE_MEMORY_BUDGET = 256
"""Tokens. With less left a search for memories is not worth it: the budget is constrained."""


@attrs.frozen(kw_only=True)
class TokenBudget:
    """The parts of a window, in tokens; the module says how they add up.

    `messages_tokens` holds the images of the messages, `images_tokens` says how much of it they
    are; `schemas_tokens` the tools and the prompt that a provider adds for them. `counter`,
    `estimate_kind` and `bound_name` say how the text was counted. `reasons` are the named results:
    what was bounded, what does not fit, why the budget is constrained.
    """

    model: str
    context_window: int
    response_reserve: int
    safety_buffer: int
    usable_budget: int
    directive_tokens: int = 0
    messages_tokens: int = 0
    is_constrained: bool = False
    schemas_tokens: int = 0
    frame_tokens: int = 0
    images_tokens: int = 0
    over_by: int = 0
    counter: str = ""
    estimate_kind: str = ""
    bound_name: str | None = None
    buffer_why: str = ""
    reasons: tuple[Reason, ...] = ()
    warnings: tuple[str, ...] = ()

    def parts(self) -> tuple[tuple[str, int], ...]:
        """The parts by name, in the order in which they fill the window."""
        return (
            ("response_reserve", self.response_reserve),
            ("safety_buffer", self.safety_buffer),
            ("directive_tokens", self.directive_tokens),
            ("messages_tokens", self.messages_tokens),
            ("schemas_tokens", self.schemas_tokens),
            ("frame_tokens", self.frame_tokens),
            ("usable_budget", self.usable_budget),
        )


@attrs.frozen
class _Request:
    """What is to be counted, and what it costs beside its text."""

    model: Model
    frame: Frame
    parts: Parts
    directive: str
    results: list[str]
    choice: str
    output: int | None


class BudgetCalculator:
    """Budgets for the models of a registry, counted by one client.

    Without a client each family gets the best counter that is installed, or the one called
    `counter`. `timeout` is in seconds and ends the counting of an async client.
    """

    def __init__(
        self,
        tokenizer_client: TokenizerClient | None = None,
        capability_registry: Capabilities | None = None,
        *,
        counter: str = "",
        timeout: float | None = None,
    ) -> None:
        self._client = tokenizer_client
        self._capabilities = shipped() if capability_registry is None else capability_registry
        self._counter, self._timeout = counter, timeout

    async def calculate(
        self,
        model: str | Model,
        messages: Iterable[Any],
        directive: str = "",
        tools: Iterable[Any] = (),
        *,
        tool_choice: str = "auto",
        output: int | None = None,
    ) -> TokenBudget:
        """The budget of a request to `model`.

        `messages` are chat mappings or records, `directive` the system prompt, `tools` what is
        offered. `output` is how many tokens of output the request asks for; without it the reserve
        is max(the model's own, min(15 % of the window, 4096)). Raises `CurriculumError` for a model
        that is not known and for what is no message, and never for what a client does.
        """
        asked = self._asked(model, messages, directive, tools, tool_choice, output)
        client = self._client_of(asked.model)
        tokens = Tokens(client, asked.model.id, self._timeout)
        try:
            await tokens.count(_texts(asked))
        except Unreachable as error:
            return _without(asked, error.why)
        return _with(asked, tokens, counting_of(client, asked.model.family))

    def calculate_sync(
        self,
        model: str | Model,
        messages: Iterable[Any],
        directive: str = "",
        tools: Iterable[Any] = (),
        *,
        tool_choice: str = "auto",
        output: int | None = None,
    ) -> TokenBudget:
        """The same from code that is not async."""
        asked = self._asked(model, messages, directive, tools, tool_choice, output)
        client = self._client_of(asked.model)
        tokens = Tokens(client, asked.model.id, self._timeout)
        try:
            tokens.count_sync(_texts(asked))
        except Unreachable as error:
            return _without(asked, error.why)
        return _with(asked, tokens, counting_of(client, asked.model.family))

    def _client_of(self, model: Model) -> TokenizerClient:
        return Installed(model.family, self._counter) if self._client is None else self._client

    def _asked(
        self,
        name: str | Model,
        messages: Iterable[Any],
        directive: str,
        tools: Iterable[Any],
        choice: str,
        output: int | None,
    ) -> _Request:
        model = name if isinstance(name, Model) else self._capabilities.for_model(name)
        frame = self._capabilities.frame_of(model)
        system = parts_of([{"role": "system", "content": directive}])
        parts = parts_of(messages, tools)
        results = [spelled_result(frame, text) for text in parts.results]
        said = "".join(system.texts)
        return _Request(model, frame, parts, said, results, choice, output)


def spelled_result(frame: Frame, text: str) -> str:
    """A result's text as the model's template sends it."""
    import json

    return json.dumps(text, ensure_ascii=False) if frame.results == "json" else text


def _texts(asked: _Request) -> list[str]:
    """Every text that is counted. One that stands twice is counted once."""
    parts = asked.parts
    return list(dict.fromkeys([asked.directive, *parts.texts, *asked.results, *parts.tools]))


def _with(asked: _Request, tokens: Tokens, counting: Counting) -> TokenBudget:
    messages = tokens.of(asked.parts.texts) + tokens.of(asked.results)
    schemas = tokens.of(asked.parts.tools)
    return _budget(asked, counting, tokens.of([asked.directive]), messages, schemas)


def _without(asked: _Request, why: str) -> TokenBudget:
    """No count was to be had: characters // 3, labelled as what it is."""
    messages = third(sum(map(len, [*asked.parts.texts, *asked.results])))
    schemas = third(sum(map(len, asked.parts.tools)))
    counting = fallback(asked.model.family)
    return _budget(asked, counting, third(len(asked.directive)), messages, schemas, why)


def _budget(
    asked: _Request, counting: Counting, directive: int, texts: int, schemas: int, broken: str = ""
) -> TokenBudget:
    model, parts = asked.model, asked.parts
    rule = rule_of(model.image)
    images = sum(_image(rule, image) for image in parts.images) + LARGEST.most * len(parts.media)
    preamble = model.preamble_auto if asked.choice in ("auto", "none") else model.preamble_any
    schemas += preamble * bool(parts.tools)
    system = bool(asked.directive)
    frame = asked.frame.tokens(parts.messages + system, parts.calls, len(parts.results))
    reserve, reasons = reserve_of(model, asked.output)
    ceiling = model.window - reserve
    buffer = buffer_for(model.family, counting.kind, counting.family, counting.bounded)
    taken = buffer.tokens(ceiling) + directive + texts + images + schemas + frame
    rest = ceiling - taken
    constrained = rest < MIN_VIABLE_MEMORY_BUDGET or counting.kind == "fallback"
    refused = sum(
        rule.at(image.detail).refuses(image.width, image.height) for image in parts.images
    )
    reasons += found_reasons(model, ceiling, rest, frame, refused, broken, MIN_VIABLE_MEMORY_BUDGET)
    return TokenBudget(
        model=model.id,
        context_window=model.window,
        response_reserve=reserve,
        safety_buffer=buffer.tokens(ceiling),
        usable_budget=max(0, rest),
        directive_tokens=directive,
        messages_tokens=texts + images,
        is_constrained=constrained,
        schemas_tokens=schemas,
        frame_tokens=frame,
        images_tokens=images,
        over_by=max(0, -rest),
        counter=counting.counter,
        estimate_kind=counting.kind,
        bound_name=_bound_name(counting, buffer),
        buffer_why=buffer.why,
        reasons=tuple(reasons),
        warnings=tuple(_warnings(asked, counting, rule)),
    )


def _image(rule: ImageRule, image: Picture) -> int:
    return rule.at(image.detail).tokens(image.width, image.height)


def _bound_name(counting: Counting, buffer: Buffer) -> str | None:
    """A bound of another family's tokens, or of fewer than there may be, is none of these."""
    own = counting.kind == "calibrated" or buffer.text == 1000
    return counting.bound_name if own else None


def _warnings(asked: _Request, counting: Counting, rule: ImageRule) -> list[str]:
    found: list[str] = []
    parts, family = asked.parts, asked.model.family
    if parts.images and rule.warning:
        found.append(rule.warning)
    unknown = sum(image.width is None for image in parts.images)
    if unknown:
        sized = "" if can_read() else f"; {UNREAD}"
        found.append(
            f"size not known of {unknown} of the {len(parts.images)} images: each is taken for the "
            f"most that its rule allows{sized}"
        )
    found += media_warnings(parts.media)
    if counting.family != family and counting.kind == "exact":
        found.append(
            f"counted as {counting.family or 'an unknown family'}, the model is {family}: data "
            f"full of digits may be {DIGITS // 1000}.{DIGITS % 1000 // 100} times as much"
        )
    return found
