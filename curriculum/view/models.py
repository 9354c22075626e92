"""The models that are known, as a list and one by one."""

from collections.abc import Sequence
from typing import Any

import attrs

from curriculum.count.families import FAMILIES
from curriculum.count.image_rules import rule_of
from curriculum.count.models import Capabilities, Model

from .screen import Screen

WORDS = {
    "window": "tokens, in and out together",
    "max_output": "tokens that it can write; nothing is reserved by that",
    "family": "the tokenizer that it counts with",
    "preamble_auto": "tokens of a hidden prompt once there are tools",
    "preamble_any": "the same where a tool must be called",
    "special": "what the name of a special token counts as, in a text",
    "max_input": "tokens at most, whatever is asked for as output",
    "reserve": "tokens that its maker says to keep for the output",
    "once": "tokens a request",
    "message": "tokens a message",
    "call": "tokens a call, beside its message",
    "result": "tokens a result, beside its message",
    "primed": "tokens of the reply that is begun",
    "results": "how the text of a result is sent",
}
"""What a field means, where its name does not say it."""
NOTHING = {"max_input": "no limit but the window", "reserve": "its maker names none"}
"""What 0 means, where it is not a number of tokens."""


def show_models(screen: Screen, known: Capabilities) -> None:
    """One line a model where the screen is wide enough, then the families."""
    models = list(known.models.values())
    family = max((len(model.family) for model in models), default=0)
    screen.head(f"Models: {len(models)}, sizes in tokens")
    if screen.plain:
        _facts(screen, models, family)
    else:
        _table(screen, models, family)
    screen.head("Families: how their text is bounded without a tokenizer")
    for one in FAMILIES.values():
        more = f" + {one.more} a text" if one.more else ""
        form = " of its form NFD" if one.normal else ""
        bound = f"{one.factor} x UTF-8 bytes{form}{more} ({one.bound_name})"
        screen.line(("head", f"  {one.id:<{family}}"), f"  {one.title}: at most {bound}", indent=4)


def _facts(screen: Screen, models: Sequence[Model], family: int) -> None:
    wide = max((len(model.id) for model in models), default=0)
    for model in models:
        sizes = f"window {model.window:>7}  output {model.max_output:>7}"
        more = f"{model.family:<{family}}  {model.wire}  as of {model.as_of or 'not given'}"
        screen.line(f"  {model.id:<{wide}}  {sizes}  {more}")


def _table(screen: Screen, models: Sequence[Model], family: int) -> None:
    wide = max((len(model.id) for model in models), default=0)
    wire = max((len(model.wire) for model in models), default=0)
    needed = 2 + wide + 2 * 8 + 2 + family + 2 + wire
    if needed >= screen.width:
        for model in models:
            screen.line(("head", f"  {model.id}"), indent=4)
            said = f"    window {model.window}, output {model.max_output}, {model.family}, "
            screen.line(said, ("quiet", model.wire), indent=4)
        return
    dated = needed + 2 + len("not given ") < screen.width
    names = f"  {'id':<{wide}} {'window':>7} {'output':>7}  {'family':<{family}}  {'wire':<{wire}}"
    screen.line(("quiet", names + "  as of" * dated))
    for model in models:
        sizes = f" {model.window:>7} {model.max_output:>7}  {model.family:<{family}}"
        more = f"  {model.wire:<{wire}}" + f"  {model.as_of or 'not given'}" * dated
        screen.line(("head", f"  {model.id:<{wide}}"), sizes, ("quiet", more))


def show_model(screen: Screen, known: Capabilities, model: Model) -> None:
    """Every field of one model, its frame and its image rule."""
    screen.head(f"Model {model.id}")
    _fields(screen, attrs.asdict(model))
    frame = known.frame_of(model)
    screen.head(f"Frame {frame.id}: tokens beside the text")
    _fields(screen, attrs.asdict(frame))
    rule = rule_of(model.image)
    screen.head(f"Images by {rule.name}")
    facts = (("cost", rule.says), ("most", f"{rule.most} tokens an image"), ("as_of", rule.as_of))
    for name, said in (*facts, ("source", rule.source), ("warning", rule.warning)):
        if said:
            screen.line(("quiet", f"  {name:<14}"), said, indent=16)


def _fields(screen: Screen, fields: dict[str, Any]) -> None:
    """The fields of an entry by the names that a file of models has for them."""
    for name, value in fields.items():
        said = ", ".join(value) if isinstance(value, tuple) else str(value)  # pyright: ignore
        words = NOTHING.get(name, "") if value == 0 else WORDS.get(name, "")
        note = f"  {words}" if words else ""
        screen.line(("quiet", f"  {name:<14}"), said or "-", ("quiet", note), indent=16)


def model_data(known: Capabilities, model: Model) -> dict[str, Any]:
    """The same as data."""
    rule = rule_of(model.image)
    image = {"rule": rule.name, "says": rule.says, "most": rule.most, "warning": rule.warning}
    dated = {"as_of": rule.as_of, "source": rule.source}
    return {
        **attrs.asdict(model),
        "frame": attrs.asdict(known.frame_of(model)),
        "image": {**image, **dated},
    }
