"""What a model thought: which blocks stand with their turn, and what no log takes for a thought."""

from typing import Any

import pytest

from curriculum.agent.output import Output
from curriculum.agent.own_loop import Recording
from curriculum.agent.run_errors import BadOutput
from curriculum.agent.thinking import Thinking
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.record.law import LawBroken
from curriculum.record.records import Kind, Native, Trust
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.wire.anthropic_messages import AnthropicMessages

from .provider_sessions import Log
from .strategies import THOUGHTS

OWN = Native("anthropic-messages", THOUGHTS["anthropic-messages"])


def reasons(log: Log) -> dict[str, str]:
    """The reason of each decision, by its first record."""
    made = assemble(log.session, 10**6, wire=AnthropicMessages("m"))
    return {entry.first: entry.reason for entry in made.manifest.decisions}


class TestThinkingStandsWithItsTurn:
    """A provider refuses a turn whose thinking is gone, so nothing that is not sent parts them."""

    @pytest.mark.parametrize("between", [Kind.THINKING, Kind.OPAQUE])
    def test_what_is_not_sent_parts_nothing(self, between: Kind) -> None:
        """Thinking without a block of the provider's own, or a line that is only kept."""
        log = Log()
        log.add(Kind.USER, "Go.")
        log.add(Kind.THINKING, "Hm.", Trust.ASSISTANT, native=OWN)
        log.add(between, "A summary.", Trust.ASSISTANT)
        log.turn("Done.")
        log.add(Kind.USER, "Thanks.")
        assert "unpaired-thinking" not in reasons(log).values()
        made = assemble(log.session, 10**6, wire=AnthropicMessages("m"))
        assert [Kind.USER, Kind.THINKING, Kind.ASSISTANT, Kind.USER] == [
            message.kind for message in made.messages
        ]

    def test_a_thought_without_a_block_stands_among_those_that_have_one(self) -> None:
        """plain@1 sends both, in the order of the log, and both with the turn."""
        log = Log()
        log.add(Kind.THINKING, "First.", Trust.ASSISTANT, native=OWN)
        log.add(Kind.THINKING, "Then.", Trust.ASSISTANT)
        log.turn("Done.")
        made = assemble(log.session, 10**6)
        assert made.request is not None
        assert b":thinking First.\n:thinking Then.\n<Done.\n" == made.request.body

    def test_what_is_sent_parts_them(self) -> None:
        """Words of the user stand between: that turn answers them, and nobody thought for it."""
        log = Log()
        log.add(Kind.THINKING, "Hm.", Trust.ASSISTANT, native=OWN)
        log.add(Kind.USER, "Go.")
        log.turn("Done.")
        assert "unpaired-thinking" == reasons(log)["r0001"]


class TestWhatIsNoThought:
    """It is refused before anything of the output is written."""

    def test_a_thought_of_other_types(self) -> None:
        wrong: Any = {"type": "thinking"}
        with pytest.raises(TypeError, match="text"):
            Thinking(wrong)
        with pytest.raises(TypeError, match="native"):
            Thinking("Hm.", wrong)

    @pytest.mark.parametrize("wrong", ["Hm.", None, OWN])
    def test_an_output(self, wrong: Any) -> None:
        with pytest.raises(BadOutput, match="something else than a Thinking"):
            Output("Done.", thinking=(Thinking("Hm."), wrong))

    @pytest.mark.parametrize("wrong", ["Hm.", None, OWN])
    def test_a_loop_of_ones_own_goes_on(self, wrong: Any) -> None:
        """The right answer may follow, and the log is as if there had been no other."""
        recorder = Recorder()
        with Recording(recorder, "mine@1", budget=ContextBudget(max_input_chars=9999)) as run:
            run.record("user", "Go.")
            run.assemble()
            run.request()
            with pytest.raises(LawBroken):
                run.response("Done.", thinking=[Thinking("Hm."), wrong])
            assert "r0002" == run.response("Done.").id
        assert [] == list(breaches(Trace.parse(recorder.text())))
