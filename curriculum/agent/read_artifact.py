"""A tool that fetches what was cut: a range of an artifact, by lines or characters."""

from curriculum.record.artifacts import ArtifactError, Artifacts, shown
from curriculum.record.records import Trust, rises

from .tools import Tool, ToolOutput

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


def read_artifact(store: Artifacts) -> Tool:
    """The tool `read_artifact` over `store`. A range starts at `start` (from 0), `count` long.

    Content is checked against its hash; its result passes gate 1 like any other, and is trusted
    no more than the artifact is. What cannot be read is told in one line, by its code.
    """

    def read(
        handle: str, start: int = 0, count: int = 100, unit: str = "lines"
    ) -> str | ToolOutput:
        try:
            span = store.span(handle, start, count, unit)
        except ArtifactError as error:
            return _told(handle, error)
        text = f"{handle} {unit} {start} to {span.stop} of {span.total}\n{span.text}"
        trust = span.artifact.trust
        return ToolOutput(text, trust=trust) if rises(Trust.TOOL, trust) else text

    about = "Reads a range of a text that was cut, by the handle in its marker."
    return Tool("read_artifact", read, about, _PARAMETERS)


def _told(handle: str, error: ArtifactError) -> str:
    """One line for the model: never a place on this machine, which a headline may name."""
    if error.code == "artifact-handle":
        return f"{error.code}: {shown(handle)} is no handle; {error.evidence[0]}"
    if error.code == "artifact-range":
        return f"{error.code}: {error.headline}"
    near = error.evidence if error.code == "artifact-unknown" else ()
    return "; ".join([f"{error.code}: {handle}", *near])
