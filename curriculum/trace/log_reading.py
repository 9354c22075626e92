"""A log read up to some record: groups, what the user waits for, what cannot be sent at all."""

from collections.abc import Callable, Sequence

from curriculum.context.policy import Policy
from curriculum.record.exchange import Group, Grouping
from curriculum.record.records import Kind, Record

from .compacted import compacted


class Reading:
    """A log read up to some record; reading on costs only what is new."""

    def __init__(self, records: Sequence[Record], refuses: Callable[[Record], str | None]) -> None:
        self.records, self.refuses = records, refuses
        self._start()

    def _start(self) -> None:
        self.count = 0
        self.grouping = Grouping(self.refuses)
        self.instructions: list[int] = []
        self.tools: int | None = None
        self.waiting: list[int] = []
        self.summaries: list[int] = []
        """Records that say which others they replace."""
        self._compacted: dict[int, int] | None = None

    def upto(self, count: int) -> "Reading":
        """Read until `count` records are known, from the start if more were."""
        if count < self.count:
            self._start()
        fresh = self.records[self.count : count]
        self.grouping.read(fresh, self.count)
        for at, record in enumerate(fresh, self.count):
            if record.kind is Kind.INSTRUCTION:
                self.instructions.append(at)
            elif record.kind is Kind.TOOLS:
                self.tools = at
            elif record.kind is Kind.USER:
                self.waiting.append(at)
            elif record.kind is Kind.ASSISTANT and not record.calls:
                self.waiting = []
            if record.replaces is not None:
                self.summaries.append(at)
        self.count, self._compacted = count, None
        return self

    @property
    def compacted(self) -> dict[int, int]:
        """The groups that a summary stands for: their first position, and the summary's."""
        if self._compacted is None:
            groups = self.grouping.groups
            self._compacted = compacted(groups, self.records, self.summaries)
        return self._compacted

    def defect(self, group: Group) -> str | None:
        """Why a group cannot be sent at all; None if it can."""
        record = self.records[group.main]
        if group.members[0] in self.compacted:
            return "compacted"
        if group.orphan:
            return "unpaired-result"
        if group.lead == len(group.members):
            return "unpaired-thinking"
        if group.open:
            return "unanswered-call"
        if record.kind is Kind.TOOLS and group.main != self.tools:
            return "superseded"
        return self.refuses(record)

    def unseen(self) -> Group | None:
        """The exchange that the model has not seen: the last turn's, if that has results."""
        last = self.grouping.turn
        if last is None or len(last.members) == last.lead + 1 or self.defect(last) is not None:
            return None
        return last

    def protected(self, policy: Policy) -> dict[int, str]:
        """The positions that must stand whole in a request made now, each with its reason."""
        stay: dict[int, str] = {}
        if Kind.INSTRUCTION in policy.protect:
            stay = dict.fromkeys(self.instructions, "protected-instruction")
        if policy.current_request:
            waits = [at for at in self.waiting if at not in self.compacted]
            stay |= dict.fromkeys(waits, "protected-request")
        if self.tools is not None and Kind.TOOLS in policy.protect:
            stay[self.tools] = "protected-tools"
        return stay
