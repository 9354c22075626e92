"""A plan for people: what the files take by each of the weights, and what to leave out."""

from curriculum.context.band import BORDERS, band_of
from curriculum.context.headroom import Plan, Step
from curriculum.context.roles import Role
from curriculum.context.weighing import Weights
from curriculum.count.heuristics import lines_of

from .bands import BANDS, band_bar, band_part, share
from .plan_data import Report, place
from .request import some
from .safe import many
from .screen import Part, Screen

ORDER = list(BANDS)
MANY = 40
"""Files that the rich look shows; of more, the first and the last."""
NO_BOUND = {
    "seed": ", and may be many times too low",
    "p95": ", and 1 file in 20 takes more",
}
"""What is known of weights that bound nothing."""
BAR = 60
"""Columns from which a bar of 40 cells stands on one line behind its label."""


def show_plan(screen: Screen, report: Report) -> None:
    """Print the report."""
    _room(screen, report)
    screen.head("Estimates")
    for weights, plan in report.plans:
        _estimate(screen, report, weights, plan)
    _apart(screen, report)
    _files(screen, report)
    for note in report.notes:
        screen.line(("bad", "  note "), note, indent=7)
    for weights, plan in report.plans:
        _list(screen, report, weights, plan)


def _room(screen: Screen, report: Report) -> None:
    room, model = report.room, f" of {report.model}" if report.model else ""
    screen.line(
        ("head", "available "),
        f"{room.available} tokens = window {room.capacity}{model} - committed {room.committed}",
        indent=10,
    )
    parts: list[Part] = []
    for band, _ in BORDERS:
        parts += [band_part(band), f" to {room.most(band)}, "]
    screen.line(("head", "bands     "), *parts, band_part("red"), " above", indent=10)


def _estimate(screen: Screen, report: Report, weights: Weights, plan: Plan) -> None:
    available = plan.room.available
    named = weights.id if weights.id == weights.name else f"{weights.name} ({weights.id})"
    if weights.family and ":" not in weights.id:
        named += f" of {weights.family}"
    taken = f", {share(plan.estimate, available)}  "
    mark, style = BANDS[plan.band]
    screen.line(
        (f"bold {style}", f"  {mark} {plan.band:<6} "),
        f"{named}: ",
        ("number", f"{plan.estimate}"),
        f" tokens{taken}",
        *(band_bar(plan.estimate, available) if screen.width >= BAR else ()),
        indent=11,
    )
    if plan.bound is None:
        said = f"{'':11}no bound: a {weights.kind}{NO_BOUND.get(weights.name, '')}"
        screen.line(("quiet", said), indent=11)
    else:
        said = f"{'':11}bound {plan.bound} ({weights.bound_name}), {share(plan.bound, available)}: "
        screen.line(("quiet", said), band_part(band_of(plan.bound, available)), indent=11)


def _apart(screen: Screen, report: Report) -> None:
    """How the weights differ from the first of them, and what is worse than that one says."""
    first, base = report.plans[0]
    for weights, plan in report.plans[1:]:
        hundredths = report.hundredths(plan)
        if hundredths is None:
            continue
        factor = f"{hundredths // 100}.{hundredths % 100:02}"
        said = f"{weights.name} has {factor} times the tokens of {first.name}"
        if ORDER.index(plan.band) > ORDER.index(base.band):
            bands = f": {base.band} by {first.name} is {plan.band} by {weights.name}"
            screen.line(("bad", "  worse    "), said, ("bad", bands), indent=11)
        else:
            screen.line(("quiet", "  factor   "), said, indent=11)


