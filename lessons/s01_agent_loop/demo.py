"""One loop, and the ways in which the last output of a model can end."""

from curriculum.agent.output import Output
from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.record.repeats import Repeats
from curriculum.trace.recorder import Recorder

TOOLS = (Tool("run_tests", lambda: "1 failed: add"), Tool("read_code", lambda: "add = sub"))
RUN = Turn(calls=(call("run_tests"),))
READ = Turn("One test fails.", calls=(call("read_code"),))


def loop(*turns: Turn, **more: object) -> Staged:
    def runner(trace: Recorder) -> AgentRunner:
        asked = {"model": ScriptedModel(turns), "max_turns": 8, **more}
        wide = ContextBudget(max_input_chars=2000)
        return AgentRunner(tools=TOOLS, trace=trace, budget=wide, **asked)

    return Staged(runner, ("Why does it fail?",))


class Stranger:
    """A model whose outputs end with a word that the loop does not know."""

    def respond(self, request: object) -> Output:
        return Output("It adds with sub.", finish="stop")


ENDS = {
    "": Turn("It adds with sub."),
    "/cut": Turn("It adds wi", finish="output-limit"),
    "/window-full": Turn("It adds wi", finish="window-full"),
    "/refused": Turn("I will not say.", finish="refused"),
    "/paused": Turn("Still reading.", finish="paused"),
    "/half-call": Turn("I mend it.", finish="output-limit", half_call='{"name":"run_te'),
}
SCENARIOS = {f"s01-agent-loop{end}": loop(RUN, READ, last) for end, last in ENDS.items()}
SCENARIOS["s01-agent-loop/unknown-end"] = loop(model=Stranger())
SCENARIOS["s01-agent-loop/stuck"] = loop(RUN, RUN, RUN, RUN, max_turns=3)
SCENARIOS["s01-agent-loop/repeated"] = loop(*[RUN] * 5, repeats=Repeats(same_result=4))
