"""Whatever goes wrong with a call, the model gets one bounded result in our own words."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from curriculum.agent.failures import FAILURES
from curriculum.agent.read_artifact import read_artifact
from curriculum.agent.tools import Tool, ToolOutput, ToolRegistry
from curriculum.record.artifacts import ArtifactError, ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call

NUMBER = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "unit": {"enum": ["a", "b"]}},
    "required": ["n"],
    "additionalProperties": False,
}


NO_HANDLE = "is no handle; a handle is a and 8 to 64 hex digits in lower case"


def registry(run: Any, parameters: Any = None) -> ToolRegistry:
    return ToolRegistry(Tool("t", run, parameters=parameters))


def output(run: Any, arguments: str = "{}", parameters: Any = None) -> ToolOutput:
    return registry(run, parameters).call(Call("c1", "t", arguments))


class TestArguments:
    """Arguments are checked against the tool's JSON Schema before it runs."""

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ("{", "bad-arguments: t: the arguments are not JSON"),
            ("[1]", 'bad-arguments: t: the arguments must satisfy type "object"'),
            ("{}", 'bad-arguments: t: the arguments must satisfy required ["n"]'),
            ('{"n":"1"}', 'bad-arguments: t: n must satisfy type "integer"'),
            ('{"n":true}', 'bad-arguments: t: n must satisfy type "integer"'),
            ('{"n":0}', "bad-arguments: t: n must satisfy minimum 1"),
            ('{"n":1,"unit":"c"}', 'bad-arguments: t: unit must satisfy enum ["a", "b"]'),
            (
                '{"n":1,"m":2}',
                "bad-arguments: t: the arguments have a name that is not known; known: n, unit",
            ),
        ],
    )
    def test_the_place_and_the_rule_are_named(self, arguments: str, text: str) -> None:
        ran: list[int] = []
        assert ToolOutput(text, "bad-arguments") == output(
            lambda **_: ran.append(1), arguments, NUMBER
        )
        assert [] == ran

    def test_a_tool_without_parameters_takes_nothing(self) -> None:
        assert "bad-arguments" == output(lambda: "x", '{"n":1}').failed
        assert ToolOutput("x") == output(lambda: "x", "{}")

    def test_arguments_that_fit_reach_the_tool(self) -> None:
        assert ToolOutput("b 3") == output(
            lambda n, unit: f"{unit} {n}", '{"n":3,"unit":"b"}', NUMBER
        )

    def test_a_value_of_a_model_is_never_a_default_of_the_schema(self) -> None:
        """A default in a schema is for the reader; it is not put into the arguments."""
        schema = {"type": "object", "properties": {"n": {"type": "integer", "default": 7}}}
        assert ToolOutput("none") == output(lambda n="none": str(n), "{}", schema)

    def test_no_arguments_at_all_are_none(self) -> None:
        """Models leave the text empty where there is nothing to say."""
        assert ToolOutput("x") == output(lambda: "x", "")
        assert ToolOutput("x") == output(lambda: "x", "", {"type": "object"})

    @pytest.mark.parametrize("arguments", ["[" * 100_000, '{"n":' * 100_000])
    def test_arguments_that_nest_too_deep(self, arguments: str) -> None:
        text = "bad-arguments: t: the arguments are nested too deep"
        assert ToolOutput(text, "bad-arguments") == output(lambda: "x", arguments, NUMBER)

    def test_arguments_are_an_object_whatever_the_schema_says(self) -> None:
        text = 'bad-arguments: t: the arguments must satisfy type "object"'
        assert text == output(lambda **_: "x", "[]", {"properties": {}}).text


