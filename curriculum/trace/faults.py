"""What is wrong with the bytes of a trace file: each fault has its code, its line, its evidence.

A trace is written by a program and never edited, so no fault is mended: the trace is made again.
"""

import re
import shlex

from .errors import TraceError
from .events import FORMAT, VERSION

BYTE_ORDER_MARKS = {
    b"\xef\xbb\xbf": "EF BB BF: UTF-8 with a mark",
    b"\xff\xfe": "FF FE: UTF-16",
    b"\xfe\xff": "FE FF: UTF-16",
}
CONFLICT = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\r?\Z")
"""A line that git leaves where two versions of a file could not be merged."""
UPGRADE = "pip install --upgrade curriculum"
AGAIN = "golden record ID   # of the case whose golden this is"
DIGITS = 15
"""Digits of the longest number: no reader in any language rounds it, and none refuses it."""
SHOWN = 60
"""Characters of a bad line that are evidence enough."""


def on_line(
    name: str, number: int, why: str, *evidence: str, code: str, next: str = ""
) -> TraceError:
    """The error for one line (from 1) of the file `name`."""
    return TraceError(f"{name}, line {number}: {why}.", *evidence, code=code, next=next)


def marked(data: bytes, name: str) -> TraceError:
    """The file begins with a byte order mark: an editor or a shell has written it again."""
    spelled = next(words for mark, words in BYTE_ORDER_MARKS.items() if data.startswith(mark))
    why = "it begins with a byte order mark; traces have none"
    return on_line(name, 1, why, f"the first bytes are {spelled}", code="trace-bom")


def not_utf8(data: bytes, at: int, name: str) -> TraceError:
    """The byte at offset `at` cannot be read."""
    number = data[:at].count(b"\n") + 1
    column = at - data.rfind(b"\n", 0, at)
    found = f"byte {column} of the line is 0x{data[at]:02x}"
    return on_line(name, number, "the bytes are no UTF-8", found, code="trace-not-utf8")


def cut_off(rest: str, name: str, number: int) -> TraceError:
    """The last line has no LF."""
    why = "the last line has no end: the run was cut off, or the file was"
    found = f"its {len(rest)} characters end in {rest[-SHOWN:]!a}"
    return on_line(name, number, why, found, code="trace-cut-off")


def conflicted(line: str, name: str, number: int) -> TraceError:
    """Git could not merge the file, and the markers of that are still in it."""
    return on_line(
        name,
        number,
        "it is a conflict marker of git",
        f"the line is {line[:SHOWN]!a}",
        "a trace is recorded again, never merged by hand",
        code="trace-conflict",
        next=AGAIN,
    )


def carriage_return(line: str, name: str, number: int) -> TraceError:
    """The file was written, or checked out, with the line ends of Windows."""
    at_end = line.endswith("\r")
    why = "it ends in CR LF; traces use LF" if at_end else "it holds a CR; traces end lines in LF"
    kept = "'golden/**/*.jsonl text eol=lf' in .gitattributes keeps git from changing it"
    found = f"CR is character {line.index(chr(13)) + 1} of the line"
    return on_line(name, number, why, found, kept, code="trace-crlf")


def odd_number(text: str, line: str, name: str, number: int) -> TraceError:
    """NaN, an infinity, a fraction, or an integer of too many digits."""
    found = re.search(rf'(?<!\\)"((?:[^"\\]|\\.)*)":\s*{re.escape(text)}', line)
    where = f"the key is {found[1]!a}" if found else "it stands in a list"
    why = f"{text[:SHOWN]} is no number that a trace may hold"
    hold = f"traces hold integers only, of at most {DIGITS} digits"
    return on_line(name, number, why, where, hold, code="trace-number")


def key_twice(key: str, name: str, number: int) -> TraceError:
    """One object has a key twice; readers would differ in which one they take."""
    return on_line(
        name,
        number,
        f"the key {key!r} stands twice",
        "readers differ in which of the two they take",
        code="trace-duplicate-key",
    )


def other_major(version: str, name: str) -> TraceError:
    """The header is of another major: which of the two is older decides what to run."""
    theirs, ours = int(version.split(".")[0]), int(VERSION.split(".")[0])
    older = theirs < ours
    run = f"golden migrate {shlex.quote(name)}" if older else UPGRADE
    return TraceError(
        f"{name}, line 1: a trace of version {version}; this program reads {FORMAT} {VERSION}.",
        f"the file is {'older' if older else 'newer'}: major {theirs}, here {ours}",
        f"to go on: {run}",
        code="trace-version",
        next=run,
    )
