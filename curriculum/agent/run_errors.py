"""The errors that end a run, each with the reason that the trace gives for its stop."""

from curriculum.record.errors import CurriculumError
from curriculum.record.text import scalar
from curriculum.trace.events import Stop


class RunError(CurriculumError):
    """An error that ends a run; `stop` is the reason the trace gives, `params` its numbers."""

    code = "run"
    stop = Stop.ERROR

    def __init__(self, headline: str, *evidence: str, next: str = "", **params: object) -> None:
        super().__init__(headline, *evidence, next=next)
        self.params = {
            name: value if type(value) is int and abs(value) < 10**15 else scalar(str(value))
            for name, value in params.items()
        }


class BadOutput(RunError):
    """The model's output contradicts itself, or ended in a way that has no name here."""

    code = "bad-output"


class ScriptExhausted(RunError):
    """The harness asked for a turn that the script does not have."""

    code = "script-exhausted"
    stop = Stop.SCRIPT_EXHAUSTED


class ScriptNotFinished(RunError):
    """The run completed although the script has turns left."""

    code = "script-not-finished"
    stop = Stop.SCRIPT_NOT_FINISHED


class ExpectationFailed(RunError):
    """A request was not what the script expected of it."""

    code = "expectation-failed"
    stop = Stop.EXPECTATION_FAILED