class TestSchemas:
    """Parameters are checked when the tool is made."""

    @pytest.mark.parametrize(
        "parameters",
        [
            {"type": "strin"},
            {"properties": {"n": {"type": "integer", "minimum": "x"}}},
            {"properties": {"n": {"pattern": "("}}},
            {"properties": 5},
            {"properties": {"n": {"$ref": "#/nowhere"}}},
            {"enum": [object()]},
            {"const": float("nan")},
            ["object"],
        ],
    )
    def test_what_is_no_schema_is_refused_with_the_tools_name(self, parameters: Any) -> None:
        with pytest.raises(CurriculumError, match="of the tool 't' are no JSON Schema") as caught:
            Tool("t", lambda: "x", parameters=parameters)
        assert "tool-schema" == caught.value.code

    @pytest.mark.parametrize("scheme", ["http", "HTTPS", "ftp", "file", "data", "gopher", ""])
    def test_a_reference_to_another_place_opens_no_connection(
        self, scheme: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened: list[Any] = []
        monkeypatch.setattr("socket.create_connection", lambda *a, **_: opened.append(a))
        monkeypatch.setattr("builtins.open", lambda *a, **_: opened.append(a))
        where = f"{scheme}://127.0.0.1:9/schema.json" if scheme else "schema.json"
        with pytest.raises(CurriculumError) as caught:
            Tool("t", lambda: "x", parameters={"properties": {"n": {"$ref": where}}})
        assert "tool-schema" == caught.value.code
        assert [] == opened

    def test_parameters_are_sent_in_their_one_spelling(self) -> None:
        tool = Tool("t", lambda: "x", parameters={"type": "object", "a": {10: 1, 2: "\u00e4"}})
        assert '{"a":{"10":1,"2":"\\u00e4"},"type":"object"}' == tool.spec.parameters

    def test_a_tool_that_takes_nothing_needs_no_validator(self) -> None:
        code = (
            "import sys; from curriculum.agent.tools import Tool\n"
            "assert Tool('t', lambda: 'x').call('{}').text == 'x'\n"
            "assert 'fastjsonschema' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True)


class TestFailures:
    """No text of a library or of the interpreter enters a record."""

    def test_an_unknown_tool_names_what_is_offered(self) -> None:
        found = registry(lambda: "x").call(Call("c1", "u", "{}"))
        assert ToolOutput("unknown-tool: no tool is named u; offered: t", "unknown-tool") == found

    def test_no_tools_at_all(self) -> None:
        text = "unknown-tool: no tool is named u; offered: none"
        assert text == ToolRegistry().call(Call("c1", "u", "{}")).text

    @pytest.mark.parametrize("error", [ValueError("words"), SystemExit(3), RecursionError("words")])
    def test_an_exception_is_named_by_its_type_only(self, error: BaseException) -> None:
        def fail() -> None:
            raise error

        name = type(error).__name__
        assert ToolOutput(f"tool-raised: t raised {name}", "tool-raised") == output(fail)

    @pytest.mark.parametrize(
        ("error", "name"),
        [
            (re.error("words"), "Exception"),
            (type("MyError", (KeyError,), {})(), "KeyError"),
            (json.JSONDecodeError("words", "", 0), "ValueError"),
            (ExceptionGroup("words", [ValueError()]), "ExceptionGroup"),
        ],
    )
    def test_a_name_that_can_change_is_told_by_its_base(self, error: Exception, name: str) -> None:
        """`re.error` is `PatternError` in newer Pythons; only the language's own names are kept."""

        def fail() -> None:
            raise error

        assert f"tool-raised: t raised {name}" == output(fail).text

    def test_every_text_is_bounded(self) -> None:
        """200 characters of a parameter, its marker among them: 96 + [-99809-] 9 + 95."""
        name = "n" * 100_000
        unknown = registry(lambda: "x").call(Call("c1", name, "{}")).text
        head, tail = "n" * 96, "n" * 95
        assert f"unknown-tool: no tool is named {head}[-99809-]{tail}; offered: t" == unknown
        schema = {"type": "object", "properties": {"n": {"enum": ["x" * 5000]}}}
        found = output(lambda n: n, '{"n":1}', schema)
        assert len(found.text) < 300
        many = ToolRegistry(*(Tool(f"tool-{n}", lambda: "x") for n in range(500)))
        assert len(many.call(Call("c1", "u", "{}")).text) < 300
        odd = type("T" * 5000, (), {})
        assert len(output(odd).text) < 300

    def test_an_interrupt_is_no_failure_of_the_tool(self) -> None:
        def stop() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            output(stop)

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ({"b": 1, "a": [None, True]}, '{"a": [null, true], "b": 1}'),
            (None, "null"),
            (7, "7"),
            ("plain", "plain"),
        ],
    )
    def test_a_value_that_is_no_text_is_sent_as_json(self, value: object, text: str) -> None:
        assert ToolOutput(text) == output(lambda: value)

    @pytest.mark.parametrize("value", [object(), {1, 2}, float("nan"), b"x"])
    def test_a_value_that_is_neither(self, value: object) -> None:
        found = output(lambda: value)
        assert "bad-result" == found.failed
        assert (
            f"bad-result: t returned {type(value).__name__}, which is no text and no JSON"
            == found.text
        )

    def test_a_value_that_nests_too_deep(self) -> None:
        value: Any = []
        for _ in range(100_000):
            value = [value]
        assert "bad-result" == output(lambda: value).failed

    @pytest.mark.filterwarnings("error")
    def test_an_async_tool_is_closed_and_told_of(self) -> None:
        async def later() -> str:
            return "x"

        text = "bad-result: t returned coroutine, which is no text and no JSON"
        assert ToolOutput(text, "bad-result") == output(later)

    def test_the_catalogue_is_closed(self) -> None:
        assert [
            "unknown-tool",
            "bad-arguments",
            "tool-raised",
            "bad-result",
            "interrupted",
            "denied",
            "not-run",
        ] == list(FAILURES)

    @pytest.mark.parametrize("name", ["", "t"])
    def test_names_are_unique_and_not_empty(self, name: str) -> None:
        with pytest.raises(CurriculumError, match="empty or taken"):
            registry(lambda: "x").add(Tool(name, lambda: "y"))

    def test_braces_in_a_name_are_only_characters(self) -> None:
        """A name cannot become a place in the catalogue's text."""
        found = ToolRegistry().call(Call("c1", "{offered}", "{}"))
        assert "unknown-tool: no tool is named {offered}; offered: none" == found.text


