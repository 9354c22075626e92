"""`curriculum run`: one case, and everything the model saw."""

from pathlib import Path

import click

from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget
from curriculum.context.unworkable import BudgetError
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import Case, run_case
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.view.run import show_run
from curriculum.view.screen import Screen

from .cases import desk
from .options import looks, print_json


@click.command()
@click.argument("id")
@click.option(
    "--budget",
    "changes",
    multiple=True,
    metavar="LIMIT=N",
    help="Change a limit, as max_tool_output_chars=120; several times or with commas.",
)
@click.option(
    "--policy", metavar="ID|FILE", help="Run it under another policy: an id, or a TOML file."
)
@click.option("-o", "--output", type=click.Path(), help="Write the trace to this new file.")
@looks
def run(
    id: str,
    changes: tuple[str, ...],
    policy: str | None,
    output: str | None,
    plain: bool,
    as_json: bool,
) -> None:
    """Run the case ID and show each request as it was sent, each decision, and the trace."""
    case = find(id)
    if changes or policy is not None:
        scenario, title = changed(case, changes)
        if policy is not None:
            scenario, title = _under(scenario, title if changes else "", policy)
        text = run_case(case, scenario)
    else:
        text, title = run_case(case), case.title
    trace = Trace.parse(text, id)
    if output is not None:
        write_new(output, text)
    if as_json:
        from curriculum.view.data import run_data

        print_json(run_data(trace))
        return
    screen = Screen(plain)
    show_run(screen, trace, title)
    if output is not None:
        screen.line(f"written: {output}", indent=9)
        screen.line("next: ", ("code", f"curriculum trace show {output}"), indent=6)
    else:
        screen.line(
            "next: ", ("code", f"curriculum run {id}" if changes or policy else _next(trace, id))
        )


def _under(scenario: Staged, title: str, policy: str) -> tuple[Staged, str]:
    """The scenario under another policy, and a title that says which."""
    from curriculum.agent.under_policy import under_policy
    from curriculum.context.policy_registry import policy_of

    found = policy_of(policy)
    was = scenario.runner(Recorder()).policy.id
    said = f"policy {was} -> {found.id}"
    return under_policy(scenario, found), f"{title}, {said}" if title else f"changed: {said}"


def show(id: str) -> None:
    """Print a run of the case `id`: what the demos of the lessons do."""
    case = find(id)
    trace = Trace.parse(run_case(case), id)
    screen = Screen(plain=False)
    show_run(screen, trace, case.title)
    screen.line("next: ", ("code", _next(trace, id)))


def _next(trace: Trace, id: str) -> str:
    """A ceiling that is enough, or a change worth a prediction; else the check of the run."""
    last = trace.assemblies[-1].data.refused if trace.assemblies else None
    if last is not None and last.limit == trace.start.ceiling:
        enough = trace.start.budget[last.limit] + last.needed - last.allowed
        return f"curriculum run {id} --budget {last.limit}={enough}"
    ceiling = trace.start.budget.get("max_tool_output_chars")
    if isinstance(ceiling, int) and ceiling >= 60 and any(trace.of("tool.truncate")):
        return f"curriculum run {id} --budget max_tool_output_chars={ceiling * 2 // 3}"
    return f"golden verify {id}"


def write_new(output: str, text: str) -> None:
    """Write a trace to a new file. Raises `CurriculumError` if there is one, or none can be."""
    try:
        with Path(output).open("x", encoding="ascii", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise CurriculumError(
            f"{output} exists; a trace is never written over another file.",
            code="trace-exists",
            next="choose another path",
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "that is no file name"
        raise CurriculumError(f"{output} cannot be written: {why}.", code="trace-write") from None


def find(id: str) -> Case:
    """The case with this id. Raises `CurriculumError` with the nearest one."""
    for cases in (desk().cases, all_cases()):
        if id in cases:
            return cases[id]
    import difflib

    near = difflib.get_close_matches(id, list(cases), 1, 0.0)
    raise CurriculumError(
        f"No case is called {id!r}.",
        *(f"nearest: {name}" for name in near),
        code="unknown-case",
        next="curriculum lessons",
    )


def changed(case: Case, changes: tuple[str, ...]) -> tuple[Staged, str]:
    """The case under other limits, and a title that says which. Raises `BudgetError`."""
    limits = limits_of(case, changes)
    was = case.under({}).runner(Recorder()).budget.limits()
    new = {name: value for name, value in {**was, **limits}.items() if was.get(name) != value}
    said = [f"{name} {was.get(name, 'not given')} -> {value}" for name, value in new.items()]
    return case.under(limits), f"changed: {', '.join(said) or 'nothing'}"


def limits_of(case: Case, changes: tuple[str, ...]) -> dict[str, int]:
    """The limits that `changes` give, by name. Raises `BudgetError`."""
    budget = case.under({}).runner(Recorder()).budget
    given = [change for some in changes for change in some.split(",")]
    return dict(_limit(case, budget, change) for change in given)


def _limit(case: Case, budget: ContextBudget, change: str) -> tuple[str, int]:
    name, _, value = change.strip().partition("=")
    example = f"curriculum run {case.id} --budget max_input_{budget.unit}={budget.max_input + 100}"
    known = _names(budget)
    if name.removesuffix(f"_{budget.unit}") in known:  # capacity_chars is capacity
        name = name.removesuffix(f"_{budget.unit}")
    if name not in known:
        import difflib

        near = difflib.get_close_matches(name, known, 1, 0.0)
        raise BudgetError(
            f"No limit is called {name!r}.",
            f"known: {', '.join(known)}",
            *(f"nearest: {limit}" for limit in near),
            code="budget-unknown-limit",
            next=example,
        )
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 13):
        raise BudgetError(
            f"{change!r} is no LIMIT=N with a whole number N of at most 12 digits.",
            code="budget-value",
            next=example,
        )
    return name, int(value)


def _names(budget: ContextBudget) -> list[str]:
    shared = ["output_reserve", "capacity", "max_tool_output_chars", "max_messages"]
    return [f"max_input_{budget.unit}", *shared]
