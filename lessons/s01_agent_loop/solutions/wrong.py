"""Three wrong loops: each stands for a picture that learners have of how an output ends."""

from collections.abc import Callable

import attrs

from curriculum.agent.output import Output
from curriculum.agent.scripted import call
from curriculum.agent.staged import Staged
from curriculum.trace.recorder import Recorder

NO_END = ("done", "tool-calls")


class Heard:
    """A model whose outputs reach the loop through a wrong ear."""

    def __init__(self, model: object, ear: "Callable[[Output], Output]") -> None:
        self.model, self.ear = model, ear

    def respond(self, request: object) -> Output:
        return self.ear(self.model.respond(request))


def _through(staged: Staged, ear: "Callable[[Output], Output]") -> Staged:
    def build(trace: Recorder):
        runner = staged.runner(trace)
        return attrs.evolve(runner, model=Heard(runner.model, ear))

    return Staged(build, staged.prompts)


def no_call_is_done(staged: Staged) -> Staged:
    """Takes every output without a call for done."""

    def ear(output: Output) -> Output:
        return output if output.calls else attrs.evolve(output, finish="done")

    return _through(staged, ear)


def cut_text_is_dropped(staged: Staged) -> Staged:
    """Throws away what an output said that did not come to its end."""

    def ear(output: Output) -> Output:
        early = output.finish not in NO_END
        return attrs.evolve(output, text="", deltas=()) if early else output

    return _through(staged, ear)


def asks_again(staged: Staged) -> Staged:
    """Goes on after an output that did not come to its end: it runs the tests once more."""
    went_on: list[bool] = []

    def ear(output: Output) -> Output:
        if output.finish in NO_END:
            return output
        went_on.append(True)
        return Output(output.text, (call("run_tests"),))

    class GoesOn(Heard):
        def respond(self, request: object) -> Output:
            return Output("Done.") if went_on else super().respond(request)

    def build(trace: Recorder):
        went_on.clear()
        runner = staged.runner(trace)
        return attrs.evolve(runner, model=GoesOn(runner.model, ear))

    return Staged(build, staged.prompts)
