"""A counter for one model: what its provider adds around a request, and what it asks for pictures.

These stand in the counter's id, so that a trace says what was counted, and how, without a table:
`bytes@1:claude-4.7;reply=0;preamble=804;images=anthropic-high`.
"""

import re

from curriculum.record.errors import CurriculumError

from .counter import Counter, Estimate
from .image_rules import RULES, rule_of
from .models import Capabilities, Model, shipped
from .registry import counter_of

_NUMBER = "(0|[1-9][0-9]{0,8})"
_OPTIONS = re.compile(f"reply={_NUMBER};preamble={_NUMBER};images=([a-z0-9.-]+)")


class ForModel(Counter):
    """`inner`, with tokens for the reply that is begun and, with tools, the hidden preamble.

    `images` names a rule of `count.image_rules`. Raises `CurriculumError` for a rule that is not
    known, and for a counter of characters, which no provider adds to.
    """

    def __init__(self, inner: Counter, reply: int, preamble: int, images: str) -> None:
        if inner.unit != "tokens":
            raise CurriculumError(
                f"{inner.id} counts {inner.unit}; a model is counted in tokens.",
                code="counter-unit",
                next="curriculum models",
            )
        numbers = {"reply": reply, "preamble": preamble}
        odd = [name for name, n in numbers.items() if type(n) is not int or not 0 <= n < 10**9]
        if images not in (*RULES, "none", "unknown"):
            odd.append("images")
        if odd or ";" in inner.id:
            what = ", ".join(odd) or "inner"
            raise CurriculumError(
                f"No counter for a model is made of this: {what}.",
                "reply and preamble are tokens, 0 to 999999999; images names a known rule",
                "the counter inside is made for no model itself",
                code="counter-for-model",
                next="curriculum models",
            )
        self.inner, self.reply, self.preamble = inner, reply, preamble
        self.images = rule_of(images).name
        self.id = f"{inner.id};reply={reply};preamble={preamble};images={images}"
        self.unit, self.bound_name, self.steady = inner.unit, inner.bound_name, inner.steady

    def around(self, tools: bool) -> int:
        """The primed reply, and the hidden prompt that tools bring with them; tokens."""
        return self.inner.around(tools) + self.reply + (self.preamble if tools else 0)

    def size(self, text: str) -> int:
        """As the counter inside has it."""
        return self.inner.size(text)

    def estimate(self, text: str) -> Estimate:
        """As the counter inside has it: a text alone has nothing around it."""
        return self.inner.estimate(text)


def read(id: str) -> Counter:
    """The counter that an id with options names. Raises `CurriculumError`."""
    inner, _, options = id.partition(";")
    found = _OPTIONS.fullmatch(options)
    if found is None:
        raise CurriculumError(
            f"No counter is called {id!r}.",
            "options are reply=N;preamble=N;images=RULE",
            code="counter-unknown",
            next="curriculum models",
        )
    return ForModel(counter_of(inner), int(found[1]), int(found[2]), found[3])


def counter_for_model(
    model: str | Model, counter: str = "", registry: Capabilities | None = None
) -> ForModel:
    """The counter for requests to a model: by id, or the bytes that bound its family.

    The preamble is the larger of the two that the provider adds, whatever the tool choice is.
    """
    known = shipped() if registry is None else registry
    one = known.for_model(model) if isinstance(model, str) else model
    inner = counter_of(counter or f"bytes@1:{one.family}")
    preamble = max(one.preamble_auto, one.preamble_any)
    return ForModel(inner, known.frame_of(one).primed, preamble, one.image)
