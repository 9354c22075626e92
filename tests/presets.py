"""The truncation rules of agents, as the data in presets.toml says them."""

import tomllib
from pathlib import Path

from curriculum.record.truncation import Truncation

_DATA = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))

PRESETS: dict[str, tuple[Truncation, ...]] = {
    preset["name"]: tuple(map(Truncation.of, preset.get("rule", ()))) for preset in _DATA["preset"]
}
"""The rules of each, in the order in which they are applied."""
