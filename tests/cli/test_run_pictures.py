"""A picture whose price nobody knows is charged with the most, and the run says so."""

from pathlib import Path

from curriculum import AgentRunner, ContextBudget, Image, Record, Recorder, ScriptedModel, Turn
from curriculum.count.for_model import counter_for_model
from curriculum.wire.gemini import Gemini

from .command import curriculum

PICTURE = Record(
    "r0001", "image", "user", "person", "prompt", "iVBORw0KGgo=", image=Image("image/png", 9, 9)
)
WARNING = "  warning  no rule for images is published; each is taken for 48169 tokens"


def shown(path: Path, model: str | None) -> list[str]:
    with Recorder(path) as trace:
        AgentRunner(
            model=ScriptedModel([Turn("A cat.")]),
            tools=(),
            trace=trace,
            budget=ContextBudget(max_input_tokens=60_000),
            wire=Gemini(),
            counter=counter_for_model(model) if model else None,
            history=[PICTURE],
        ).run("What is it?")
    done = curriculum("trace", "show", str(path), "--plain")
    assert done.code == 0
    return done.out.splitlines()


def test_without_a_rule_it_is_said(tmp_path: Path) -> None:
    """48,169 tokens: the most that any published rule asks for one picture."""
    lines = shown(tmp_path / "a.jsonl", None)
    assert 1 == sum(line.startswith(WARNING) for line in lines)


def test_with_a_models_rule_there_is_no_warning(tmp_path: Path) -> None:
    """Gemini: 258 for up to 384 pixels a side; framing of 45 and 2 bytes, and 1 for each piece."""
    lines = shown(tmp_path / "b.jsonl", "gemini-2.5-pro")
    assert not any("warning" in line for line in lines)
    line = next(line for line in lines if " M r0001 " in line and '"inlineData"' in line)
    assert 258 + 45 + 1 + 2 + 1 == int(line.split()[0])
