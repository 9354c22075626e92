"""Rules at the log's door that never show, because another one is always tighter.

Of two limits in a row only the tighter shows, whichever comes first. A rule that keeps less than
what it lets through, or not the same of both ends, may show even so, and is never named.
"""

from collections.abc import Iterator, Mapping

from curriculum.record.truncation import Truncation
from curriculum.record.truncation_chain import dead

from .dead_rules import Found
from .pooling import Ingest, Pooling


def dead_ingest(pooling: Pooling, limits: Mapping[str, int]) -> Iterator[Found]:
    """The rules that never show: behind an earlier one, or before the tool ceiling."""
    ceiling = limits.get("max_tool_output_chars")
    for number, one in enumerate(pooling.ingest, 1):
        for other, name in _others(pooling, number, ceiling):
            found = dead([other, one.rule]).get(1)
            if found is not None:
                yield ("ingest", number), f"{name} always binds: {found}"
                break


def _others(pooling: Pooling, number: int, ceiling: int | None) -> Iterator[tuple[Truncation, str]]:
    """The rules in whose row the rule `number` stands, each with its name.

    Behind it only those count beside which it cannot show by what it keeps.
    """
    one = pooling.ingest[number - 1]
    for at, other in enumerate(pooling.ingest, 1):
        behind = at > number and (other.rule == one.rule or not _plain(one.rule))
        if at != number and _covers(other, one) and not behind:
            yield other.rule, f"ingest {at}"
    if ceiling is not None and _plain(one.rule):
        yield Truncation("chars", ceiling, marker="inside"), f"the tool ceiling {ceiling}"


def _covers(other: Ingest, one: Ingest) -> bool:
    """Whether a rule applies to every tool that another applies to."""
    return not other.tool or (bool(one.tool) and set(one.tool) <= set(other.tool))


def _plain(rule: Truncation) -> bool:
    """Whether a rule keeps all that it lets through, half at each end, as the ceiling does."""
    return rule.keep == rule.most and rule.head == rule.tail and rule.keep_lines == rule.lines
