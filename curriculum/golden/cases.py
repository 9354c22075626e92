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
    """The case raised, or stopped otherwise than it declares."""

    code = "case-failed"


def run_case(case: Case, scenario: Scenario | None = None) -> str:
    """The trace text of one run of the case. Raises `CaseFailed`."""
    trace = Recorder()
    stop = None
    try:
        runner = (scenario or case.scenario).runner(trace)
        stop = attrs.evolve(runner, session_id=case.id).run(*case.scenario.prompts).stop
    except RunError as error:
        stop = error.stop
        headline = f"{error.headline} [{error.code}]"
    except CurriculumError as error:
        missing = ("component-not-installed", "counter-unknown", "wire-unknown")
        code = "component-not-installed" if error.code in missing else "case-failed"
        why = f"{case.id} could not start."
        raise CaseFailed(why, *str(error).splitlines(), code=code, next=error.next) from error
    except Exception as error:
        raise CaseFailed(f"{case.id} raised {type(error).__name__}: {error}") from error
    else:
        headline = ""
    if stop != case.stops and scenario is None:
        why = f"declared stop {case.stops}, got {stop}"
        raise CaseFailed(f"{case.id} stopped otherwise than it declares.", why, *[headline][:1])
    return trace.text()
