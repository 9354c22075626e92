"""What providers counted of whole requests, against what is said of them here.

The logs are real requests with tools, and the provider's own count of the prompt. They lie outside
the project: in `../shared/transcripts`, or in the folder that CURRICULUM_TRANSCRIPTS names. Without
them these tests are skipped, which is printed.
"""

import json
import os
from pathlib import Path
from typing import Any

import attrs
import pytest

from curriculum.count.counter import Counter
from curriculum.count.exact import Exact
from curriculum.count.registry import counter_of
from curriculum.count.request_parts import parts_of
from curriculum.count.token_budget import BudgetCalculator

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "transcripts"
FOLDER = Path(os.environ.get("CURRICULUM_TRANSCRIPTS") or BESIDE) / "openhands" / "llm-logs"
FILES = sorted(FOLDER.glob("*.json"))
MODELS = {"claude-sonnet-4-": "claude-opus-4-1", "deepseek-chat": "DeepSeek-V3-0324"}
"""A model with the frame, the hidden prompt and the tokenizer of the one that was asked."""


@attrs.frozen
class Log:
    """One request: what was sent, and what the provider counted."""

    name: str
    model: str
    family: str
    messages: list[Any]
    tools: list[Any]
    usage: dict[str, Any]
    before: list[Any]
    """The messages before the client rewrote them, where it did."""

    @property
    def counted(self) -> int:
        """Tokens of the prompt, by the provider."""
        return self.usage["prompt_tokens"]

    def texts(self, messages: list[Any] | None = None) -> list[str]:
        """The texts of the messages, as they stand in them."""
        found = parts_of(self.messages if messages is None else messages)
        assert ([], []) == (found.images, found.media)
        return [*found.texts, *found.results]

    def schemas(self) -> list[str]:
        """The tools as JSON, as a request's body has them."""
        return [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in self.tools]

    def around(self, counter: str, tools: bool) -> int:
        """Frame, and with tools the hidden prompt: what this model has beside text."""
        made = BudgetCalculator(counter=counter)
        sent = made.calculate_sync(self.model, self.messages, "", self.tools if tools else ())
        spelled = parts_of([], self.tools if tools else ()).tools
        measure = counter_of(counter)
        text = sum(measure.estimate(tool).bound or 0 for tool in spelled)
        return sent.frame_tokens + sent.schemas_tokens - text


def read(path: Path) -> Log:
    data = json.loads(path.read_text(encoding="utf-8"))
    model = next(model for part, model in MODELS.items() if part in path.name)
    family = "claude-3" if model.startswith("claude") else "deepseek-v3"
    before, usage = data.get("raw_messages", []), data["response"]["usage"]
    return Log(path.stem, model, family, data["messages"], data["tools"], usage, before)


