"""A blank end of a cut: a wire that can send none says in the trace what it says to the model."""

import json

from curriculum import (
    AgentRunner,
    AnthropicMessages,
    ContextBudget,
    Recorder,
    ScriptedModel,
    Tool,
    Trace,
    Turn,
    breaches,
    call,
)

BLANKS = " " * 300 + "x" * 120 + "\n" * 200


def test_the_decision_has_the_ends_that_are_sent() -> None:
    """Two blank ends: nothing of 620 characters is shown, and both say that 620 are missing."""
    trace = Recorder()
    AgentRunner(
        model=ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")]),
        tools=[Tool("read", lambda: BLANKS)],
        trace=trace,
        budget=ContextBudget(max_input_chars=900),
        wire=AnthropicMessages("m", 100),
    ).run("Read.")
    read = Trace.parse(trace.text())
    assert [] == list(breaches(read))
    cut = next(d for d in read.assemblies[1].data.decisions if d.decision == "cut")
    assert (0, 0, 620) == (cut.head, cut.tail, cut.missing)
    results = json.loads(read.request(2).text)["messages"][-1]["content"]
    assert ["[-620-]"] == [part["source"]["data"] for part in results[0]["content"]]
