"""`curriculum run`: one case, and everything the model saw."""

from pathlib import Path
from typing import Any

import click

from curriculum.agent.scenario import Staged
from curriculum.context.budget import BudgetError, ContextBudget
from curriculum.course.lessons import all_cases
from curriculum.golden.cases import Case, run_case
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.view.run import show_run
from curriculum.view.screen import Screen

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
@click.option("-o", "--output", type=click.Path(), help="Write the trace to this new file.")
@looks
def run(id: str, changes: tuple[str, ...], output: str | None, plain: bool, as_json: bool) -> None:
    """Run the case ID and show each request as it was sent, each decision, and the trace."""
    case = find(id)
    text = run_case(case, _changed(case, changes)) if changes else run_case(case)
    trace = Trace.parse(text, id)
    if output is not None:
        try:
            with Path(output).open("x", encoding="ascii", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise CurriculumError(
                f"{output} cannot be written: {error.strerror}.",
                "a trace is never written over another file",
                code="trace-exists",
                next="choose another path",
            ) from None
    if as_json:
        from curriculum.view.data import run_data

        print_json(run_data(trace))
        return
    show(id, Screen(plain), trace, case)


def show(
    id: str, screen: Screen | None = None, trace: Trace | None = None, case: Case | None = None
) -> None:
    """Print a run of the case `id`: what the demos of the lessons do."""
    case = case or find(id)
    trace = trace or Trace.parse(run_case(case), id)
    screen = screen or Screen(plain=False)
    show_run(screen, trace, case.title)
    screen.line("next: ", ("code", f"golden verify {id}"))


def find(id: str) -> Case:
    """The case with this id. Raises `CurriculumError` with the nearest one."""
    cases = all_cases()
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


def _changed(case: Case, changes: tuple[str, ...]) -> Staged:
    scenario = case.scenario
    runner = scenario.runner(Recorder())
    limits: dict[str, int | str] = runner.budget.limits()
    unit = str(limits["unit"])
    for change in ",".join(changes).split(","):
        name, _, value = change.partition("=")
        name = {f"max_input_{unit}": "max_input"}.get(name, name)
        if name not in (known := [*_names(runner.budget)]):
            raise BudgetError(
                f"No limit is called {name!r}.",
                f"known: {', '.join(known)}",
                code="budget-unknown-limit",
                next=f"curriculum run {case.id} --budget max_input=400",
            )
        if not value.removeprefix("-").isdecimal():
            raise BudgetError(
                f"{change!r} is no LIMIT=N with a whole number N.", code="budget-value"
            )
        limits[name] = int(value)
    return Staged(scenario.runner, scenario.prompts).under(budget=ContextBudget.of(limits))


def _names(budget: ContextBudget) -> Any:
    import attrs

    return [field.name for field in attrs.fields(type(budget)) if field.name != "unit"]