class TestArtifacts:
    """What is stored comes back whole, or is refused; never something else."""

    def test_the_same_text_has_the_same_handle_of_a_and_8_hex_digits(self) -> None:
        """sha256 of the empty text begins with e3b0c442."""
        store = ArtifactStore()
        assert "ae3b0c442" == store.put("") == store.put("")

    def test_two_texts_whose_hashes_begin_alike_get_a_longer_handle(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from curriculum.record import artifacts

        hashes = {"one": "12345678a" + "0" * 55, "two": "12345678b" + "0" * 55}
        monkeypatch.setattr(artifacts, "sha256", hashes.__getitem__)
        store = ArtifactStore()
        assert ("a12345678", "a12345678b") == (store.put("one"), store.put("two"))
        assert ("one", "two") == (store.get("a12345678"), store.get("a12345678b"))

    def test_an_unknown_handle(self) -> None:
        with pytest.raises(ArtifactError, match="No artifact has the handle 'a00000000'"):
            ArtifactStore().get("a00000000")

    def test_damaged_content_is_reported_never_returned(self) -> None:
        store = ArtifactStore()
        handle = store.put("good")
        store._kept[handle] = (store._kept[handle][0], "evil")  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(ArtifactError) as caught:
            store.get(handle)
        assert "artifact-damaged" == caught.value.code

    @pytest.mark.parametrize(
        ("range_", "text"),
        [
            ({"start": 1, "count": 2}, "lines 1 to 3 of 4\ntwo\u2028still two\nthree"),
            ({"start": 3, "count": 9}, "lines 3 to 4 of 4\nfour"),
            ({"start": 9}, "lines 9 to 9 of 4\n"),
            ({"start": 1, "count": 5, "unit": "characters"}, "characters 1 to 6 of 28\nne\ntw"),
        ],
    )
    def test_a_range_of_lines_or_characters(self, range_: dict[str, Any], text: str) -> None:
        """Only LF ends a line: U+2028 is content."""
        store = ArtifactStore()
        handle = store.put("one\ntwo\u2028still two\nthree\nfour")
        tools = ToolRegistry(read_artifact(store))
        arguments = json.dumps({"handle": handle, **range_})
        assert f"{handle} {text}" == tools.call(Call("c1", "read_artifact", arguments)).text

    @pytest.mark.parametrize(
        ("handle", "text"),
        [
            ("a00000000", "artifact-unknown: a00000000"),
            ("ae3b0c443", "artifact-unknown: ae3b0c443; nearest: ae3b0c442"),
            ("../../etc/passwd", f"artifact-handle: '../../etc/passwd' {NO_HANDLE}"),
            ("a1\nb\u0000\ud800", f"artifact-handle: 'a1\\nb\\x00\\ud800' {NO_HANDLE}"),
            ("x" * 200, f"artifact-handle: '{'x' * 29}[-142-]{'x' * 29}' {NO_HANDLE}"),
        ],
    )
    def test_a_handle_that_leads_nowhere_is_told_in_one_line_by_its_code(
        self, handle: str, text: str
    ) -> None:
        """The nearest is named if one character is wrong; the empty text has ae3b0c442."""
        store = ArtifactStore()
        store.put("")
        found = ToolRegistry(read_artifact(store)).call(
            Call("c1", "read_artifact", json.dumps({"handle": handle}))
        )
        assert ToolOutput(text) == found

    def test_a_number_that_is_whole_but_not_written_so_is_told_by_its_code(self) -> None:
        """JSON Schema takes 1.0 for an integer."""
        store = ArtifactStore()
        arguments = f'{{"handle": "{store.put("")}", "start": 1.0}}'
        found = ToolRegistry(read_artifact(store)).call(Call("c1", "read_artifact", arguments))
        assert ToolOutput("artifact-range: start is a value of type float.") == found
