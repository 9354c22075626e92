"""What a rule asks of a record, in words."""

from collections.abc import Sequence

from .pooling import Rule


def conditions(rule: Rule) -> str:
    """All that must hold: `kind is plan, and more than 2 turns old`."""
    listed = (
        ("kind", rule.kind),
        ("author", rule.author),
        ("trust", rule.trust),
        ("tool", rule.tool),
        ("a tag", rule.tag),
    )
    said = [f"{name} is {_either(words)}" for name, words in listed if words]
    if rule.older_than is not None:
        said.append(f"more than {rule.older_than} {_turns(rule.older_than)} old")
    if rule.active is not None:
        said.append(
            "no later record overrules it" if rule.active else "a later record overrules it"
        )
    return ", and ".join(said) or "any record"


def title(number: int, rule: Rule) -> str:
    """A rule by its number in the file, and by its name if it has one."""
    return f"rule {number} ({rule.name})" if rule.name else f"rule {number}"


def _turns(number: int) -> str:
    return "turn" if number == 1 else "turns"


def _either(words: Sequence[str]) -> str:
    return " or ".join(words)
