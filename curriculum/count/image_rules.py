"""What an image costs, by named and dated rules: never what its bytes would cost as text.

Sizes are whole tokens, of an image of `width` x `height` pixels. A rule gives its own maximum for
an image whose size is not known, and none gives zero. Fractions of a pixel are carried exactly.
Measured sums that the rules were held against:
https://huggingface.co/datasets/JOHNISKING/image-token-cost
"""

from collections.abc import Callable
from math import isqrt

import attrs

Cost = Callable[[int, int], int]
"""Tokens of an image by its width and height in pixels, both at least 1."""

OPENAI = "https://developers.openai.com/api/docs/guides/images-vision"
CLAUDE = "https://platform.claude.com/docs/en/build-with-claude/vision"
GEMINI = "https://ai.google.dev/gemini-api/docs/tokens"
MEDIA = "https://ai.google.dev/gemini-api/docs/media-resolution"
TOGETHER = "https://docs.together.ai/docs/vision-overview"
QWEN = "https://huggingface.co/Qwen/Qwen2-VL-7B-Instruct/discussions/47"


@attrs.frozen
class ImageRule:
    """A rule by its name. `most` is what one image costs at most; `warning` is empty if it is sure.

    `details` names the rule that holds when a request asks for that detail of an image.
    `patch_limit`: an image of more 32-pixel patches is refused by the provider; 0 for no limit.
    """

    name: str
    says: str
    most: int
    as_of: str
    source: str
    cost: Cost = attrs.field(repr=False)
    warning: str = ""
    patch_limit: int = 0
    details: dict[str, str] = attrs.field(factory=dict[str, str])

    def tokens(self, width: int | None, height: int | None) -> int:
        """What one image costs; the rule's maximum if its size is not known, or is refused."""
        if width is None or height is None or width < 1 or height < 1:
            return self.most
        if self.refuses(width, height):
            return self.most
        return min(self.most, self.cost(width, height))

    def refuses(self, width: int | None, height: int | None) -> bool:
        """Whether the provider refuses an image of this size. What is not known is not refused."""
        if not self.patch_limit or width is None or height is None:
            return False
        return _up(width, 32) * _up(height, 32) > self.patch_limit

    def at(self, detail: str) -> "ImageRule":
        """The rule for the detail that a request asks for: this one, unless another is named."""
        return rule_of(self.details[detail]) if detail in self.details else self


