"""An image costs what its provider's rule says: never nothing, never its bytes as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.count.image_rules import LARGEST, RULES, rule_of


class TestPublished:
    """Sums that the providers or others have written down."""

    @pytest.mark.parametrize(
        ("rule", "width", "height", "tokens"),
        [
            ("openai-tiles-gpt-4o", 1024, 1024, 765),  # 85 + 4 x 170
            ("openai-tiles-gpt-4o", 2048, 4096, 1105),  # 85 + 6 x 170
            ("openai-tiles-gpt-4o", 512, 512, 255),  # 85 + 1 x 170
            ("openai-tiles-gpt-4o-mini", 768, 2048, 48_169),  # 2833 + 8 x 5667
            ("openai-tiles-gpt-5", 1024, 1024, 630),  # 70 + 4 x 140
            ("openai-tiles-o3", 1024, 1024, 675),  # 75 + 4 x 150
            ("openai-patches-1.62", 1024, 1024, 1659),  # 32 x 32 x 1.62 = 1658.88
            ("openai-patches-1.62", 1800, 2400, 2353),  # 33 x 44 x 1.62 = 2352.24
            ("anthropic-standard", 1920, 1080, 1560),
            ("anthropic-high", 1920, 1080, 2691),  # 69 x 39
            ("anthropic-standard", 1000, 1000, 1296),  # 36 x 36
            ("gemini-tiles", 384, 384, 258),
            ("gemini-tiles", 385, 384, 258),  # one tile
            ("gemini-tiles", 1024, 1024, 1032),  # 2 x 2 tiles
            ("gemini-3", 4000, 3000, 1120),
            ("llama-tiles", 560, 560, 1601),
            ("llama-tiles", 561, 560, 3202),
            ("llama-tiles", 5600, 5600, 6404),
            ("qwen2-vl", 28, 28, 4),
            ("qwen2-vl", 280, 560, 200),  # 10 x 20
        ],
    )
    def test_sum(self, rule: str, width: int, height: int, tokens: int) -> None:
        assert tokens == RULES[rule].tokens(width, height)

    @pytest.mark.parametrize(
        ("width", "height", "original", "high", "capped", "standard", "tall"),
        [
            (256, 256, 77, 77, 77, 100, 100),
            (512, 512, 308, 308, 308, 361, 361),
            (768, 768, 692, 692, 692, 784, 784),
            (1024, 1024, 1229, 1229, 1229, 1369, 1369),
            (1280, 720, 1104, 1104, 1104, 1196, 1196),
            (1920, 1080, 2448, 2448, 2448, 1560, 2691),
            (1080, 1920, 2448, 2448, 2448, 1560, 2691),
            (2560, 1440, 4320, 2931, 4320, None, None),
            (3840, 2160, 9792, 2931, 9792, None, None),
            (4032, 3024, 14_364, 2942, 11_868, None, None),
        ],
    )
    def test_measured(
        self,
        width: int,
        height: int,
        original: int,
        high: int,
        capped: int,
        standard: int | None,
        tall: int | None,
    ) -> None:
        """Bills of September 2026, without the text beside the image (65 and 77 on Claude).

        https://huggingface.co/datasets/JOHNISKING/image-token-cost
        """
        named = {
            "openai-patches-gpt-5.6": original,
            "openai-patches-high": high,
            "openai-patches-gpt-5.4": capped,
            "anthropic-standard": standard,
            "anthropic-high": tall,
        }
        for rule, tokens in named.items():
            if tokens is not None:
                assert tokens == RULES[rule].tokens(width, height)


class TestMost:
    @pytest.mark.parametrize(
        ("rule", "most"),
        [
            ("openai-tiles-gpt-4o", 1445),  # 85 + 8 x 170
            ("openai-tiles-gpt-4o-mini", 48_169),
            ("openai-patches-2.46", 3779),  # 1536 x 2.46 = 3778.56
            ("openai-patches-gpt-5.6", 36_000),
            ("anthropic-standard", 1568),
            ("anthropic-high", 4784),
            ("gemini-tiles", 4128),  # 4 x 4 tiles
            ("gemini-3", 1120),
            ("llama-tiles", 6404),
            ("qwen2-vl", 16_384),
        ],
    )
    def test_unknown_size(self, rule: str, most: int) -> None:
        """An image whose size is not known costs the most that its rule allows."""
        found = rule_of(rule)
        assert [most] * 4 == [
            found.tokens(*size) for size in ((None, None), (9, None), (0, 5), (-1, 5))
        ]
        assert "" == found.warning

    @pytest.mark.parametrize("name", ["unknown", "none", "my-own", "", "<b>"])
    def test_unknown_rule(self, name: str) -> None:
        """A rule that is not known is the largest that is, with a warning that says which."""
        found = rule_of(name)
        assert 48_169 == found.tokens(10, 10) == found.tokens(None, None)
        assert (
            "48169 tokens, the most of any known rule (openai-tiles-gpt-4o-mini)" in found.warning
        )

    def test_largest(self) -> None:
        assert 48_169 == LARGEST.most == max(rule.most for rule in RULES.values())


class TestRefused:
    def test_too_many_patches(self) -> None:
        """GPT-5.6 takes 30,000 patches at the most and refuses more; `high` scales them down."""
        rule = rule_of("openai-patches-gpt-5.6")
        assert not rule.refuses(6400, 4800)  # 200 x 150 = 30,000
        assert rule.refuses(6401, 4800)  # 201 x 150
        assert not rule.refuses(None, None)
        assert not rule.at("high").refuses(6401, 4800)
        assert not rule_of("openai-tiles-gpt-4o").refuses(99_999, 99_999)


class TestDetail:
    @pytest.mark.parametrize(
        ("rule", "detail", "tokens"),
        [
            ("openai-tiles-gpt-4o", "low", 85),
            ("openai-tiles-gpt-4o-mini", "low", 2833),
            ("openai-tiles-gpt-4o", "high", 765),
            ("openai-tiles-gpt-4o", "nonsense", 765),
            ("gemini-3", "low", 280),
            ("gemini-3", "MEDIA_RESOLUTION_MEDIUM", 560),
            ("gemini-3", "media_resolution_high", 1120),
        ],
    )
    def test_detail(self, rule: str, detail: str, tokens: int) -> None:
        """What the request asks for counts; a detail that is not known changes nothing."""
        assert tokens == rule_of(rule).at(detail).tokens(1024, 1024)


SIDES = st.integers(1, 10**6) | st.integers(1, 5000)


@given(st.sampled_from(sorted(RULES)), SIDES, SIDES)
def test_never_free_and_never_over_the_most(name: str, width: int, height: int) -> None:
    """The rule's own sum stays under its maximum for any shape, before it is held to it."""
    rule = RULES[name]
    assert 1 <= rule.cost(width, height) <= rule.most
    assert "" != rule.source
    assert "2026" == rule.as_of[:4]
