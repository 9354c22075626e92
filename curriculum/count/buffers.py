"""How much of the input ceiling is kept free because a count may be wrong: data, with sources.

Two things are unsure. The text, if the counter is not the model's own tokenizer: `text`, by how
much more the real count may be, in permille of what was counted. And the frame, which a provider
or a template adds: `frame`, in permille of the ceiling. What may be counted is then

    ceiling x (1000 - frame) / text, rounded down; the buffer is what is left of the ceiling

The figures are ratios measured over 5,508 files (47 MB) with the vocabularies of each family, real
count by the count of o200k, and the shares that a built assembly service uses for its families.
"""

import attrs

from .families import family_of

FRAME = {"o200k": 20, "cl100k": 20}
"""Permille of the ceiling, for OpenAI's families: their framing is published."""
FRAME_ELSEWHERE = 50
"""Permille: a template is applied by whoever serves the model, or the framing is not published."""

FROM_O200K = {
    "o200k": 1000,
    "cl100k": 1090,
    "llama3": 1050,
    "qwen3": 1280,
    "deepseek-v3": 1270,
    "tekken": 1480,
    "glm4": 1060,
    "kimi-k2": 1080,
    "gemma": 1490,
    "mistral-spm": 1520,
    "llama2": 1720,
    "claude-3": 1480,
    "claude-4.7": 2550,
}
"""Real count of a family by o200k's, 99th percentile, the worst of code, docs and tool output."""
DIGITS = 2700
"""The same for data full of digits (hex, CSV, ids), the worst of any family: 2.66, rounded up."""
WORST = 2670
"""The most of any file of code, docs or tool output: Claude 4.7 and later, docs."""

BEYOND_P99 = {
    "o200k": (1030, 1270),
    "cl100k": (1030, 1270),
    "llama3": (1020, 1190),
    "qwen3": (1220, 1290),
    "deepseek-v3": (1160, 1210),
    "tekken": (1480, 1530),
    "glm4": (1060, 1200),
    "kimi-k2": (1040, 1230),
    "gemma": (1290, 1370),
    "mistral-spm": (1420, 1590),
    "llama2": (1510, 1560),
    "claude-3": (1350, 1560),
    "claude-4.7": (2020, 2140),
}
"""99th percentile and largest of those ratios, for docs or tool output, where they are furthest
apart. A calibrated bound holds for 99 files of 100; the hundredth is this much over it. For o200k
itself, which is its own measure, those of cl100k."""

FALLBACK = 1550
"""Real o200k count by characters // 3: the most of any file of docs or tool output (diffs)."""
FALLBACK_CLAUDE_4_7 = 2210
"""The same against Claude 4.7 and later (diffs)."""
HEURISTIC = 1112
"""An estimator that promises nothing: a tenth of the ceiling, as for families that are unknown."""


@attrs.frozen
class Buffer:
    """What is unsure of a count, in permille, and why."""

    text: int
    frame: int
    why: str

    def tokens(self, ceiling: int) -> int:
        """The part of a ceiling that is kept free, rounded up. 0 for a ceiling of 0 or less."""
        ceiling = max(0, ceiling)
        return ceiling - ceiling * (1000 - self.frame) // self.text


def buffer_for(family: str, kind: str, counted_in: str, bounded: bool = False) -> Buffer:
    """The buffer for a model of `family` whose text was counted as `counted_in`, another or it.

    `kind` is that of the estimate. `bounded`: the count is a bound by construction, in bytes.
    """
    frame = FRAME.get(family, FRAME_ELSEWHERE)
    if kind == "fallback":
        mine = (FALLBACK * FROM_O200K[family] + 999) // 1000
        text = FALLBACK_CLAUDE_4_7 if family == "claude-4.7" else mine
        return Buffer(text, frame, "counted as characters // 3")
    if bounded:
        return _bytes(family, counted_in, frame)
    if counted_in == family:
        return _own(family, kind, frame)
    if counted_in == "o200k" and kind == "exact":
        return Buffer(FROM_O200K[family], frame, f"counted as o200k, not {family}")
    return Buffer(WORST, frame, f"counted as {counted_in or 'nobody knows what'}, not {family}")


def _own(family: str, kind: str, frame: int) -> Buffer:
    if kind == "exact":
        return Buffer(1000, frame, "the text is exact; only the frame is unsure")
    if kind == "calibrated":
        p99, most = BEYOND_P99[family]
        return Buffer(-(-most * 1000 // p99), frame, "one file of a hundred is over its bound")
    return Buffer(HEURISTIC, frame, "an estimate without a bound")


def _bytes(family: str, counted_in: str, frame: int) -> Buffer:
    """A bound in bytes holds for each family whose tokens a byte are no more than it allows."""
    needed, allowed = family_of(family).factor, family_of(counted_in).factor
    if needed > allowed:
        text = -(-needed * 1000 // allowed)
        return Buffer(text, frame, f"bounded in bytes for {counted_in}, not {family}")
    return Buffer(1000, frame, "the text is bounded in bytes; only the frame is unsure")
