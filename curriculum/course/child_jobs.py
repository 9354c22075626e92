"""What the child process can be asked to do with a learner's file. Each job returns JSON."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from curriculum.agent.run_errors import RunError
from curriculum.agent.runner import AgentRunner
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

Job = Mapping[str, Any]


class NotAsAsked(Exception):
    """The learner's code is there and is not what the exercise asks for: a key and its values."""

    def __init__(self, finding: str, **params: int | str) -> None:
        self.finding, self.params = finding, params
        super().__init__(finding)


def load(job: Job) -> ModuleType:
    """The learner's module. Raises whatever its code raises."""
    path = Path(job["work"], job["file"])
    if b"\0" in path.read_bytes():
        raise NotAsAsked("child.not-text", file=job["file"])
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def function(module: ModuleType, job: Job) -> Callable[..., Any]:
    """The function that the exercise asks for, by its name."""
    found = getattr(module, job["entry"], None)
    if not callable(found):
        raise NotAsAsked("child.no-name", file=job["file"], name=job["entry"])
    return found


def at(out: Path, number: int) -> None:
    """Leave word of how far the job is, for the case that it goes no further."""
    (out / "at").write_text(str(number), encoding="ascii")


def modify(job: Job, out: Path) -> dict[str, Any]:
    """Run the learner's harness and write its trace.

    The function builds a runner, or records a whole run of a loop of its own.
    """
    module = load(job)
    recorder = Recorder()
    made = function(module, job)(recorder)
    if isinstance(made, AgentRunner):
        if made.trace is not recorder:
            raise NotAsAsked("child.other-recorder", file=job["file"], name=job["entry"])
        asked = prompts(module, job)
        with suppress(RunError):  # the trace says how it stopped
            made.run(*asked)
    elif not recorder.seqs("session.stop"):
        raise NotAsAsked(
            "child.no-runner", file=job["file"], name=job["entry"], type=type(made).__name__
        )
    (out / "trace.jsonl").write_text(recorder.text(), encoding="ascii", newline="\n")
    return {"events": recorder.seq}


def prompts(module: ModuleType, job: Job) -> tuple[str, ...]:
    """What the user asks in the learner's run: PROMPTS of the module."""
    given: Any = getattr(module, "PROMPTS", ())
    found = (given,) if isinstance(given, str) else given
    if not isinstance(found, (tuple, list)) or not found:
        raise NotAsAsked("child.no-prompts", file=job["file"])
    if not all(isinstance(one, str) for one in cast(Sequence[Any], found)):
        raise NotAsAsked("child.no-prompts", file=job["file"])
    return tuple(cast(Sequence[str], found))


def assertion(job: Job, out: Path) -> list[bool]:
    """Ask the learner's function of each trace: whether it holds. An AssertionError says no."""
    module = load(job)
    holds = function(module, job)
    said: list[bool] = []
    for number, name in enumerate(job["traces"]):
        at(out, number)
        trace = Trace.read(out / name)
        try:
            answer: Any = holds(trace)
        except AssertionError:
            answer = False
        if answer is not None and not isinstance(answer, bool):
            raise NotAsAsked("assertion.no-bool", name=job["entry"], type=type(answer).__name__)
        said.append(answer is not False)
    return said


def make(job: Job, out: Path) -> list[Any]:
    """Put each scenario to the learner's module, through the `ask` of the exercise's judge."""
    module = load(job)
    if job["entry"]:
        function(module, job)
    judge = import_module(job["judge"])
    answers: list[Any] = []
    for number, way in enumerate(job["ways"]):
        at(out, number)
        answer = judge.ask(module, scenario(judge, way))
        try:
            json.dumps(answer)
        except (TypeError, ValueError, RecursionError):
            raise NotAsAsked("make.no-json", type=type(answer).__name__) from None
        answers.append(answer)
    return answers


def scenario(judge: Any, way: Sequence[int]) -> Any:
    """The scenario with the first number of `way`, made smaller by each of the others."""
    found: Any = judge.SCENARIOS[way[0]]
    for number in way[1:]:
        smaller: Iterable[Any] = judge.smaller(found)
        found = list(smaller)[number]
    return found


def hello(job: Job, out: Path) -> str:
    """Nothing of a learner's: whether a child can be started at all."""
    return "hello"


JOBS: dict[str, Callable[[Job, Path], Any]] = {
    "modify": modify,
    "assertion": assertion,
    "make": make,
    "hello": hello,
}
"""The jobs by the word that asks for them."""
