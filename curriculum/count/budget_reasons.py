"""The named results of a budget: how the reserve was bounded, and what does not fit."""

from collections.abc import Iterable

import attrs

from .image_rules import LARGEST
from .models import Model

MOST_RESERVED, SHARE = 4096, 15
"""The reserve without a word of the model or the caller: 15 % of the window, at most 4096."""


@attrs.frozen
class Reason:
    """A named result: a stable code, and one sentence with the numbers."""

    code: str
    says: str


def reserve_of(model: Model, output: int | None) -> tuple[int, list[Reason]]:
    """Tokens kept for the output, once, and what bounded them.

    What the model can write (`max_output`) bounds it and is never reserved by itself.
    """
    wanted = max(model.reserve, min(model.window * SHARE // 100, MOST_RESERVED))
    found: list[Reason] = []
    if output is not None:
        wanted = output
        if type(output) is not int or output < 1:
            wanted = 1
            found.append(Reason("output-not-positive", "no output asked for; 1 is reserved"))
        elif output >= 10**15:
            wanted = 10**15
    if wanted > model.max_output:
        asked = "asked for" if output is not None else "would be reserved"
        says = f"{wanted} {asked} as output; the model writes at most {model.max_output}"
        found.append(Reason("output-over-model", says))
        wanted = model.max_output
    if wanted >= model.window:
        says = f"{wanted} for the output would fill the window of {model.window}; 1 is left to ask"
        found.append(Reason("output-over-window", says))
        wanted = model.window - 1
    if model.max_output >= model.window:
        says = (
            f"the model may write up to {model.max_output}, its window has {model.window}: only "
            f"the reserve of {wanted} stands between a request and half an answer"
        )
        found.append(Reason("max-output-is-window", says))
    if model.max_input and model.window - wanted > model.max_input:
        wanted = model.window - model.max_input
        says = (
            f"at most {model.max_input} of the {model.window} may go in, so {wanted} are kept for "
            "the output whatever is asked for"
        )
        found.append(Reason("input-limit", says))
    return wanted, found


def found_reasons(
    model: Model, ceiling: int, rest: int, frame: int, refused: int, broken: str, least: int
) -> list[Reason]:
    """What does not fit, and why a budget is constrained."""
    found: list[Reason] = []
    if broken:
        found.append(Reason("tokenizer-fallback", f"counted as characters // 3: {broken}"))
    if refused:
        says = f"too many patches for {model.id} in {refused} of the images: the request is refused"
        found.append(Reason("image-refused", says))
    if frame > ceiling:
        says = f"the frame alone takes {frame}, and {ceiling} may go in"
        found.append(Reason("frame-over-window", says))
    if rest < 0:
        found.append(Reason("budget-over", f"{-rest} more than the window holds"))
    elif rest == 0:
        found.append(Reason("budget-full", "exactly full: not one token is left for memories"))
    elif rest < least:
        says = f"{rest} left, fewer than the {least} that a search for memories is worth"
        found.append(Reason("budget-small", says))
    return found


def media_warnings(media: Iterable[str]) -> list[str]:
    """What was taken for the parts that no rule prices."""
    names = ", ".join(sorted(set(media)))
    if not names:
        return []
    return [
        f"no rule prices these parts: {names}; each is taken for {LARGEST.most} tokens, the most "
        "of any known image rule, and may be more"
    ]
