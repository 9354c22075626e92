"""Wrong harnesses: each forgets something that a request carries. They are really run."""

import attrs

from curriculum import AgentRunner, ContextBudget, Kind, Recorder, Staged, Trace


def tools_are_free(staged: Staged) -> Staged:
    """Only the conversation counts: the tools have no part in the ceiling."""
    return _not_counting(staged, Kind.TOOLS)


def rules_are_free(staged: Staged) -> Staged:
    """The rules are the agent's own affair and have no part in the ceiling."""
    return _not_counting(staged, Kind.INSTRUCTION)


def only_the_new(staged: Staged) -> Staged:
    """The model remembers: after the first, a request carries only what is new."""

    def build(trace: Recorder) -> AgentRunner:
        runner = staged.runner(trace)
        forgetful = attrs.evolve(runner.policy, protect=(), current_request=False)
        budget = ContextBudget(**{**runner.budget.limits(), "max_messages": 2})
        return attrs.evolve(runner, policy=forgetful, budget=budget)

    return Staged(build, staged.prompts)


def _not_counting(staged: Staged, kind: Kind) -> Staged:
    """The same scenario with as much more room as the records of a kind take."""

    def build(trace: Recorder) -> AgentRunner:
        runner, log = staged.runner(trace), Recorder()
        wide = ContextBudget(max_input_chars=10**6)
        attrs.evolve(staged.runner(log), budget=wide).run(*staged.prompts)
        rows = Trace.parse(log.text()).manifest(1)
        free = sum(row.size for row in rows if row.record.kind is kind)
        limits = runner.budget.limits()
        limits["max_input_chars"] += free
        return attrs.evolve(runner, budget=ContextBudget(**limits))

    return Staged(build, staged.prompts)
