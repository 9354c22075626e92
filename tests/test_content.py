"""Content classes are recognised from the text, of whatever kind it is."""

import base64
import hashlib
import json
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.count.content import CLASSES, WINDOW, content_class

CODE = """import os

def total(rows):
    found = 0
    for row in rows:
        found += row["size"]
    return found
"""
PROSE = """The budget is what a request may take. Nothing is sent that does not fit, and what
was left out is said, with the reason for it. A reader can add the numbers up.

Most of the time the oldest results go first, since the model has seen them already.
"""
JSON = """{
  "name": "curriculum",
  "sizes": [1, 2, 3],
  "private": true
}
"""
DIFF = """diff --git a/one.py b/one.py
index 3f1a..77b2 100644
--- a/one.py
+++ b/one.py
@@ -1,3 +1,3 @@
 import os
-limit = 1
+limit = 2
 print(limit)
"""
LOG = """2026-12-01 10:00:00 INFO started
2026-12-01 10:00:01 WARNING the disk is nearly full
2026-12-01 10:00:02 ERROR it is full
"""
LS = """total 8
drwxr-xr-x 2 ann ann 4096 Dec  1 10:00 docs
-rw-r--r-- 1 ann ann  120 Dec  1 10:00 notes.txt
"""
GREP = """src/one.py:10:limit = 1
src/two.py:7:    limit = 2
src/three.py:125:if limit:
"""
CSV = "id,size,share\n1,120,0.5\n2,80,0.33\n3,40,0.17\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0L10 10"/></svg>\n'
YAML = "name: test\non: push\njobs:\n  check:\n    runs-on: linux\n"
HEX = "".join(hashlib.sha256(bytes([n])).hexdigest() for n in range(9))
UUIDS = "".join(
    f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}\n"
    for h in (hashlib.sha256(bytes([n])).hexdigest() for n in range(9))
)
BASE64 = base64.encodebytes(hashlib.sha512(b"a").digest() * 9).decode()
CHINESE = "预算是一个请求可以占用的大小。放不下的内容不会被发送，并且会说明原因。\n"
JAPANESE = "予算とは、一つのリクエストが使える大きさのことです。入らないものは送られません。\n"
KOREAN = "예산은 하나의 요청이 차지할 수 있는 크기이다. 들어가지 않는 것은 보내지 않는다.\n"

SEEN = [
    ("code", CODE),
    ("docs", PROSE),
    ("data", JSON),
    ("data", CSV),
    ("data", SVG),
    ("data", YAML),
    ("data", json.dumps({"a": [1, 2, {"b": None}], "c": "text"})),
    ("tool-output", DIFF),
    ("tool-output", LOG),
    ("tool-output", LS),
    ("tool-output", GREP),
    ("blob", HEX),
    ("blob", UUIDS),
    ("blob", BASE64),
    ("cjk", CHINESE),
    ("cjk", JAPANESE),
    ("cjk", KOREAN),
]


class TestWhatTheTextShows:
    """Each class has its examples, and a text of no class is docs."""

    @pytest.mark.parametrize(("wanted", "text"), SEEN)
    def test_an_example_is_recognised(self, wanted: str, text: str) -> None:
        assert wanted == content_class(text)

    @pytest.mark.parametrize(("wanted", "text"), SEEN)
    def test_windows_line_ends_change_nothing(self, wanted: str, text: str) -> None:
        assert wanted == content_class(text.replace("\n", "\r\n"))

    @pytest.mark.parametrize(
        ("wanted", "text"), [one for one in SEEN if one[1].count("\n") > 2], ids=str
    )
    def test_it_is_recognised_within_the_message_that_sends_it(
        self, wanted: str, text: str
    ) -> None:
        """A counter is asked for the size of what is sent: there, line ends are spelled out."""
        content = json.dumps(text, ensure_ascii=False)
        sent = f'{{"role":"tool","tool_call_id":"call_1","content":{content}}}'
        assert wanted == content_class(sent)

    @pytest.mark.parametrize("text", ["", " ", "\n\n", "\0", "word", "\ud800", "\x1b[31m"])
    def test_what_fits_no_rule_is_docs(self, text: str) -> None:
        assert "docs" == content_class(text)

    def test_long_names_and_paths_are_no_blob(self) -> None:
        """They are made of letters, digits and slashes too, but there are words in them."""
        paths = "lib/python3/site-packages/curriculum/context/assemble.py\n" * 9
        assert "tool-output" == content_class(paths)
        names = "".join(f"print(the_longest_name_of_a_variable_{n})\n" for n in range(9))
        assert "code" == content_class(names)


class TestWhatThePathAdds:
    """A name decides what the text leaves open, and no more."""

    def test_the_end_of_the_name_goes_before_the_lines(self) -> None:
        assert ("docs", "code") == (content_class(PROSE), content_class(PROSE, "src/a.PY"))
        assert "docs" == content_class(CODE, "docs/example.md")

    def test_what_the_characters_show_goes_before_the_name(self) -> None:
        assert "blob" == content_class(HEX, "a.py")
        assert "cjk" == content_class(CHINESE, "a.md")
        assert "tool-output" == content_class(DIFF, "a.txt")

    @pytest.mark.parametrize("path", ["a.unknown", "py", "x.py/readme", ".py", "a."])
    def test_a_name_that_says_nothing_changes_nothing(self, path: str) -> None:
        assert "docs" == content_class(PROSE, path)


class TestAnyText:
    """It never fails, and a long text takes no longer than its windows."""

    @given(st.text(st.characters()))
    def test_every_text_has_one_class(self, text: str) -> None:
        """Lone surrogates, controls and all."""
        assert content_class(text) in CLASSES
        assert content_class(text) == content_class(text)

    @pytest.mark.parametrize(
        "one", ["a", "^", " ", "\n", "{", '"', "\\n", "/", "-", "a/", "0", "=", "a.", "中", "😀"]
    )
    def test_a_million_times_the_same_is_looked_at_in_three_windows(self, one: str) -> None:
        """Lines of code that run are counted, not seconds: a hundredfold text takes no more."""
        assert _steps(lambda: content_class(one * 1_000_000)) <= 3 * _steps(
            lambda: content_class(one * (WINDOW * 4))
        )

    def test_the_start_the_middle_and_the_end_are_seen(self) -> None:
        """Prose at the start does not hide that the rest is a blob."""
        text = PROSE * 3 + HEX * 400
        assert "blob" == content_class(text)


def _steps(work: Callable[[], object]) -> int:
    """Lines of Python that run."""
    count = 0

    def step(frame: object, event: str, arg: object) -> object:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)  # type: ignore[arg-type]
    try:
        work()
    finally:
        sys.settrace(before)
    return count
