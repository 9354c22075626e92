"""Why the log cannot take a record."""

from .records import HIGHEST, Kind, Record, Trust, UnlawfulRecord, rises
from .schemas import is_canonical


def explain(record: Record) -> None:
    """Raise `UnlawfulRecord` for the first law that the record breaks."""
    kind, trust = record.kind, record.trust
    limit = HIGHEST.get(kind, Trust.SYSTEM)
    if rises(trust, limit):
        raise UnlawfulRecord(
            f"A record of kind {kind} cannot carry the label {trust}.",
            f"the highest label for {kind} is {limit} (law 10: trust never rises)",
        )
    if kind in (Kind.INSTRUCTION, Kind.TOOLS) and rises(Trust.DEVELOPER, trust):
        what = "be an instruction" if kind is Kind.INSTRUCTION else "offer tools"
        raise UnlawfulRecord(
            f"A text with the label {trust} cannot {what}.",
            "instruction slots take system and developer only (law 10)",
        )
    if (record.answers is not None) != (kind is Kind.RESULT):
        raise UnlawfulRecord("A result answers exactly one call, and nothing else answers one.")
    for tool in record.tools:
        if tool.parameters and not is_canonical(tool.parameters):
            raise UnlawfulRecord(
                f"The parameters of the tool {tool.name!r} are no canonical JSON object.",
                "sorted keys, no blanks, ASCII: they are sent as they stand (law 10)",
            )
