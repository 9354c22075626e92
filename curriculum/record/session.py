"""The append-only log. What is in it stays as it was written; a request is only a view of it."""

from collections.abc import Iterable
from typing import Any

from .records import Answers, Author, Kind, Record, Trust, check, record_id
from .text import scalar


class Session:
    """A log of records, id by position. `append` is the only way to change it."""

    def __init__(self, id: str = "session") -> None:
        self.id = id
        self.records: list[Record] = []
        """The log itself, for readers that must not pay for a copy. Do not change it."""
        self.open: list[Answers] = []
        """The calls of the last turn that have no result yet."""

    @property
    def events(self) -> tuple[Record, ...]:
        """The durable records so far."""
        return tuple(self.records)

    def append(
        self,
        kind: Kind,
        text: str = "",
        *,
        trust: Trust,
        author: Author,
        source: str,
        **fields: Any,
    ) -> Record:
        """Add one record and return it.

        Raises `UnlawfulRecord` for a label that the kind cannot carry, a result that answers no
        open call, or an assistant turn while a call of the last one has no result (law 5).
        """
        name = record_id(len(self.records) + 1)
        record = Record(name, kind, trust, author, source, scalar(text), **fields)
        check(record)
        if kind is Kind.ASSISTANT:
            if self.open:
                from .unlawful import too_early

                raise too_early(self.open)
            self.open = [Answers(name, call) for call in range(len(record.calls))]
        elif record.answers is not None:
            if record.answers not in self.open:
                from .unlawful import not_open

                raise not_open(record.answers)
            self.open.remove(record.answers)
        self.records.append(record)
        return record

    def adopt(self, records: Iterable[Record]) -> list[Record]:
        """Add the records of any other log, with new ids by position; return what was added.

        Texts lose their lone surrogates, and calls without a name get one. Pairing is left to
        assembly. Raises `UnlawfulRecord`, and adds nothing, for a label a kind cannot carry.
        """
        from .foreign import adopt

        return adopt(self, records)
