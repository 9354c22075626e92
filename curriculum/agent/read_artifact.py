"""A tool that fetches what was cut: a range of an artifact, by lines or characters."""

from curriculum.record.artifacts import ArtifactError, ArtifactStore

from .tools import Tool

_PARAMETERS = {
    "type": "object",
    "properties": {
        "handle": {"type": "string"},
        "start": {"type": "integer", "minimum": 0},
        "count": {"type": "integer", "minimum": 1},
        "unit": {"enum": ["lines", "characters"]},
    },
    "required": ["handle"],
    "additionalProperties": False,
}


def read_artifact(store: ArtifactStore) -> Tool:
    """The tool `read_artifact` over `store`. A range starts at `start` (from 0), `count` long.

    Content is checked against its hash; its result passes gate 1 like any other.
    """

    def read(handle: str, start: int = 0, count: int = 100, unit: str = "lines") -> str:
        try:
            text = store.get(handle)
        except ArtifactError as error:
            return f"{error.code}: {handle}"
        # Only LF ends a line here: other separators are content.
        whole = text.split("\n") if unit == "lines" else text
        part = whole[start : start + count]
        total = f"{unit} {start} to {start + len(part)} of {len(whole)}"
        return f"{handle} {total}\n{part if isinstance(part, str) else chr(10).join(part)}"

    about = "Reads a range of a text that was cut, by the handle in its marker."
    return Tool("read_artifact", read, about, _PARAMETERS)
