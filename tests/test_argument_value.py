"""Arguments of calls by value: two spellings of one question are one, on every interpreter."""

import pytest

from curriculum.record.argument_value import DEEPEST, Number, argument_value, spelled


def same(one: str, other: str) -> bool:
    return spelled(argument_value(one)) == spelled(argument_value(other))


class TestOneQuestion:
    """What asks for the same thing is spelled alike."""

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ('{"a":1,"b":[true,null]}', ' { "b" : [ true , null ] , "a" : 1 } '),
            ('{"a":"\\u00e9"}', '{"a":"\u00e9"}'),
            ("", "{}"),  # no arguments at all
            ("{", "{"),  # no JSON: the text itself
            ('{"a":1,"a":2}', '{"a":2}'),  # the last of two keys, as every reader has it
        ],
    )
    def test_the_same(self, one: str, other: str) -> None:
        assert same(one, other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ('{"a":1}', '{"a":2}'),
            ('{"a":1}', '{"a":"1"}'),
            ('{"a":1}', '{"a":1.0}'),  # numbers are as they are spelled
            ('{"a":1e400}', '{"a":1e401}'),  # which a reader may take for one infinity
            ('{"a":[1,2]}', '{"a":[2,1]}'),
            ("{", "{ "),
            ('{"a":NaN}', '{"a": NaN}'),  # no JSON, so the blank counts
            ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), " " + "[" * 65 + "]" * 65),
        ],
    )
    def test_not_the_same(self, one: str, other: str) -> None:
        assert not same(one, other)

    def test_how_deep_an_interpreter_reads_decides_nothing(self) -> None:
        deep = "[" * 100_000
        assert deep == argument_value(deep)
        assert [] == _inner(argument_value("[" * DEEPEST + "]" * DEEPEST))

    def test_how_many_digits_an_interpreter_reads_decides_nothing(self) -> None:
        assert Number("9" * 5000) == argument_value("9" * 5000)

    def test_brackets_in_texts_are_no_levels(self) -> None:
        assert {"a": "[" * 200} == argument_value('{"a":"' + "[" * 200 + '"}')


def _inner(value: object) -> object:
    while isinstance(value, list) and value:
        value = value[0]  # pyright: ignore[reportUnknownVariableType]
    return value  # pyright: ignore[reportUnknownVariableType]
