"""What is known of models: dated, with a source, and refused where it is not known."""

import re
from pathlib import Path
from typing import Any

import pytest

from curriculum.count.families import FAMILIES
from curriculum.count.models import SHIPPED, Capabilities, shipped
from curriculum.record.errors import CurriculumError

ENTRY: dict[str, Any] = {
    "id": "mine",
    "provider": "me",
    "window": 8192,
    "max_output": 2048,
    "family": "tekken",
    "wire": "openai-chat",
    "frame": "largest",
    "image": "none",
    "preamble_auto": 0,
    "preamble_any": 0,
    "special": "text",
    "as_of": "2026-12-01",
    "source": "my own server",
}


def written(path: Path, *entries: dict[str, Any], table: str = "model") -> Path:
    file = path / "models.toml"
    lines: list[str] = []
    for entry in entries:
        lines.append(f"[[{table}]]")
        for name, value in entry.items():
            spelled = re.sub(r"^'|'$", '"', repr(value)) if isinstance(value, str) else repr(value)
            lines.append(f"{name} = {spelled.replace('True', 'true')}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def refused(file: Path) -> CurriculumError:
    with pytest.raises(CurriculumError) as caught:
        shipped().with_file(file)
    assert "models-file" == caught.value.code
    assert str(file) in caught.value.headline
    return caught.value


class TestShipped:
    def test_many_of_many_families(self) -> None:
        known = shipped().models.values()
        assert 25 <= len(known)
        assert 6 <= len({model.family for model in known})
        assert {model.family for model in known} <= set(FAMILIES)

    def test_each_is_dated_and_has_a_source(self) -> None:
        known = shipped()
        for one in [*known.models.values(), *known.frames.values()]:
            assert re.fullmatch(r"2026-\d\d-\d\d", one.as_of), one
            assert re.match(r"https://\S+$", one.source), one

    @pytest.mark.parametrize(
        ("name", "window", "output", "family"),
        [
            ("gpt-4o", 128_000, 16_384, "o200k"),
            ("gpt-4-turbo", 128_000, 4_096, "cl100k"),
            ("gpt-4.1-mini", 1_047_576, 32_768, "o200k"),
            ("o4-mini", 200_000, 100_000, "o200k"),
            ("claude-haiku-4-5", 200_000, 64_000, "claude-3"),
            ("claude-opus-4-8", 1_000_000, 128_000, "claude-4.7"),
            ("gemini-2.5-pro", 1_048_576, 65_536, "gemma"),
            ("Llama-3.1-8B", 131_072, 131_072, "llama3"),
            ("Mistral-7B-Instruct-v0.1", 8_192, 8_192, "mistral-spm"),
        ],
    )
    def test_figures(self, name: str, window: int, output: int, family: str) -> None:
        model = shipped().for_model(name)
        assert (window, output, family) == (model.window, model.max_output, model.family)

    @pytest.mark.parametrize(
        ("name", "auto", "any_tool"),
        [
            ("gpt-4o", 0, 0),
            ("claude-opus-4-8", 290, 410),
            ("claude-opus-4-7", 675, 804),
            ("claude-sonnet-4-6", 497, 589),
            ("claude-haiku-4-5", 496, 588),
            ("claude-opus-4-1", 313, 315),
            ("claude-sonnet-5", 354, 474),
        ],
    )
    def test_hidden_prompt_for_tools(self, name: str, auto: int, any_tool: int) -> None:
        model = shipped().for_model(name)
        assert (auto, any_tool) == (model.preamble_auto, model.preamble_any)

    def test_no_model_takes_more_than_its_window(self) -> None:
        for model in shipped().models.values():
            assert 1 <= model.max_output <= model.window
            assert 0 <= model.max_input < model.window

    def test_frame(self) -> None:
        """66 once, 2 messages of 6, a call of 13, a result of 14, a reply of 2: 107."""
        known = shipped()
        assert 107 == known.frame_of(known.for_model("gpt-5")).tokens(2, 1, 1)

    def test_largest_frame_is_the_largest(self) -> None:
        """The frame that stands for templates which nobody measured is under none that was."""
        frames = dict(shipped().frames)
        largest = frames.pop("largest")
        for name in ("once", "message", "call", "result", "primed"):
            assert getattr(largest, name) == max(getattr(frame, name) for frame in frames.values())


class TestName:
    def test_alias(self) -> None:
        assert "gpt-5.6-sol" == shipped().for_model("gpt-5.6").id
        assert "Llama-3.1-8B" == shipped().for_model("meta-llama/Llama-3.1-8B-Instruct").id

    def test_unknown_is_answered_with_the_nearest(self) -> None:
        with pytest.raises(CurriculumError) as caught:
            shipped().for_model("Claude-Haiku-45")
        assert "model-unknown" == caught.value.code
        assert "nearest: claude-haiku-4-5" in caught.value.evidence[0]
        assert "curriculum models" == caught.value.next

    @pytest.mark.parametrize("name", ["", "zzzzzzzzzzzz", "<b>", "\udc80"])
    def test_unknown_without_a_near_one(self, name: str) -> None:
        with pytest.raises(CurriculumError, match="No model is called"):
            shipped().for_model(name)

    def test_given(self) -> None:
        """A model that a person describes has the largest frame and preamble of any known one."""
        model = shipped().given("mine", 8192, "tekken", 1000)
        assert ("mine", 8192, 1000, "tekken") == (
            model.id,
            model.window,
            model.max_output,
            model.family,
        )
        assert ("largest", "unknown", 804) == (model.frame, model.image, model.preamble_any)

    @pytest.mark.parametrize(
        ("window", "family", "code"),
        [(0, "o200k", "model-given"), (-5, "o200k", "model-given"), (10, "nope", "family-unknown")],
    )
    def test_given_nonsense(self, window: int, family: str, code: str) -> None:
        with pytest.raises(CurriculumError) as caught:
            shipped().given("mine", window, family)
        assert code == caught.value.code


class TestFile:
    def test_own_model(self, tmp_path: Path) -> None:
        known = shipped().with_file(written(tmp_path, {**ENTRY, "aliases": ["m", "my"]}))
        assert 8192 == known.for_model("my").window
        assert 128_000 == known.for_model("gpt-4o").window
        assert 0 == known.for_model("mine").reserve

    def test_own_entry_takes_the_place_of_one_with_its_id(self, tmp_path: Path) -> None:
        known = shipped().with_file(written(tmp_path, {**ENTRY, "id": "gpt-4o"}))
        assert 8192 == known.for_model("gpt-4o").window
        assert isinstance(known, Capabilities)
        assert 128_000 == shipped().for_model("gpt-4o").window

    def test_shipped_file_passes_its_own_checks(self) -> None:
        assert 58 == len(Capabilities({}, {}).with_file(SHIPPED).models)

    @pytest.mark.parametrize("name", [name for name in ENTRY if name != "id"])
    def test_missing_field(self, tmp_path: Path, name: str) -> None:
        entry = {key: value for key, value in ENTRY.items() if key != name}
        assert f"model 1 ('mine') lacks {name}." in refused(written(tmp_path, entry)).headline

    @pytest.mark.parametrize("name", ENTRY)
    @pytest.mark.parametrize("value", [[], -1, True, ""])
    def test_wrong_type(self, tmp_path: Path, name: str, value: Any) -> None:
        """A bool is no number, an empty text is none, and a number may not be below 0."""
        error = refused(written(tmp_path, {**ENTRY, name: value}))
        assert f": {name} is {value!r}." in error.headline

    @pytest.mark.parametrize("name", ["window", "max_output"])
    def test_zero(self, tmp_path: Path, name: str) -> None:
        error = refused(written(tmp_path, {**ENTRY, name: 0}))
        assert ("it must be a whole number of tokens, at least 1",) == error.evidence

    @pytest.mark.parametrize(
        ("field", "value"),
        [("family", "gpt"), ("wire", "plain"), ("frame", "mine"), ("special", "both")],
    )
    def test_closed_list(self, tmp_path: Path, field: str, value: str) -> None:
        error = refused(written(tmp_path, {**ENTRY, field: value}))
        assert f"model 1: {field} is {value!r}." in error.headline
        assert error.evidence[0].startswith("known: ")

    def test_unknown_key(self, tmp_path: Path) -> None:
        error = refused(written(tmp_path, {**ENTRY, "windwo": 5}))
        assert "model 1 ('mine') has no field 'windwo'." in error.headline

    def test_twice(self, tmp_path: Path) -> None:
        error = refused(written(tmp_path, ENTRY, {**ENTRY, "id": "other", "aliases": ["mine"]}))
        assert "model 2: aliases 'mine' is there already." in error.headline

    def test_alias_of_a_shipped_model(self, tmp_path: Path) -> None:
        error = refused(written(tmp_path, {**ENTRY, "aliases": ["gpt-4o"]}))
        assert "'gpt-4o' stands for two models." in error.headline

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "has no models"),
            (b"\xff", "is no UTF-8: byte 0."),
            (b"x = ", "is no TOML."),
            (b"[[modle]]\n", "has no use for 'modle'."),
            (b"model = 5\n", "model is no list."),
            (b"model = [5]\n", "model 1 is no table."),
        ],
    )
    def test_odd_file(self, tmp_path: Path, content: bytes, said: str) -> None:
        file = tmp_path / "models.toml"
        file.write_bytes(content)
        assert said in refused(file).headline

    def test_missing_file_and_folder(self, tmp_path: Path) -> None:
        assert "There is no file" in refused(tmp_path / "nope.toml").headline
        assert "cannot be read" in refused(tmp_path).headline
