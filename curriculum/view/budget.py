"""A budget as a stacked bar and a table whose rows add up to the window."""

from collections.abc import Sequence
from typing import Any

import attrs

from curriculum.count.token_budget import TokenBudget

from .bar import cells
from .screen import Part, Screen

LOOKS = {
    "directive_tokens": ("S", "D", "directive"),
    "messages_tokens": ("U", "M", "messages"),
    "schemas_tokens": ("T", "T", "tools"),
    "frame_tokens": ("-", "F", "frame"),
    "usable_budget": ("free", ".", "usable"),
    "safety_buffer": ("R", "~", "safety buffer"),
    "response_reserve": ("reserve", "/", "response reserve"),
}
"""Style, letter or hatch, and name of each part, in the order of the bar."""
HOW = {
    ("exact", "proven"): "by the model's own tokenizer",
    ("exact", "assumed"): "exactly, by the word of the client",
    ("calibrated", "p99"): "at the most that 99 of 100 files take",
    ("heuristic", "proven"): "at its most: no text takes more",
    ("heuristic", "assumed"): "at the most that was ever seen",
    ("", None): "by an estimate: it may take more",
}
"""What the sizes of the texts are, by the kind of the count and the name of its bound."""


def show_budget(screen: Screen, budget: TokenBudget, taken: Sequence[str]) -> None:
    """Print a budget: what was counted, the bar, the parts and their sum, what to know of it."""
    screen.head(f"Budget of {budget.model}: {budget.context_window} tokens")
    for line in taken:
        screen.line(("quiet", "  read       "), line, indent=13)
    bound = f"bound {budget.bound_name}" if budget.bound_name else "no bound"
    how = f"{budget.counter} ({budget.estimate_kind}, {bound})"
    screen.line(("quiet", "  counted by "), how, indent=13)
    says = HOW.get((budget.estimate_kind, budget.bound_name), HOW["", None])
    screen.line(("quiet", "  each text  "), says, indent=13)
    screen.gap()
    _bar(screen, budget)
    _table(screen, budget)
    screen.gap()
    screen.line(("quiet", "  buffer     "), budget.buffer_why, indent=13)
    for reason in budget.reasons:
        screen.line(
            ("quiet", "  result     "), reason.says, ("quiet", f" [{reason.code}]"), indent=13
        )
    for warning in budget.warnings:
        screen.line(("bad", "  warning    "), warning, indent=13)
    style, word = ("bad", "CONSTRAINED") if budget.is_constrained else ("good", "open")
    last = f"{budget.usable_budget} tokens are left"
    if budget.over_by:
        last = f"{budget.over_by} tokens too many: the request does not fit"
    screen.line((style, f"{word:<11}  "), last, indent=13)


def _bar(screen: Screen, budget: TokenBudget) -> None:
    sizes = dict(budget.parts())
    drawn = cells([(name, sizes[name]) for name in LOOKS], min(60, screen.width - 4))
    parts: list[Part] = [(LOOKS[name][0], LOOKS[name][1] * n) for name, n in drawn if n]
    screen.line("  [", *parts, "]")


def _table(screen: Screen, budget: TokenBudget) -> None:
    sizes = dict(budget.parts())
    total = sum(sizes.values())
    digits = len(str(total))
    for name, (style, mark, said) in LOOKS.items():
        permille = sizes[name] * 1000 // budget.context_window
        share = f"{permille // 10:>3}.{permille % 10} %"
        images = ""
        if name == "messages_tokens" and budget.images_tokens:
            images = f", of which images {budget.images_tokens}"
        screen.line(
            (style, f"  {mark} "),
            f"{said:<17} {sizes[name]:>{digits}}",
            ("quiet", f"  {share}{images}"),
            indent=6,
        )
    over = f" + {budget.over_by} too many" if budget.over_by else ""
    screen.line(
        f"  = {'sum':<17} {total:>{digits}}  window {budget.context_window}{over}", indent=6
    )


def budget_data(budget: TokenBudget, taken: Sequence[str]) -> dict[str, Any]:
    """The same as data, by the names of the budget's fields."""
    return {**attrs.asdict(budget), "read": list(taken)}
