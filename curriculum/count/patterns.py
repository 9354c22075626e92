r"""How tokenizers split a text before they count: the patterns of families, by their alternatives.

The first alternative that matches takes the text; what is in brackets is taken at most once. The
published patterns are these facts in one line each:

* a contraction: 's 't 'm 'd 're 've 'll in either case, alone or as the end of a word (o200k);
* a word: letters, with one sign or blank before them; o200k's also ends before a capital;
* digits by threes, or each alone (Qwen);
* signs: with a space before them, and the line ends behind them, o200k's also slashes;
* blanks up to a line end; else blanks but the last, which goes with what follows.
"""

_CONTRACTION = "'(?i:[stmd]|[rv]e|ll)"
_LEAD = r"[^\r\n\p{L}\p{N}]?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_END = f"(?:{_CONTRACTION})?"
_LETTERS = rf"{_LEAD}\p{{L}}+"
_CASED = f"{_LEAD}{_UPPER}*{_LOWER}+{_END}|{_LEAD}{_UPPER}+{_LOWER}*{_END}"
_SIGNS = r" ?[^\s\p{L}\p{N}]+"
_BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"


def _words(digits: str, blanks: str = _BLANKS) -> str:
    return "|".join([_CONTRACTION, _LETTERS, digits, rf"{_SIGNS}[\r\n]*", blanks])


PATTERNS = {
    "o200k": "|".join([_CASED, r"\p{N}{1,3}", rf"{_SIGNS}[\r\n/]*", _BLANKS]),
    "cl100k": _words(r"\p{N}{1,3}", rf"\s+$|{_BLANKS}"),
    "llama3": _words(r"\p{N}{1,3}"),
    "qwen3": _words(r"\p{N}"),
    "glm4": _words(r"\p{N}{1,3}"),
}
"""By family, as the `regex` of tiktoken takes them."""
