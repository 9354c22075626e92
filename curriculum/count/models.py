"""What each model takes and how it counts: windows, frames, image rules, dated and with a source.

`models.toml` beside this module holds the entries; a file of the same form adds to them or takes
the place of some. Sizes are tokens of the model's own tokenizer.
"""

import difflib
import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import attrs

from curriculum.record.errors import CurriculumError

SHIPPED = Path(__file__).with_name("models.toml")
NEAREST = 3
"""Names that are suggested for one that is not known."""


@attrs.frozen
class Frame:
    """Tokens that a request costs beside its text, as its template or its wire adds them.

    `once` a request, `message` each, `call` and `result` each beside the message they stand in,
    `primed` for the reply that is begun. `results` says how a result's text is sent: as `text`, or
    as a `json` string.
    """

    id: str
    once: int
    message: int
    call: int
    result: int
    primed: int
    results: str
    as_of: str
    source: str
    note: str = ""

    def tokens(self, messages: int, calls: int, results: int) -> int:
        """What so many messages, calls and results cost beside their text."""
        each = self.message * messages + self.call * calls + self.result * results
        return self.once + each + self.primed


@attrs.frozen
class Model:
    """One model. `window` holds what goes in and what comes out; tokens.

    `max_output` is a capability, not a reservation. `max_input` is set where the provider takes
    less than the window, whatever is asked for as output; 0 for none. `reserve` is what its maker
    says to keep free for the output; 0 where nothing is said. `preamble_auto` and `preamble_any`
    are tokens of the hidden prompt once there are tools, by tool choice. `special`: text that
    spells a special token is counted as `text`, or as a `token`.
    """

    id: str
    provider: str
    window: int
    max_output: int
    family: str
    wire: str
    frame: str
    image: str
    preamble_auto: int
    preamble_any: int
    special: str
    as_of: str
    source: str
    aliases: tuple[str, ...] = ()
    max_input: int = 0
    reserve: int = 0
    note: str = ""


@attrs.frozen
class Capabilities:
    """The models that are known, by id; `for_model` finds one by its id or an alias."""

    models: Mapping[str, Model]
    frames: Mapping[str, Frame]

    def for_model(self, name: str) -> Model:
        """The model of this id or alias. Raises `CurriculumError` with the nearest names."""
        if name in self.models:
            return self.models[name]
        for model in self.models.values():
            if name in model.aliases:
                return model
        raise self._unknown(name)

    def frame_of(self, model: Model) -> Frame:
        """The frame of a model. Raises `CurriculumError` for one that is not known here."""
        if model.frame in self.frames:
            return self.frames[model.frame]
        raise CurriculumError(
            f"No frame is called {model.frame!a}.",
            f"known: {', '.join(self.frames)}",
            code="frame-unknown",
            next="curriculum models --json",
        )

    def given(self, name: str, window: int, family: str, max_output: int | None = None) -> Model:
        """A model that is not known, by what a person says of it; the rest is the worst known.

        Without a `max_output` nothing but the window limits the output.
        """
        from .families import family_of

        most = max(max(model.preamble_auto, model.preamble_any) for model in self.models.values())
        return Model(
            id=name,
            provider="given",
            window=_at_least_one("window", window),
            max_output=window if max_output is None else _at_least_one("max-output", max_output),
            family=family_of(family).id,
            wire="openai-chat",
            frame="largest",
            image="unknown",
            preamble_auto=most,
            preamble_any=most,
            special="text",
            as_of="",
            source="given",
            note="frame, preamble and image rule are the largest of any known model",
        )

    def with_file(self, path: str | Path) -> "Capabilities":
        """These and those of a file, which take the place of entries with the same id.

        Raises `CurriculumError` with the file, the entry and the field for one that cannot be read.
        """
        from .models_file import read

        frames, models = read(path, self.frames)
        return _joined({**self.frames, **frames}, {**self.models, **models}, str(path))

    def _unknown(self, name: str) -> CurriculumError:
        known = [spelled for m in self.models.values() for spelled in (m.id, *m.aliases)]
        folded = {spelled.casefold(): spelled for spelled in reversed(known)}
        near = difflib.get_close_matches(name.casefold(), sorted(folded), NEAREST, 0.3)
        quoted = shlex.quote(name or "MODEL")
        return CurriculumError(
            f"No model is called {name!a}.",
            *([f"nearest: {', '.join(folded[spelled] for spelled in near)}"] if near else []),
            f"or say what it is: curriculum budget {quoted} --window N --family F",
            code="model-unknown",
            next="curriculum models",
        )


def _at_least_one(name: str, value: int) -> int:
    if type(value) is int and 1 <= value < 10**15:
        return value
    raise CurriculumError(
        f"--{name} is {value!a}; it must be a whole number of tokens, at least 1.",
        code="model-given",
        next="curriculum models",
    )


def _joined(frames: Mapping[str, Frame], models: Mapping[str, Model], file: str) -> Capabilities:
    """The registry of these entries, if each name stands for one model."""
    taken: dict[str, str] = {}
    for name, owner in _names(models.values()):
        other = taken.setdefault(name, owner)
        if other != owner:
            raise CurriculumError(
                f"{file}: {name!a} stands for two models.",
                f"it is a name of {other!a} and of {owner!a}",
                "an entry of the same id takes the other's place; an alias does not",
                code="models-file",
                next="curriculum models",
            )
    return Capabilities(dict(models), dict(frames))


def _names(models: Iterable[Model]) -> Iterable[tuple[str, str]]:
    for model in models:
        for name in (model.id, *model.aliases):
            yield name, model.id


@cache
def shipped() -> Capabilities:
    """The models that come with the package."""
    from .models_file import read

    frames, models = read(SHIPPED, {})
    return _joined(frames, models, SHIPPED.name)
