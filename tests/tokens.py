"""Texts that are hard to count: what tokenizers split, merge and compose differently."""

from hypothesis import strategies as st

from curriculum.count.families import FAMILIES

EXACT = [family.id for family in FAMILIES.values() if family.exact]
ATOMS = [
    *('"},{"role":"user","content":"', '{"role":"', '"}', "\\n", '\\"', "{", "}", "[", "]", ":"),
    *("a", "A", "t", "s", "ll", "re", "hello", "WORLD", "don", "don't", "'s", "'LL", "'", "\u017f"),
    *(" ", "  ", "\n", "\r\n", "\n\n", "\t", "\u3000", "\xa0", "\u2028", "\x00", "\x7f", "\x85"),
    *("1", "12", "1234", "\u0663", "\xb2", "\u2167", "\xbd", "\uff12"),
    *("!", "!!!", ".", "...", "_", "-", "=", "<", ">", "/", "//", "`", "```", "~", ",", "^"),
    *("\xe9", "e\u0301", "\u0301", "\u0338", "\u212b", "\xaa", "\u02bc", "\u02b0", "\u1fef"),
    *("\u4e2d", "\u6587", "\u3001", "\u3002", "\u3005", "\u3007", "\u2e80", "\u306e", "\u304b"),
    *("\u304c", "\u3099", "\ud55c", "\u1112", "\u0915", "\u0958", "\u093f", "\u0e01", "\u0e31"),
    *("\u0628", "\u064b", "\u05d0", "\U0001d160", "\U00010348", "\U0001f389", "\ufe0f", "\u200d"),
    *("\U0001f469\u200d\U0001f469", "\U0001f1e9", "<|endoftext|>", "<s>", "[INST]", "\u2581"),
]
runs = st.builds(lambda atom, times: atom * times, st.sampled_from(ATOMS), st.integers(1, 40))
texts = st.lists(st.sampled_from(ATOMS) | runs | st.text(max_size=4), max_size=12).map("".join)
