"""A case: one run with a name, and the reason it stops with."""

import attrs

from curriculum.agent.runner import RunError
from curriculum.agent.scenario import Scenario
from curriculum.record.errors import CurriculumError
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder


@attrs.frozen
class Case:
    """One run to pin. A case that fails on purpose declares the stop it fails with."""

    id: str
    title: str
    stops: Stop
    scenario: Scenario


class CaseFailed(CurriculumError):
    """The case raised, or stopped otherwise than it declares; `trace` is what it wrote, if any."""

    code = "case-failed"
    trace = ""


MISSING = ("component-not-installed", "counter-unknown", "wire-unknown")
"""Codes of errors that say that something is not installed."""


def run_case(case: Case, scenario: Scenario | None = None) -> str:
    """The trace text of one run of the case. Raises `CaseFailed`.

    Another `scenario`, such as the case's under another budget, may stop as it likes.
    """
    trace, said = Recorder(), list[str]()
    try:
        runner = (scenario or case.scenario).runner(trace)
        stop = attrs.evolve(runner, session_id=case.id).run(*case.scenario.prompts).stop
    except RunError as error:
        stop = error.stop
        said = [f"{error.headline} [{error.code}]"]
    except CurriculumError as error:
        code = "component-not-installed" if error.code in MISSING else "case-failed"
        why = f"{case.id} could not start."
        raise CaseFailed(why, *str(error).splitlines(), code=code, next=error.next) from error
    except Exception as error:
        raise CaseFailed(f"{case.id} raised {type(error).__name__}: {error}") from error
    if stop != case.stops and scenario is None:
        why = f"declared stop {case.stops}, got {stop}"
        failed = CaseFailed(f"{case.id} stopped otherwise than it declares.", why, *said)
        failed.trace = trace.text()
        raise failed
    return trace.text()
