"""What a user needs can be had from `curriculum` itself, and importing it does nothing."""

import subprocess
import sys
from importlib import import_module

import pytest

import curriculum


class TestNames:
    """One sorted list; each name is that of its room."""

    def test_the_list_is_sorted_and_whole(self) -> None:
        assert sorted(curriculum.__all__) == curriculum.__all__
        assert set(curriculum.__all__) == set(curriculum._ROOMS)  # pyright: ignore[reportPrivateUsage]

    @pytest.mark.parametrize("name", curriculum.__all__)
    def test_a_name_leads_to_what_its_room_has(self, name: str) -> None:
        room = curriculum._ROOMS[name]  # pyright: ignore[reportPrivateUsage]
        assert getattr(import_module(f"curriculum.{room}"), name) is getattr(curriculum, name)

    def test_what_a_run_and_its_history_are_made_of(self) -> None:
        """Records, calls, wires, the store's tool, the errors to catch, and a case to run."""
        needed = {"Answers", "Author", "Call", "Kind", "Record", "Trust", "Outcome", "Staged"}
        needed |= {"OpenAIChat", "Plain", "read_artifact", "BudgetError", "CurriculumError"}
        assert needed <= set(curriculum.__all__)

    def test_what_requests_of_a_provider_and_their_tokens_need(self) -> None:
        """Every wire, the counter of a model, what a window has left, pictures and thinking."""
        needed = {"AnthropicMessages", "Gemini", "OpenAIChat2", "OpenAIResponses", "wire_of"}
        needed |= {"BudgetCalculator", "Capabilities", "Counter", "Estimate", "TokenBudget"}
        needed |= {"counter_for_model", "counter_of", "Image", "picture", "Native", "Thinking"}
        assert needed <= set(curriculum.__all__)

    def test_they_are_what_an_interpreter_offers(self) -> None:
        """`dir(curriculum)` is the list, and asking for it loads nothing."""
        assert curriculum.__all__ == [name for name in dir(curriculum) if name[0] != "_"]
        code = (
            "import sys, curriculum; dir(curriculum); assert 'curriculum.record' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_an_unknown_name(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = curriculum.nothing  # type: ignore[attr-defined]

    def test_importing_loads_nothing_else(self) -> None:
        code = "import sys, curriculum; assert not [m for m in sys.modules if 'curriculum.' in m]"
        subprocess.run([sys.executable, "-c", code], check=True)
