"""The sessions of one trace: the first, and each branch. A branch points, it does not copy.

The events of a session are those of its parent up to the place where it begins, and its own,
whose seqs count on from there. So each session by itself is a trace like any other.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .branch_events import SessionBranch

if TYPE_CHECKING:
    from .reader import Event, Trace

BRANCH = "session.branch"


class Counting:
    """Where a reader of a trace's lines is: what comes next, and how many records are known."""

    def __init__(self) -> None:
        self._known: list[int] = []
        self._sessions: dict[str, list[int]] = {}

    @property
    def seq(self) -> int:
        """The seq that comes next in the session that is being read."""
        return len(self._known) + 1

    @property
    def records(self) -> int:
        """How many records stand before what comes next."""
        return self._known[-1] if self._known else 0

    @property
    def branched(self) -> bool:
        """Whether the session that is being read is a branch."""
        return len(self._sessions) > 1

    def fault(self, seq: Any, type: str, data: Any) -> tuple[str, str] | None:
        """A code and words if this seq cannot come next, or a branch has no place; else None."""
        must = self.seq
        if type == BRANCH:
            parent, must = self._sessions.get(data.parent), data.at + 1
            if parent is None or not 1 <= data.at <= len(parent) or data.session in self._sessions:
                why = f"no session {data.parent!a} with an event {data.at} stands before it"
                return "trace-reference", f"{BRANCH}: {why}, or one named {data.session!a} does"
        same = seq == must and isinstance(seq, int) and not isinstance(seq, bool)
        return None if same else ("trace-line", f"seq is {seq}, and the line is event {must}")

    def take(self, type: str, data: Any) -> None:
        """Go on behind one event."""
        known = self._known
        if type == "session.start" and not known:
            self._sessions[data.session] = known
        elif type == BRANCH:
            known = self._known = self._sessions[data.parent][: data.at]
            self._sessions[data.session] = known
        known.append((known[-1] if known else 0) + (type == "record.append"))


def sessions_of(events: "Sequence[Event[Any]]") -> "dict[str, tuple[Event[Any], ...]]":
    """The events of each session of a trace, by its name, in the order in which they begin."""
    at = [place for place, event in enumerate(events) if event.type == BRANCH]
    if not events or events[0].type != "session.start":
        return {}
    ends = [*at, len(events)]
    found = {events[0].data.session: tuple(events[: ends[0]])}
    for place, end in zip(at, ends[1:], strict=True):
        data: SessionBranch = events[place].data
        found[data.session] = (*found[data.parent][: data.at], *events[place:end])
    return found


def parting(left: "Trace", right: "Trace") -> "tuple[Trace, Trace]":
    """The first sessions of two traces that differ; the last ones if none does, or one is more."""
    names = list(zip(left.sessions, right.sessions, strict=False))
    if len(left.sessions) == len(right.sessions):
        for ours, theirs in names[:-1]:
            if left.sessions[ours] != right.sessions[theirs]:
                return left.session(ours), right.session(theirs)
    return left, right