def _files(screen: Screen, report: Report) -> None:
    names = [weights.name for weights, _ in report.plans]
    counts = [lines_of(one.text) for one in report.artifacts]
    columns = [[plan.sizes[at].value for at in range(len(counts))] for _, plan in report.plans]
    widths = [
        max(len(str(value)) for value in (name, *column))
        for name, column in zip(("lines", *names), (counts, *columns), strict=True)
    ]
    heads = [f"{name:>{w}}" for name, w in zip(("lines", *names), widths, strict=True)]
    screen.head(f"Files: {len(counts)}")
    if not screen.plain:
        screen.line(("quiet", "  " + "  ".join([*heads, "file"])))
    indent = 4 + sum(widths) + 2 * len(names)
    first, hidden, last = some(
        list(enumerate(report.artifacts)), len(counts) if screen.plain else MANY
    )
    for at, one in [*first, *last]:
        if hidden and last and at == last[0][0]:
            screen.line(f"  ... {many(hidden, 'file')} not shown; --plain has them ...")
        row = [counts[at], *(column[at] for column in columns)]
        role = report.roles.get(one.path, Role())
        typed = f"{one.type} ({one.why})" if one.why else one.type
        if screen.plain:
            sizes = ", ".join(f"{n} {v}" for n, v in zip(names, row[1:], strict=True))
            said = f"{one.path}: {many(row[0], 'line')}, tokens {sizes}; {typed}; {_place(role)}"
            screen.line(f"  file {said}")
            continue
        numbers = "  ".join(f"{v:>{w}}" for v, w in zip(row, widths, strict=True))
        screen.line(f"  {numbers}  ", ("code", one.path), f"  {typed}", indent=indent)
        if place(role) != "free":
            style = "good" if role.kept else "quiet"
            screen.line(" " * indent, (style, _place(role)), indent=indent)


def _place(role: Role) -> str:
    if role.kept:
        return f"never left out: {role.kept} ({role.why})"
    words = {"free": "in no step", "stays": f"stays: {role.why}"}
    return words.get(place(role), f"step {role.step}: {role.why}")


def _list(screen: Screen, report: Report, weights: Weights, plan: Plan) -> None:
    screen.head(f"What to leave out, by {weights.name}")
    if not plan.steps:
        said = {"green": "go on", "yellow": "go on, with a warning"}[plan.band]
        over: list[Part] = []
        if plan.bound is not None:
            bound = band_of(plan.bound, plan.room.available)
            if ORDER.index(bound) > ORDER.index(plan.band):
                over = ["; its bound is ", band_part(bound)]
        screen.line("  nothing: ", band_part(plan.band), f", {said}", *over, indent=11)
        return
    for step in plan.steps:
        _step(screen, plan, step)
    kept = [one.path for one in report.artifacts if report.roles.get(one.path, Role()).kept]
    first, hidden, last = some(kept, len(kept) if screen.plain else MANY)
    told = [*first, *([f"... {hidden} more ..."] if hidden else []), *last]
    screen.line("  never    ", ", ".join(told) or "no file is kept by its role", indent=11)
    _verdict(screen, plan)


def _step(screen: Screen, plan: Plan, step: Step) -> None:
    spare = plan.enough is not None and step.number > plan.enough
    screen.line(
        ("quiet" if spare else "head", f"  step {step.number}   "),
        f"{step.name}: frees ",
        ("number", str(step.freed)),
        f", {step.left} stay, ",
        band_part(step.band),
        " (not needed)" if spare and step.files else "",
        indent=11,
    )
    freed = [f"{moved.tokens}: {moved.path} ({moved.why})" for moved in step.files]
    stays = [f"0: {why}" for why in step.why]
    for style, lines in (("", freed), ("quiet", stays)):
        first, hidden, last = some(lines, len(lines) if screen.plain else MANY)
        for line in first:
            screen.line((style, f"{'':11}{line}"), indent=13)
        if hidden:
            screen.line(f"{'':11}... {many(hidden, 'file')} not shown; --plain has them ...")
        for line in last:
            screen.line((style, f"{'':11}{line}"), indent=13)


def _verdict(screen: Screen, plan: Plan) -> None:
    if plan.enough is not None:
        step = plan.steps[plan.enough - 1]
        words = f"step {plan.enough}" if plan.enough == 1 else f"steps 1 to {plan.enough}"
        screen.line(("good", "  enough   "), f"after {words} the plan is {step.band}", indent=11)
        return
    border = "amber" if plan.split else "yellow"
    most = plan.room.most(border)
    over = f"{plan.left} stay, {plan.left - most} over the {most} that are {border} at most"
    if plan.split:
        screen.line(("bad", "  red      "), f"split the work: {over}", indent=11)
    else:
        screen.line(("bad", "  amber    "), f"no step is left: {over}", indent=11)
