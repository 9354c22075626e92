"""A loop may hand in the list of messages that it sends, whatever its provider calls that list."""

import json
from typing import Any

import pytest

from curriculum.agent.own_loop import Recording
from curriculum.context.budget import ContextBudget
from curriculum.record.law import LawBroken
from curriculum.trace.recorder import Recorder
from curriculum.wire.protocol import Wire

from .provider_sessions import PROVIDERS


@pytest.mark.parametrize("wire", PROVIDERS, ids=lambda wire: wire.id)
def test_the_list_of_each_provider(wire: Wire) -> None:
    """Its members are `messages`, `input` and `contents`; a word changed in it is found."""
    budget = ContextBudget(max_input_chars=9999)
    with Recording(Recorder(), "mine@1", budget=budget, wire=wire) as run:
        run.record("user", "Go.")
        made = run.assemble()
        assert made.request is not None
        body: dict[str, Any] = json.loads(made.request.body)
        (member,) = body.keys() & {"messages", "input", "contents"}
        other = json.loads(json.dumps(body[member]).replace("Go.", "Stop."))
        with pytest.raises(LawBroken, match=rf"at {member}\[0\]"):
            run.request(other)
        run.request(body[member])
        run.response("Done.")
