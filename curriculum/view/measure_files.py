"""A measured folder as files: a table in CSV, and a drawing in SVG that needs nothing else.

Both are the same bytes for the same folder: whole numbers, LF, no time and no name of a place.
"""

import csv
import io
from collections.abc import Iterator
from html import escape

from curriculum.count.measure import ESTIMATES, Group, Report

from .measure import GROUPINGS, LETTERS, groups_of, percent

# Okabe and Ito's palette, in the order of ESTIMATES; each has a letter beside it.
COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")
WIDTH, LEFT, BAR, ROW = 760, 150, 480, 18
"""Pixels: of the drawing, before a bar, of a bar that is 100 %, and from one bar to the next."""


def measured_csv(report: Report) -> str:
    """One row for each family and group. Shares are in permille, factors in percent."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    spreads = ("min", "median", "p99", "max"), ("min", "median", "p95", "max")
    heads = ["family", "by", "name", "files", "bytes", "tokens"]
    heads += [f"tokens_per_1000_bytes_{name}" for name in spreads[0]]
    heads += [f"tokens_per_10_lines_{name}" for name in spreads[1]]
    for name in ESTIMATES:
        heads += [f"{name}_too_low", f"{name}_too_low_permille", f"{name}_percent"]
    rows.writerow(heads)
    for family, by, group in _all(report):
        row = [family, by, group.name, group.files, group.bytes, group.tokens]
        row += [*group.ratio, *group.per_ten_lines]
        for one in group.against.values():
            row += [one.low, one.permille, one.median]
        rows.writerow(row)
    return out.getvalue()


def _all(report: Report) -> Iterator[tuple[str, str, Group]]:
    for family in report.families:
        for by in GROUPINGS:
            for group in groups_of(report, family, by):
                yield family, by, group


def measured_svg(report: Report) -> str:
    """For each family and content class, a bar for the share of files with too low an estimate."""
    drawn: list[str] = []
    y = 34
    for family in report.families:
        for group in report.by_class(family):
            drawn += _group(f"{family}, {group.name}", group, y)
            y += (len(ESTIMATES) + 2) * ROW
    title = "Share of files for which an estimate of tokens is too low"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" '
            f'viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="13" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>',
            f'<text x="10" y="20" font-weight="bold">{escape(title)}</text>',
            *drawn,
            "</svg>\n",
        ]
    )


def _group(title: str, group: Group, y: int) -> list[str]:
    files = f"{title} ({group.files} files)" if group.files != 1 else f"{title} (1 file)"
    lines = [f'<text x="10" y="{y + 14}" font-weight="bold">{escape(files)}</text>']
    for row, (name, colour) in enumerate(zip(ESTIMATES, COLOURS, strict=True), 1):
        top = y + row * ROW
        share = group.against[name].permille
        label = escape(f"{LETTERS[name]} {name}")
        wide = -(-share * BAR // 1000)
        lines += [
            f'<text x="10" y="{top + 14}">{label}</text>',
            f'<rect x="{LEFT}" y="{top + 3}" width="{wide}" height="13" fill="{colour}" '
            'stroke="#000000" stroke-width="1"/>',
            f'<text x="{LEFT + wide + 8}" y="{top + 14}">{LETTERS[name]} {percent(share)}</text>',
        ]
    return lines