@pytest.fixture(params=FILES or [None], ids=lambda path: path.stem if path else "absent")
def log(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Log:
    if request.param is None:
        why = f"no request logs in {FOLDER}; set CURRICULUM_TRANSCRIPTS to the folder that has them"
        with capsys.disabled():
            print(f"\nSKIPPED {request.node.name}: {why}")
        pytest.skip(why)
    return read(request.param)


def total(counter: Counter, texts: list[str]) -> int:
    return sum(counter.estimate(text).value for text in texts)


def bound(counter: Counter, texts: list[str]) -> int:
    return sum(counter.size(text) for text in texts)


def off(said: int, counted: int) -> str:
    return f"{said:6} {(said - counted) * 100 // counted:+4} %"


class TestProviderUsage:
    """Each log by itself. What is printed has no frame; what is asserted says what it has."""

    def test_figures(self, log: Log, capsys: pytest.CaptureFixture[str]) -> None:
        """Every estimate beside the provider's count, for the messages and with the tools."""
        value, byte = counter_of(f"calibrated@1:{log.family}"), counter_of(f"bytes@1:{log.family}")
        lines = [f"{log.name}: the provider counted {log.counted}, as {log.family}"]
        for what, texts in (
            ("messages", log.texts()),
            ("+ tools", log.texts() + log.schemas()),
        ):
            characters, size = sum(map(len, texts)), sum(len(text.encode()) for text in texts)
            said = {
                "chars // 3": sum(len(text) // 3 for text in texts),
                "calibrated": total(value, texts),
                "p99": bound(value, texts),
                "bytes": bound(byte, texts),
            }
            if log.family == "deepseek-v3":
                said["exact"] = total(Exact(log.family), texts)
            told = "  ".join(f"{name} {off(n, log.counted)}" for name, n in said.items())
            lines.append(f"  {what:8}  {characters} characters, {size} bytes  {told}")
            assert size >= characters > 0
        with capsys.disabled():
            print("\n" + "\n".join(lines))

    def test_the_bound_in_bytes_is_never_under_the_provider(self, log: Log) -> None:
        """Frame and hidden prompt of the model are in it."""
        id = f"bytes@1:{log.family}"
        text = bound(counter_of(id), log.texts() + log.schemas())
        assert log.counted <= text + log.around(id, True)
        found = BudgetCalculator(counter=id).calculate_sync(
            log.model, log.messages, "", log.tools, output=1_000
        )
        parts = found.directive_tokens + found.messages_tokens + found.schemas_tokens
        assert log.counted <= parts + found.frame_tokens

    def test_the_p99_bound_holds_too(self, log: Log) -> None:
        """It is for 99 of 100 texts; these are among them, with and without the frame."""
        counter = counter_of(f"calibrated@1:{log.family}")
        assert log.counted <= bound(counter, log.texts() + log.schemas())

    def test_without_the_tools_the_estimate_is_too_low(self, log: Log) -> None:
        """T11. The tools were sent as a field: with them the estimate comes nearer."""
        value = counter_of(f"calibrated@1:{log.family}")
        alone, tooled = (
            total(value, texts) for texts in (log.texts(), log.texts() + log.schemas())
        )
        assert alone + log.around(f"bytes@1:{log.family}", False) < log.counted
        assert abs(tooled - log.counted) < abs(alone - log.counted)

    def test_cached_tokens_are_part_of_the_prompt(self, log: Log) -> None:
        """T17: neither added to the provider's count nor taken from it; they fill the window too."""
        usage = log.usage
        cached = (usage["prompt_tokens_details"] or {}).get("cached_tokens") or 0
        assert 0 <= cached <= log.counted
        assert usage["total_tokens"] == log.counted + usage["completion_tokens"]
        if "prompt_cache_hit_tokens" in usage:
            hit, miss = usage["prompt_cache_hit_tokens"], usage["prompt_cache_miss_tokens"]
            assert (cached, log.counted) == (hit, hit + miss)


class TestToolsWrittenIntoTheMessages:
    """A client that rewrites tools into the messages for a model that it thinks has none."""

    def test_and_sent_as_a_field_all_the_same(
        self, log: Log, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The exact count decides: the tools are in the provider's number twice.

        From the messages alone it cannot come, and from those before they were rewritten neither;
        the messages and the field make it, to a hundredth.
        """
        if not log.before:
            assert not any(tool["function"]["description"] in text
                           for tool in log.tools for text in log.texts())  # fmt: skip
            return
        exact = Exact(log.family)
        for tool in log.tools:
            first = tool["function"]["description"].strip().splitlines()[0]
            assert any(first in text for text in log.texts())
            assert not any(first in text for text in log.texts(log.before))
        field = exact.count(json.dumps(log.tools))
        around = log.around(f"exact@1:{log.family}", False)
        before, alone = (total(exact, texts) for texts in (log.texts(log.before), log.texts()))
        with capsys.disabled():
            print(
                f"\n{log.name}: {before} before, {alone} with the tools in the messages, "
                f"{alone + field + around} with the field and the frame; counted {log.counted}"
            )
        assert before + field + around < log.counted * 6 // 10
        assert alone + around < log.counted * 3 // 4
        assert abs(alone + field + around - log.counted) * 100 < log.counted