def _up(size: int, step: int) -> int:
    return -(-size // step)


def _tiles(base: int, each: int) -> Cost:
    """512-pixel tiles after it was fitted into 2048 x 2048 and its shorter side into 768."""

    def cost(width: int, height: int) -> int:
        over, under = 1, 1
        if max(width, height) > 2048:
            over, under = 2048, max(width, height)
        if min(width, height) * over > 768 * under:
            over, under = 768, min(width, height)
        return base + each * _up(width * over, 512 * under) * _up(height * over, 512 * under)

    return cost


def fitted(width: int, height: int, cap: int) -> int:
    """Patches left when an image of too many is scaled down until they are at most `cap`.

    One side then is a whole number of patches, and the other is rounded up.
    """
    across, down = max(1, isqrt(cap * width // height)), max(1, isqrt(cap * height // width))
    if across * height <= down * width:
        return across * _up(across * height, width)
    return down * _up(down * width, height)


def _patches(cap: int, permille: int, edge: int = 0) -> Cost:
    """32-pixel patches, scaled down to at most `cap`, times a factor, rounded up.

    A longer side than `edge` pixels is fitted into it first.
    """

    def cost(width: int, height: int) -> int:
        over, under = 1, 1
        if edge and max(width, height) > edge:
            over, under = edge, max(width, height)
        patches = _up(width * over, 32 * under) * _up(height * over, 32 * under)
        if patches > cap:
            patches = min(cap, fitted(width, height, cap))
        return _up(patches * permille, 1000)

    return cost


def _padded(cap: int, edge: int) -> Cost:
    """28-pixel patches: long side at most `edge`, the largest scale with at most `cap` patches."""

    def cost(width: int, height: int) -> int:
        longer = max(width, height)
        over, under = (edge, longer) if longer > edge else (1, 1)
        patches = _up(width * over, 28 * under) * _up(height * over, 28 * under)
        return patches if patches <= cap else _largest(width, height, cap)

    return cost


def _largest(width: int, height: int, cap: int) -> int:
    """The most patches, at most `cap`, that this shape fills at any scale."""
    best = 1
    for one, other in ((width, height), (height, width)):
        for side in range(isqrt(cap * one // other) + 1, 0, -1):
            area = side * _up(side * other, one)
            if area <= cap:
                best = max(best, area)
                break
    return best


def _gemini(width: int, height: int) -> int:
    if max(width, height) <= 384:
        return 258
    longer = max(width, height)
    over, under = (3072, longer) if longer > 3072 else (1, 1)
    return 258 * _up(width * over, 768 * under) * _up(height * over, 768 * under)


def _flat(tokens: int) -> Cost:
    return lambda width, height: tokens


def _llama(width: int, height: int) -> int:
    return 1601 * min(4, _up(width, 560) * _up(height, 560))


def _qwen(width: int, height: int) -> int:
    return min(16384, max(4, _up(width, 28) * _up(height, 28)))


def _openai_tiles(name: str, base: int, each: int) -> list[ImageRule]:
    named, low = f"openai-tiles-{name}", f"openai-low-{name}"
    says = f"{base} and {each} a tile of 512 pixels, at most 8 tiles"
    high = ImageRule(
        named, says, base + 8 * each, "2026-11-30", OPENAI, _tiles(base, each), details={"low": low}
    )
    return [high, ImageRule(low, f"{base}", base, "2026-11-30", OPENAI, _flat(base))]


def _openai_patches(
    name: str,
    cap: int,
    permille: int,
    edge: int = 0,
    limit: int = 0,
    details: dict[str, str] | None = None,
    source: str = OPENAI,
) -> ImageRule:
    after = "refused above" if limit else "scaled down above"
    says = f"patches of 32 pixels times {permille // 1000}.{permille % 1000:03}, {after} {cap}"
    return ImageRule(
        f"openai-patches-{name}",
        says,
        _up(cap * permille, 1000),
        "2026-12-01",
        source,
        _patches(cap, permille, edge),
        patch_limit=limit,
        details=details or {},
    )


_MEASURED = (
    "https://community.openai.com/t/api-ai-computer-vision-pricing-models-compared-visually/1372291"
)
_HIGH = {"high": "openai-patches-high"}
_RESOLUTIONS = {"low": 280, "medium": 560, "high": 1120}
_GEMINI_3 = {
    spelled: f"gemini-3-{word}"
    for word in _RESOLUTIONS
    for spelled in (word, f"MEDIA_RESOLUTION_{word.upper()}", f"media_resolution_{word}")
}
_ALL = (
    *_openai_tiles("gpt-4o", 85, 170),
    *_openai_tiles("gpt-5", 70, 140),
    *_openai_tiles("o3", 75, 150),
    *_openai_tiles("gpt-4o-mini", 2833, 5667),
    *_openai_tiles("computer-use", 65, 129),
    _openai_patches("1.62", 1536, 1620),
    _openai_patches("1.72", 1536, 1720),
    _openai_patches("2.46", 1536, 2460),
    _openai_patches("gpt-5.2", 1536, 1200, source=_MEASURED),
    _openai_patches("high", 2500, 1200),
    _openai_patches("gpt-5.4", 10_000, 1200, 6000, details=_HIGH),
    _openai_patches("gpt-5.6", 30_000, 1200, limit=30_000, details=_HIGH),
    ImageRule(
        "anthropic-standard",
        "patches of 28 pixels, at most 1568 of them and 1568 pixels a side",
        1568,
        "2026-11-30",
        CLAUDE,
        _padded(1568, 1568),
    ),
    ImageRule(
        "anthropic-high",
        "patches of 28 pixels, at most 4784 of them and 2576 pixels a side",
        4784,
        "2026-11-30",
        CLAUDE,
        _padded(4784, 2576),
    ),
    ImageRule(
        "gemini-tiles",
        "258 up to 384 pixels a side, else 258 a tile of 768, at most 3072 pixels a side",
        16 * 258,
        "2026-11-30",
        GEMINI,
        _gemini,
    ),
    ImageRule(
        "gemini-3", "1120 an image", 1120, "2026-11-30", MEDIA, _flat(1120), details=_GEMINI_3
    ),
    *(
        ImageRule(f"gemini-3-{word}", f"{size} an image", size, "2026-11-30", MEDIA, _flat(size))
        for word, size in _RESOLUTIONS.items()
    ),
    ImageRule(
        "llama-tiles",
        "1601 a tile of 560 pixels, at most 4 tiles",
        6404,
        "2026-11-30",
        TOGETHER,
        _llama,
    ),
    ImageRule(
        "qwen2-vl",
        "patches of 28 pixels, 4 to 16384",
        16_384,
        "2026-11-30",
        QWEN,
        _qwen,
    ),
)
RULES = {rule.name: rule for rule in _ALL}
LARGEST = max(RULES.values(), key=lambda rule: rule.most)
"""The rule under which one image costs most: what stands in for a rule that is not known."""


def rule_of(name: str) -> ImageRule:
    """The rule called `name`; for any other name the largest known bound, with a warning.

    `none` is a model that takes no images: the provider refuses them, and they cost all the same.
    """
    if name in RULES:
        return RULES[name]
    what = f"no image rule is called {name!a}"
    if name in ("none", "unknown"):
        what = "the model takes no images" if name == "none" else "no rule for images is published"
    return ImageRule(
        name,
        f"{LARGEST.most} an image",
        LARGEST.most,
        LARGEST.as_of,
        LARGEST.source,
        _flat(LARGEST.most),
        f"{what}; each is taken for {LARGEST.most} tokens, the most of any known rule "
        f"({LARGEST.name})",
    )
