"""A case: one run with a name, and the reason it stops with."""

import difflib
import json
from collections.abc import Callable, Mapping

import attrs

from curriculum.agent.run_errors import RunError
from curriculum.agent.scenario import Scenario
from curriculum.agent.staged import Staged
from curriculum.context.budget import ContextBudget
from curriculum.record.errors import CurriculumError
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder

BY_TESTS = "pytest/"
"""How the ids of traces begin that tests record by themselves: no case declares them."""
Play = Callable[[Recorder], object]
"""A loop of one's own: it writes one run to the recorder that it is given."""


def _stop(reason: Stop | str) -> Stop:
    """The reason of this name. Raises `CurriculumError`."""
    try:
        return Stop(reason)
    except ValueError:
        near = difflib.get_close_matches(str(reason), list(Stop), 1, 0.0)
        raise CurriculumError(
            f"{reason!a} is no reason that a run can stop with.",
            *(f"nearest: {name}" for name in near),
            f"known: {', '.join(Stop)}",
            code="case-stop",
            next='Case("my-agent/reads", "reads one file", "completed", my_function)',
        ) from None


@attrs.frozen
class Case:
    """One run to pin: a scenario of our runner, or a function that records a loop of one's own.

    A case that fails on purpose declares the stop it fails with. Raises `CurriculumError` for a
    stop that there is not.
    """

    id: str
    title: str
    stops: Stop = attrs.field(converter=_stop)
    scenario: Scenario | Play

    @property
    def staged(self) -> Scenario | None:
        """The scenario of our runner, which can be run again under other limits; None if none."""
        return None if callable(self.scenario) else self.scenario

    def under(self, limits: Mapping[str, int]) -> Staged:
        """The scenario with limits changed. Raises `CaseFailed` for a loop of one's own."""
        if self.staged is None:
            why = "its limits stand in its own code"
            raise CaseFailed(f"{self.id} is a loop of one's own.", why, code="case-own-loop")
        known = self.staged.runner(Recorder()).budget.limits()
        budget = ContextBudget(**{**known, **limits})
        return Staged(self.staged.runner, self.staged.prompts).under(budget=budget)


class CaseFailed(CurriculumError):
    """The case raised, or stopped otherwise than it declares; `trace` is what it wrote, if any."""

    code = "case-failed"
    trace = ""


def to_record(id: str) -> str:
    """The command that records the trace of this id anew."""
    return "python -m pytest --golden-record" if id.startswith(BY_TESTS) else f"golden record {id}"


MISSING = (
    *("component-not-installed", "counter-unknown", "wire-unknown"),
    *("extra-missing", "tokenizer-degraded", "counter-needs-file"),
)
"""Codes of errors that say that something is not installed."""


def run_case(case: Case, scenario: Scenario | None = None) -> str:
    """The trace text of one run of the case. Raises `CaseFailed`.

    Another `scenario`, such as the case's under another budget, may stop as it likes.
    """
    trace, said = Recorder(), list[str]()
    played = scenario or case.scenario
    try:
        if callable(played):
            stop = _play(case, played, trace)
        else:
            runner = attrs.evolve(played.runner(trace), session_id=case.id)
            stop = runner.run(*played.prompts).stop
    except RunError as error:
        stop = error.stop
        said = [f"{error.headline} [{error.code}]"]
    except CaseFailed:
        raise
    except CurriculumError as error:
        from .raised import places

        code = "component-not-installed" if error.code in MISSING else "case-failed"
        why = f"{case.id} stopped short." if trace.seq else f"{case.id} could not start."
        told = (f"{error.headline} [{error.code}]", *error.evidence, *places(error, trace))
        raise CaseFailed(why, *told, code=code, next=error.next) from error
    except (Exception, SystemExit) as error:  # a case that leaves the program is this case's fault
        from .raised import places

        raised = f"{case.id} raised {type(error).__name__}: {error}"
        raise CaseFailed(raised, *places(error, trace)) from error
    if stop != case.stops and scenario is None:
        why = f"declared stop {case.stops}, got {stop}"
        failed = CaseFailed(f"{case.id} stopped otherwise than it declares.", why, *said)
        failed.trace = trace.text()
        raise failed
    return trace.text()


def _play(case: Case, play: Play, trace: Recorder) -> Stop:
    """Let a loop of one's own run, and return the stop that it wrote.

    One that raises after a stop that is no success has failed as it declares. An assertion is
    never meant so, nor anything that is raised after a run that was completed.
    """
    try:
        play(trace)
    except (Exception, SystemExit) as error:
        stopped = stop_of(trace) if trace.seqs("session.stop") else None
        meant = stopped == case.stops and stopped != Stop.COMPLETED
        if not meant or isinstance(error, AssertionError):
            raise
    if not trace.seq:
        raise CaseFailed(f"{case.id} wrote nothing: {GIVEN}", next=GIVE)
    if not trace.seqs("session.stop"):
        wrote = f"its last event is {trace.seq}"
        raise CaseFailed(f"{case.id} did not write how it stopped.", wrote, next=WITH)
    return stop_of(trace)


WITH = "end it with recording.stop(), or use `with Recording(trace, ...) as run:`"
"""What to do where a trace has no stop."""
GIVEN = "is the recorder given to Recording(...)?"
"""What to ask where a trace has nothing at all."""
GIVE = "give the recorder that the function gets to Recording(recorder, ...)"
"""What to do then."""


def stop_of(trace: Recorder) -> Stop:
    """The reason in the trace's last event, which must be its stop."""
    return Stop(json.loads(trace.text().splitlines()[-1])["data"]["reason"])
