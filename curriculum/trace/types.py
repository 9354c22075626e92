"""Every type of event that a trace can hold, and the class of its data."""

from .branch_events import SessionBranch
from .compacting_events import ContextCompact, ContextMode
from .events import TYPES

EVERY_TYPE: dict[str, type] = {
    **TYPES,
    "context.compact": ContextCompact,
    "context.mode": ContextMode,
    "session.branch": SessionBranch,
}
