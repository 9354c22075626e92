"""A run that goes on from a place in another: a branch, which copies no record of its parent."""

from itertools import count
from typing import TYPE_CHECKING

from curriculum.record.cut import CUTTER
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Author, Kind
from curriculum.record.session import Session
from curriculum.record.text import UNICODE, scalar
from curriculum.trace.branch_events import SessionBranch
from curriculum.trace.branch_laws import whole_at
from curriculum.trace.continuing import branch_off
from curriculum.trace.reader import Trace
from curriculum.trace.standing import Standing, standing

from .runner import REGISTRY, START, SYSTEM, AgentRunner, Outcome, Run

if TYPE_CHECKING:
    from collections.abc import Mapping


def branch(
    runner: AgentRunner, parent: Trace, at: int, prompt: str, *more: str, session: str = ""
) -> Outcome:
    """Go on from `parent` as it stood after its event `at`, with other prompts.

    The runner's recorder must be empty: its trace will hold what `parent` holds, and then the
    branch, which is named `session` (by default `branch-1`, and so on). Calls that are open at
    the place get a result that says that they were interrupted; other tools or another system
    text than the log has are new records. The limits and components are those of the parent, and
    so `max_turns` counts its requests up to the place as well. Raises `CurriculumError` for other
    ones (`branch-terms`), for a place between two events that belong together (`branch-place`),
    and for a name that is taken (`branch-name`).
    """
    if not all(isinstance(text, str) for text in (prompt, *more)):  # pyright: ignore
        raise TypeError("branch takes each prompt by itself, as text")
    run = runner.begin()
    _check_terms(run, parent)
    _check_place(parent, at)
    there = standing(parent, at)
    resume(run, parent, there, _name(parent, scalar(session)))

    def begin() -> None:
        data = SessionBranch(run.session.id, parent.session_name, at, len(there.records))
        branch_off(runner.trace, parent, data)
        from .endings import written

        written(run)  # calls that were open at the place
        _offer(run)

    return run.drive((prompt, *more), begin)


def resume(run: Run, parent: Trace, there: Standing, session: str) -> None:
    """Give a run that nothing was written of all that another had."""
    from .pooled_run import PooledRun

    run.session = Session(session)
    run.session.records = list(there.records)
    run.session.open = [one.answers for one in there.pending]
    run.history = list(there.records[: parent.start.history])
    run.turn = there.turn
    if isinstance(run, PooledRun):
        run.mode, run.trying = there.mode, run.trying and there.trying


def _name(parent: Trace, wanted: str) -> str:
    """The name of the branch: as it is wanted, or the first one that is free."""
    if wanted in parent.names:
        raise CurriculumError(
            f"{parent.name} has a session named {wanted!a}.",
            f"it has {', '.join(map(ascii, parent.names))}",
            code="branch-name",
            next="give the branch a name of its own, or none",
        )
    free = (f"branch-{number}" for number in count(1))
    return wanted or next(name for name in free if name not in parent.names)


def _offer(run: Run) -> None:
    """The tools and the system text of this runner, where the log does not say them last."""
    runner, log = run.runner, run.session.records
    offered = [record.tools for record in log if record.kind is Kind.TOOLS][-1:]
    if (specs := runner.tools.specs) and offered != [specs]:
        run.append(START, Kind.TOOLS, author=Author.HARNESS, tools=specs, **REGISTRY)
    same = [record for record in log if record.source == SYSTEM["source"]]
    told = [record.text for record in same if record.kind is Kind.INSTRUCTION][-1:]
    if (text := scalar(runner.system_prompt)) and told != [text]:
        run.append(START, Kind.INSTRUCTION, text, author=Author.HARNESS, **SYSTEM)


def _check_terms(run: Run, parent: Trace) -> None:
    """A branch has no limits and components of its own: the start that it shares names them."""
    runner, start = run.runner, parent.start
    if runner.history or runner.trace.seq:
        what = "a history" if runner.history else "a recorder that holds a run"
        raise CurriculumError(
            f"A branch takes no runner with {what}.",
            "its log begins with that of its parent, its trace with that of its parent",
            code="branch-terms",
            next="give the runner a Recorder of its own, and no history",
        )
    named = {"policy": runner.policy.id, "wire": runner.wire.id, "cutter": CUTTER}
    named |= {"counter": run.index.counter.id, "unicode": UNICODE, **run.also}
    ours: Mapping[str, object] = {**runner.budget.limits(), **named, "max_turns": runner.max_turns}
    theirs = {**start.budget, **start.components, "max_turns": start.max_turns}
    said = [
        f"{name}: the parent has {theirs.get(name, 'none')}, the runner {ours.get(name, 'none')}"
        for name in sorted(ours.keys() | theirs.keys())
        if ours.get(name) != theirs.get(name)
    ]
    if said or not parent.minor:
        raise CurriculumError(
            "A branch has the limits and components of its parent.",
            *(said or ["the parent is of format 1.0, whose requests have no band"]),
            code="branch-terms",
            next="give those, or the parent's records as the history of a run of its own",
        )


def _check_place(parent: Trace, at: int) -> None:
    standing(parent, at)  # it raises if there is no such event
    if whole_at(parent, at):
        return
    events = range(1, len(parent.events) + 1)
    near = sorted((place for place in events if whole_at(parent, place)), key=lambda n: abs(n - at))
    raise CurriculumError(
        f"No branch can begin after event {at}, a {parent.events[at - 1].type}.",
        "it begins behind the start and an earlier log, or behind any later record",
        f"nearest: {', '.join(map(str, sorted(near[:2])))}",
        code="branch-place",
        next=f"curriculum trace show {parent.name}",
    )
