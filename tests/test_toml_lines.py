"""On which line each key of a TOML text stands: written out, and for random texts."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.toml_lines import MOST, Place, line_at, lines_of

TEXT = '''# [not.a.table]
name = "a # no comment"   # x = 1
about = """
[[no]]
table = "]" \\"""
""""
"two words" = 'lit]'
list = [ # one
    1, 2.5,
    "three", [4, [
        5,
    ]],
]
a.b.c = { d = 1, "e.f" = [1,
  2] }

[table]
key = 1979-05-27 07:32:00
[[rule]]
x = \'\'\'
[[rule]]
\'\'\'
[[rule]]
[rule.more]
y = 2
[[rule.deep]]
z = true
[[rule.deep]]

[ spaced . "out" ]
  k = 1
'''
LINES: dict[Place, int] = {
    ("name",): 2,
    ("about",): 3,
    ("two words",): 7,
    ("list",): 8,
    ("list", 1): 9,
    ("list", 2): 9,
    ("list", 3): 10,
    ("list", 4): 10,
    ("list", 4, 1): 10,
    ("list", 4, 2): 10,
    ("list", 4, 2, 1): 11,
    ("a",): 14,
    ("a", "b"): 14,
    ("a", "b", "c"): 14,
    ("a", "b", "c", "d"): 14,
    ("a", "b", "c", "e.f"): 14,
    ("a", "b", "c", "e.f", 1): 14,
    ("a", "b", "c", "e.f", 2): 15,
    ("table",): 17,
    ("table", "key"): 18,
    ("rule",): 19,
    ("rule", 1): 19,
    ("rule", 1, "x"): 20,
    ("rule", 2): 23,
    ("rule", 2, "more"): 24,
    ("rule", 2, "more", "y"): 25,
    ("rule", 2, "deep"): 26,
    ("rule", 2, "deep", 1): 26,
    ("rule", 2, "deep", 1, "z"): 27,
    ("rule", 2, "deep", 2): 28,
    ("spaced",): 30,
    ("spaced", "out"): 30,
    ("spaced", "out", "k"): 31,
}


class TestWrittenOut:
    """Every form that TOML has, each with its line."""

    def test_each_place_has_its_line(self) -> None:
        tomllib.loads(TEXT)
        assert LINES == lines_of(TEXT)

    def test_lines_that_end_in_cr_lf_count_alike(self) -> None:
        assert LINES == lines_of(TEXT.replace("\n", "\r\n"))

    @pytest.mark.parametrize(
        ("place", "line"),
        [
            ((), 1),
            (("nothing",), 1),
            (("rule", 2, "none"), 23),
            (("rule", 3), 19),
            (("list", 4, 2, 1, "no", 1), 11),
        ],
    )
    def test_what_is_not_written_out_stands_where_its_table_does(
        self, place: Place, line: int
    ) -> None:
        assert line == line_at(lines_of(TEXT), place)

    def test_of_a_long_list_the_first_thousand_entries_are_told_apart(self) -> None:
        text = "list = [\n" + "1,\n" * (MOST + 5) + "]\nlast = 1"
        lines = lines_of(text)
        assert (1001, 1) == (lines["list", 1000], line_at(lines, ("list", 1001)))
        assert 1008 == lines["last",]


def _places(value: Any, place: Place) -> list[Place]:
    """Every place of what the standard library has read."""
    if isinstance(value, dict):
        inner = [p for key, one in value.items() for p in _places(one, (*place, key))]  # pyright: ignore
    elif isinstance(value, list):
        inner = [p for n, one in enumerate(value, 1) for p in _places(one, (*place, n))]  # pyright: ignore
    else:
        inner = []
    return [*([place] if place else []), *inner]


SCALARS = st.sampled_from(
    [
        *("1", "-2.5e3", "true", "07:32:00", "1979-05-27 07:32:00", '"a = [1] # {x}"', "'\\'"),
        *(
            '"\\"]"',
            "'''\n\"'x]\n'''",
            '"""\n[[a]]\n\\"""\n"""',
            '""""""',
            "''",
            '"\\\\"',
            "''''''",
        ),
        *('""""x"""""', "'''x''''''"[:-1], '"""\\\n   x"""'),
    ]
)
GAPS = st.sampled_from(["", " ", "\n", "  # a = [\n\t", "\n\n"])
WORDS = st.sampled_from(["a", "b-1", "'c.d'", '"e \\" ]"', "_", "7"])


class Writer:
    """Writes TOML at random, and notes on which line it writes what."""

    def __init__(self, draw: Any) -> None:
        self.draw, self.text = draw, ""
        self.lines: dict[Place, int] = {}

    def note(self, place: Place) -> None:
        self.lines.setdefault(place, self.text.count("\n") + 1)

    def key(self, used: set[str]) -> str | None:
        word = self.draw(WORDS)
        if word in used:
            return None
        used.add(word)
        return word

    def value(self, place: Place, deep: int = 0) -> None:
        kind = self.draw(st.sampled_from(["scalar", "list", "table"])) if deep < 3 else "scalar"
        if kind == "scalar":
            self.text += self.draw(SCALARS)
        elif kind == "list":
            self.text += "["
            for number in range(1, self.draw(st.integers(0, 3)) + 1):
                self.text += self.draw(GAPS)
                self.note((*place, number))
                self.value((*place, number), deep + 1)
                self.text += self.draw(GAPS) + ","
            self.text += self.draw(GAPS) + "]"
        else:
            self.text += "{"
            used: set[str] = set()
            for _ in range(self.draw(st.integers(0, 3))):
                if (word := self.key(used)) is not None:
                    self.text += ", " if len(used) > 1 else " "
                    self.pair(word, place, deep + 1)
            self.text += " }"

    def pair(self, word: str, table: Place, deep: int = 0) -> None:
        place = (*table, tomllib.loads(f"k = {word}")["k"] if word[0] in "\"'" else word)
        self.note(place)
        self.text += f"{word} = "
        self.value(place, deep)

    def pairs(self, table: Place) -> None:
        used: set[str] = set()
        for _ in range(self.draw(st.integers(0, 3))):
            if (word := self.key(used)) is not None:
                self.text += self.draw(GAPS)
                self.pair(word, table)
                self.text += " # [x]\n"


@st.composite
def documents(draw: Any) -> tuple[str, dict[Place, int]]:
    writer = Writer(draw)
    writer.pairs(())
    for number in range(1, draw(st.integers(0, 3)) + 1):
        writer.text += draw(GAPS) + "\n"
        writer.note(("rules",))
        writer.note(("rules", number))
        writer.text += "[[rules]]\n"
        writer.pairs(("rules", number))
        writer.text += "\n"
        writer.note(("rules", number, "in"))
        writer.text += "[ rules . in ]\n"
        writer.pairs(("rules", number, "in"))
    return writer.text, writer.lines


@given(documents())
def test_a_random_text_has_each_place_on_the_line_where_it_was_written(
    document: tuple[str, dict[Place, int]],
) -> None:
    """The places are those that the standard library reads; the lines those of the writer."""
    text, lines = document
    assert set(_places(tomllib.loads(text), ())) == lines.keys()
    assert lines == lines_of(text)
