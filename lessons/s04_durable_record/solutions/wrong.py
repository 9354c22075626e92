"""Three wrong harnesses: each keeps a log that is not what happened."""

from collections.abc import Callable, Sequence

import attrs

from curriculum.agent.runner import AgentRunner
from curriculum.agent.staged import Staged
from curriculum.context.assemble import assemble
from curriculum.record.records import Kind, Record
from curriculum.trace.recorder import Recorder

Keeps = Callable[[AgentRunner, Sequence[Record]], Sequence[Record]]
YESTERDAY = 300
"""The ceiling of day one, in characters."""


def _kept(staged: Staged, keeps: Keeps) -> Staged:
    """The scenario, begun from the log that such a harness has kept."""

    def build(trace: Recorder) -> AgentRunner:
        runner = staged.runner(trace)
        return attrs.evolve(runner, history=tuple(keeps(runner, runner.history)))

    return Staged(build, staged.prompts)


def replaced_in_place(staged: Staged) -> Staged:
    """Clears old results in the log itself to save room, then saves the "full transcript"."""

    def keeps(_: AgentRunner, log: Sequence[Record]) -> Sequence[Record]:
        return [
            attrs.evolve(r, text="[cleared]", cut=None) if r.kind is Kind.RESULT else r for r in log
        ]

    return _kept(staged, keeps)


def only_what_was_sent(staged: Staged) -> Staged:
    """Takes the last request for the log: what was left out of it is forgotten."""

    def keeps(_: AgentRunner, log: Sequence[Record]) -> Sequence[Record]:
        last = max(at for at, record in enumerate(log) if record.kind is Kind.ASSISTANT)
        made = assemble(list(log[:last]), YESTERDAY)
        sent = {message.record for message in made.messages}
        return [record for at, record in enumerate(log) if record.id in sent or at >= last]

    return _kept(staged, keeps)


def setting_edited(staged: Staged) -> Staged:
    """Writes a changed setting over the old one."""

    def keeps(runner: AgentRunner, log: Sequence[Record]) -> Sequence[Record]:
        says = runner.system_prompt
        return [attrs.evolve(r, text=says) if r.kind is Kind.INSTRUCTION else r for r in log]

    return _kept(staged, keeps)
