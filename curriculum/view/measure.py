"""A measured folder, for people: what a byte costs, and how often each estimate is too low."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from curriculum.count.calibration import Figure
from curriculum.count.measure import ESTIMATES, Group, Report
from curriculum.count.texts import SKIPS

from .safe import many
from .screen import PAD, Screen, fact

LETTERS = dict(zip(ESTIMATES, "ABCDEFG", strict=True))
"""The letter that stands for an estimate in tables and plots."""
GROUPINGS = ("class", "type")
NARROWEST = 66
"""Columns that a table needs; a screen with fewer has the facts one after the other."""


def groups_of(report: Report, family: str, by: str) -> list[Group]:
    """The groups of one family, by content class or by artifact type."""
    return report.by_class(family) if by == "class" else report.by_type(family)


def show_measured(screen: Screen, report: Report) -> None:
    """Print the tables of each family, then what the letters mean and what was skipped."""
    for family in report.families:
        for by in GROUPINGS:
            groups = groups_of(report, family, by)
            if _bare(screen):
                _facts(screen, family, by, groups)
            else:
                _tables(screen, family, by, groups)
        if not _bare(screen):
            _plot(screen, report.by_class(family)[-1], family)
    _legend(screen)
    show_skipped(screen, report)


def _bare(screen: Screen) -> bool:
    return screen.plain or screen.width < NARROWEST


def show_skipped(screen: Screen, report: Report) -> None:
    """Print how many files were measured, and how many were not, with the reason of each."""
    skipped = sum(report.skipped.values())
    found = len(report.files) + skipped
    screen.gap()
    screen.line(f"{found} found: {many(len(report.files), 'file')} measured, {skipped} skipped")
    for why, count in report.skipped.items():
        fact(screen, "skipped", f"{count} {SKIPS[why]}")


def percent(permille: int) -> str:
    """A share in percent, with one decimal."""
    return f"{permille // 10}.{permille % 10} %"


def _facts(screen: Screen, family: str, by: str, groups: Sequence[Group]) -> None:
    for group in groups:
        named = f"{family} {by} {group.name}:"
        files = f"files {group.files}, bytes {group.bytes}, tokens {group.tokens}"
        screen.line(f"{named} {files}", indent=2)
        least, median, p99, most = group.ratio
        spread = f"min {least}, median {median}, p99 {p99}, max {most}"
        screen.line(f"{named} tokens per 1,000 bytes: {spread}", indent=2)
        least, median, p95, most = map(_tenths, group.per_ten_lines)
        spread = f"min {least}, median {median}, p95 {p95}, max {most}"
        screen.line(f"{named} tokens per line: {spread}", indent=2)
        for name, against in group.against.items():
            low = f"too low in {against.low} of {group.files} ({percent(against.permille)})"
            times = f"median tokens/estimate {_times(against.median)}"
            screen.line(f"{named} {name}: {low}, {times}", indent=2)


def _tables(screen: Screen, family: str, by: str, groups: Sequence[Group]) -> None:
    screen.head(f"{family}: tokens per 1,000 bytes and per line, by {by}")
    median = "median" if _cell(screen) > len("median") else "med."
    _row(screen, by, ("files", "min", median, "p99", "max", "line", "p95", "max"), "quiet")
    for group in groups:
        lines = [_tenths(n) for n in group.per_ten_lines[1:]]
        _row(screen, group.name, [str(group.files), *map(str, group.ratio), *lines])
    screen.head(f"{family}: files in percent for which an estimate is too low, by {by}")
    _row(screen, by, list(LETTERS.values()), "quiet")
    for group in groups:
        _row(screen, group.name, [_tenths(one.permille) for one in group.against.values()])
    screen.head(f"{family}: tokens / estimate, median, by {by}")
    _row(screen, by, list(LETTERS.values()), "quiet")
    for group in groups:
        _row(screen, group.name, [_times(one.median) for one in group.against.values()])


def _row(screen: Screen, name: str, cells: Sequence[str], style: str = "") -> None:
    cell = _cell(screen)
    screen.line((style, f"  {name:<15}" + "".join(f"{one:>{cell}}" for one in cells)), indent=17)


def _cell(screen: Screen) -> int:
    return 7 if screen.width >= 76 else 6


def _tenths(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


def _times(percent: int) -> str:
    return f"{percent // 100}.{percent % 100:02}"


def _legend(screen: Screen) -> None:
    screen.gap()
    for name, meaning in ESTIMATES.items():
        letter = name if _bare(screen) else f"{LETTERS[name]} {name}"
        screen.line(("quiet", f"  {letter:<{PAD + 1}}"), meaning, indent=PAD + 3)


def _plot(screen: Screen, group: Group, family: str) -> None:
    screen.head(f"{family}: share of {many(group.files, 'file')} for which it is too low")
    shares = {f"{LETTERS[name]} {name}": one.permille for name, one in group.against.items()}
    try:
        lines = _drawn(shares, min(screen.width, 90))
    except ImportError:
        lines = bars(shares, min(screen.width, 90) - 26)
    for line in lines:
        screen.line(line.rstrip())


def bars(shares: Mapping[str, int], width: int) -> list[str]:
    """A bar of characters for each share in permille; any share above 0 has one at least."""
    width = max(10, width)
    cells = {name: max(share > 0, (share * width + 500) // 1000) for name, share in shares.items()}
    return [f"  {name:<13}{'#' * cells[name]} {percent(shares[name])}" for name in shares]


def _drawn(shares: Mapping[str, int], width: int) -> list[str]:
    """The same with plotext. Raises `ImportError` without it."""
    from importlib import import_module

    plot: Any = import_module("plotext")
    figure: Any = plot.figure
    figure.clear()
    figure.theme("colorless")
    names = list(shares)[::-1]
    values = [shares[name] / 10 for name in names]
    figure.draw(figure.bar(names, values, orientation="horizontal", width=0.4))
    figure.plot_size(width, len(names) + 3)  # a row for each bar: more are shared out unevenly
    figure.ruler(axis="x").lim(0, 100)
    figure.ruler(axis="x").ticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
    lines = str(plot.uncolorize(figure.build())).split("\n")
    return [line for line in lines if line.strip()]


def show_figures(screen: Screen, figures: Mapping[str, Mapping[str, Figure]]) -> None:
    """Print what was calibrated, and how it holds for the half of the files that was not used."""
    for family, by in figures.items():
        screen.head(f"{family}: calibrated, tokens per 1,000 bytes")
        for kind, one in by.items():
            made = f"median {one.median}, p99 {one.p99} from {many(one.files, 'file')}"
            covers = f"covers {percent(one.covered)} of them"
            others = f", and {percent(one.held)} of {one.others} others" if one.others else ""
            few = "" if one.sure else "; under 299 files, so p99 is the highest and not sure"
            screen.line(f"  {kind:<13}{made}; {covers}{others}{few}", indent=15)


def measured_data(
    report: Report, figures: Mapping[str, Mapping[str, Figure]], written: Sequence[str]
) -> dict[str, Any]:
    """The same as data: shares in permille, factors in percent."""
    return {
        "files": len(report.files),
        "skipped": dict(report.skipped),
        "families": {
            family: {
                f"by_{by}": [_data(one) for one in groups_of(report, family, by)]
                for by in GROUPINGS
            }
            for family in report.families
        },
        "calibrated": {
            family: {kind: attrs.asdict(one) for kind, one in by.items()}
            for family, by in figures.items()
        },
        "written": list(written),
    }


def _data(group: Group) -> dict[str, Any]:
    names = ("min", "median", "p99", "max"), ("min", "median", "p95", "max")
    return {
        "name": group.name,
        "files": group.files,
        "bytes": group.bytes,
        "tokens": group.tokens,
        "tokens_per_1000_bytes": dict(zip(names[0], group.ratio, strict=True)),
        "tokens_per_10_lines": dict(zip(names[1], group.per_ten_lines, strict=True)),
        "estimates": {
            name: {
                "too_low": one.low,
                "too_low_permille": one.permille,
                "tokens_per_estimate_percent": one.median,
            }
            for name, one in group.against.items()
        },
    }
