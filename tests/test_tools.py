"""Whatever goes wrong with a call, the model gets one bounded result in our own words."""

from typing import Any

import pytest

from curriculum.agent.read_artifact import read_artifact
from curriculum.agent.tools import FAILURES, Tool, ToolOutput, ToolRegistry
from curriculum.record.artifacts import ArtifactError, ArtifactStore
from curriculum.record.errors import CurriculumError
from curriculum.record.records import Call

NUMBER = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "unit": {"enum": ["a", "b"]}},
    "required": ["n"],
    "additionalProperties": False,
}


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

    def test_the_catalogue_is_closed(self) -> None:
        assert [
            "unknown-tool",
            "bad-arguments",
            "tool-raised",
            "bad-result",
            "interrupted",
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
        import json

        arguments = json.dumps({"handle": handle, **range_})
        assert f"{handle} {text}" == tools.call(Call("c1", "read_artifact", arguments)).text

    def test_a_handle_that_is_unknown_is_told_by_its_code(self) -> None:
        tools = ToolRegistry(read_artifact(ArtifactStore()))
        found = tools.call(Call("c1", "read_artifact", '{"handle":"../../etc/passwd"}'))
        assert "artifact-unknown: ../../etc/passwd" == found.text
