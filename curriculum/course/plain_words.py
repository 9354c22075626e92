"""Words that the first ten minutes of a lesson do without: whoever reads them is new here."""

import re

JARGON = re.compile(
    r"\b(?:apis?|llms?|json|wires?|pools?|prompts?|payloads?|handles?|context window"
    r"|(?:artifact|assembl|candidate|compact|compress|encod|evict|exchange|fingerprint|harness"
    r"|hash|ingest|manifest|projection|protocol|runtime|schema|seriali[sz]|token|truncat)\w*)\b",
    re.I,
)
"""In every form they take. Used are: record, request, ceiling, gate, marker, decision, policy."""


def jargon(text: str) -> list[str]:
    """The words of JARGON in the prose of a text: blocks and code are not prose."""
    from .prose import FENCE

    return JARGON.findall(re.sub(r"`[^`]*`", " ", FENCE.sub(" ", text)))
