"""The models that are known, as a list and one by one."""

from typing import Any

import attrs

from curriculum.count.families import FAMILIES
from curriculum.count.image_rules import rule_of
from curriculum.count.models import Capabilities, Model

from .screen import Screen


def show_models(screen: Screen, known: Capabilities) -> None:
    """One line a model, then the families."""
    models = list(known.models.values())
    wide = max((len(model.id) for model in models), default=0)
    family = max((len(model.family) for model in models), default=0)
    screen.head(f"Models: {len(models)}, sizes in tokens")
    for model in models:
        screen.line(
            ("head", f"  {model.id:<{wide}}"),
            f"  window {model.window:>7}  output {model.max_output:>7}  {model.family:<{family}}",
            ("quiet", f"  {model.wire}  as of {model.as_of or 'not given'}"),
            indent=wide + 4,
        )
    screen.head("Families: how their text is bounded without a tokenizer")
    for one in FAMILIES.values():
        more = f" + {one.more} a text" if one.more else ""
        bound = f"{one.factor} x UTF-8 bytes{more} ({one.bound_name})"
        screen.line(("head", f"  {one.id:<{family}}"), f"  {one.title}: at most {bound}", indent=4)


def show_model(screen: Screen, known: Capabilities, model: Model) -> None:
    """Every field of one model, its frame and its image rule."""
    screen.head(f"Model {model.id}")
    for name, value in attrs.asdict(model).items():
        said = ", ".join(value) if isinstance(value, tuple) else str(value)  # pyright: ignore
        screen.line(("quiet", f"  {name:<14}"), said or "-", indent=16)
    frame = known.frame_of(model)
    screen.head(f"Frame {frame.id}: tokens beside the text")
    for name, value in attrs.asdict(frame).items():
        if value or isinstance(value, int):
            screen.line(("quiet", f"  {name:<14}"), str(value), indent=16)
    rule = rule_of(model.image)
    screen.head(f"Images by {rule.name}")
    facts = (("cost", rule.says), ("most", f"{rule.most} tokens an image"), ("as_of", rule.as_of))
    for name, said in (*facts, ("source", rule.source), ("warning", rule.warning)):
        if said:
            screen.line(("quiet", f"  {name:<14}"), said, indent=16)


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
