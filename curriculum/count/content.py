"""Classes of content, recognised from the text: what a byte costs depends on them.

A rule counts lines, or characters of lines. Of a long text three windows are looked at (start,
middle, end) and of a long line its start, so the time a rule takes does not grow with the text.
Nothing here fails: a text that fits no rule is `docs`.
"""

import re
from collections.abc import Sequence

CLASSES = ("code", "docs", "data", "tool-output", "blob", "cjk")
"""Source; prose; JSON, tables, settings, SVG; logs, diffs, listings; base64, hex, uuids; Chinese,
Japanese, Korean."""

WINDOW = 4_096
"""Characters of each of the three windows."""
LINE = 300
"""Characters of a line that are looked at."""

_ENDS = {
    "code": "c cc cjs cpp cs css cts cxx go h hpp java js jsx kt lua mjs mts php pl pm py pyi rb "
    "rs scala scss sh sql swift ts tsx vue",
    "docs": "adoc md rst tex",
    "data": "cfg csv ini json jsonl ndjson svg toml tsv xml yaml yml",
    "tool-output": "diff log patch",
}
SUFFIXES = {end: kind for kind, ends in _ENDS.items() for end in ends.split()}
"""What the end of a file's name says of it."""

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{24,}")
_DUMP = re.compile(r"[0-9a-f]{6,}:?\s+(?:[0-9a-f]{2,8}\s+){4}")
_MIXED = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])")
_WORD = re.compile(r"[a-z]{5,}")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_OUTPUT = re.compile(
    r"[-dlcbps][-rwxsStT]{9}[.+@]?\s"  # ls -l
    r"|total \d+$"
    r"|[^\s:(){}]*[/.][^\s:(){}]*[:-]\d+[:-]"  # grep -n, compilers
    r"|[^\s:(){}]*/[^\s:(){}]*\.\w+:(?!//)"  # grep -r
    r"|\[?\d{4}[-/]\d\d[-/]\d\d[T ,]"  # a date first
    r"|\[?\d\d:\d\d:\d\d\b"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d"
    r"|\W{0,2}(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|PASSED|FAILED|SKIPPED)\b"
    r"|(?:npm|Get:\d+|Requirement already|Collecting|Setting up|Unpacking|Selecting)\s"
    r"|import '[\w.]+' #|# (?:cleanup|destroy|code object|/)"  # python -v
    r"|(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*$"  # find
    r"|\S+\.py::\S+"  # pytest
)
_MARKUP = re.compile(r"\s*(?:<\?xml|<svg|<!DOCTYPE svg)")
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*(?:[\[{\"\]]|-?\d))")
_MEMBER = re.compile(r"\s*(?:\"[^\"]*\"\s*:|[\[\]{}]+,?$|-?[\d.]+,?$|\"[^\"]*\",?$)")
_SETTING = re.compile(
    r"\s*(?:- )?[\"']?[\w./@-]{1,60}[\"']?\s?(?::(?:\s\S.{0,60})?$|=)"
    r"|\s*- \S{1,60}$|\[[\w.\" -]+\]$"
)
_CELLS = re.compile(r"[,;\t|]")
_CODE = re.compile(
    r".*(?:[;{}(\[]|[)\]}\"'`\w],|[)\]]:|=>|\\)\s*$"
    r"|\s*(?://|/\*|\*/|#!|@[A-Za-z])"
    r"|\s*#\s?(?:include|define|if|ifdef|ifndef|endif|else|elif|undef|pragma)\b"
    r"|\s*(?:def|class|func|fn|function|sub|import|from|package|use|using|namespace|require|export)"
    r" [\w.{*\"'<$]+(?:[ (<:{,].*)?$(?<![.!?])"
    r"|\s*(?:return|if|elif|for|while|except|finally|with|switch|case|raise|throw|yield|assert"
    r"|const|let|var|public|private|protected|static|async|await|type|struct|my|local|set)\b"
    r".*[()\[\]{}=;]"
    r"|\s*(?:else|try|finally|pass|break|continue|return|done|fi|end|endif)\b[^ ]?$"
    r"|.*\w[.]\w+\(|\s*[\w.]+\(.*\)$"
    r"|\s*[\w.\[\]\"'*&$:<>-]+ (?:[-+*/|&:]?=|==|->) ?\S"
)


def content_class(text: str, path: str = "") -> str:
    """The class of `text`, one of `CLASSES`.

    With a `path`, the end of its name decides between code, docs and data; what text shows more
    surely (diffs, blobs, another script) it does not.
    """
    looked, within = _windows(text)
    found = _surely(looked)
    if found:
        return found
    stem, _, end = path.rpartition(".")
    named = SUFFIXES.get(end.lower()) if stem else None  # an end with a folder in it is no key
    return named or _by_lines(_lines(looked), within)


def _windows(text: str) -> tuple[str, bool]:
    """What is looked at of a text, and whether it stands within a JSON string."""
    if len(text) > 3 * WINDOW:
        middle = (len(text) - WINDOW) // 2
        text = f"{text[:WINDOW]}\n{text[middle : middle + WINDOW]}\n{text[-WINDOW:]}"
    within = text.count("\\n") > text.count("\n")
    if within:  # its lines are lines all the same
        text = text.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t")
        first, end, rest = text.partition("\n")
        text = first.rpartition('":"')[2].removeprefix('"') + end + rest  # without what it is for
    return text, within


def _lines(text: str) -> list[str]:
    return [line[:LINE] for line in text.splitlines() if line and not line.isspace()]


def _surely(text: str) -> str:
    """What the characters show, whatever the name of the file says; empty if nothing."""
    solid = len(text) - text.count(" ") - text.count("\n")
    if not text.isascii() and 3 * len(_WIDE.findall(text)) >= solid:
        return "cjk"
    dense = sum(len(run) for run in _RUN.findall(text) if _MIXED.match(run) and _odd(run))
    if dense and 2 * dense >= solid:
        return "blob"
    lines = _lines(text)
    if lines and 2 * _matching(_DUMP, lines) > len(lines):
        return "blob"
    if any(_HUNK.match(line) for line in lines):
        of_it = sum(line[0] in " +-@\\" or line.startswith(_HEADS) for line in lines)
        if 10 * of_it >= 8 * len(lines):
            return "tool-output"
    return ""


_HEADS = (
    "diff ",
    "index ",
    "commit ",
    "Author:",
    "Date:",
    "new file",
    "deleted file",
    "similarity",
)


def _odd(run: str) -> bool:
    """Whether a run of letters and digits is no path or name: those are made of words."""
    return 4 * sum(map(len, _WORD.findall(run))) <= len(run)


def _by_lines(lines: Sequence[str], within: bool) -> str:
    count = len(lines)
    if not lines:
        return "docs"
    if _MARKUP.match(lines[0]) or 5 * _matching(_MEMBER, lines) >= 4 * count:
        return "data"
    if not within and _JSON.match("\n".join(lines[:2])):
        return "data"
    if 2 * _matching(_OUTPUT, lines) >= count:
        return "tool-output"
    if _table(lines):
        return "data"
    code, settings = _matching(_CODE, lines), _matching(_SETTING, lines)
    if 2 * settings >= count and settings >= code:
        return "data"
    if 3 * code >= count or (3 * (code + _commented(lines)) >= 2 * count and 6 * code >= count):
        return "code"
    return "docs"


def _matching(pattern: re.Pattern[str], lines: Sequence[str]) -> int:
    return sum(1 for line in lines if pattern.match(line))


def _commented(lines: Sequence[str]) -> int:
    """Lines that a block comment or a comment sign leads."""
    return sum(1 for line in lines if line.lstrip().startswith(("* ", "*\n", "#", "//", "--")))


def _table(lines: Sequence[str]) -> bool:
    """Whether nearly all lines have the same number of cells, or hold mostly digits."""
    if len(lines) >= 3:
        cells = [len(_CELLS.findall(line)) for line in lines]
        usual = max(set(cells), key=lambda n: (cells.count(n), n))
        if usual >= 2 and 10 * cells.count(usual) >= 9 * len(cells):
            return True
    solid = sum(len(line) - line.count(" ") for line in lines)
    digits = sum(sum(map(line.count, "0123456789")) for line in lines)
    return 2 * digits >= solid
