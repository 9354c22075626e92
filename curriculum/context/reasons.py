"""Every reason a decision can have: code, formula, and one sentence a learner reads.

Names in a formula are operands that the decision or its assembly carries in the trace.
"""

from .reason import Reason
from .reasons_of_pools import POOLED

_FIRST = (
    Reason("protected-tools", "kind = tools, the latest", "The tools on offer always stay whole."),
    Reason("protected-instruction", "kind = instruction", "Instructions always stay whole."),
    Reason(
        "protected-request",
        "user record after the last turn that asked for no tool",
        "What the user is waiting for always stays whole.",
    ),
    Reason("newest", "size <= room", "Newest exchanges come first, and this one still fits whole."),
    Reason(
        "beside-cut",
        "member of the exchange that is cut",
        "A call and its results go together, and this result gives way; this part stays whole.",
    ),
    Reason(
        "cut-to-room",
        "size <= share; share of what room leaves",
        "This is the first exchange that does not fit whole, so this result keeps only its ends.",
    ),
    Reason(
        "no-room",
        "needs > room",
        "The next older exchange does not fit, even cut to its markers; it and all older wait.",
    ),
    Reason(
        "behind-cut",
        "comes after the exchange that was cut",
        "An exchange that goes first had to be cut, so nothing that comes after it has room.",
    ),
    Reason("superseded", "a later tools record stands", "A later set of tools replaces this one."),
    Reason(
        "unanswered-call",
        "a call of the exchange has no result",
        "A call without a result cannot be sent, so its whole exchange waits.",
    ),
    Reason(
        "unpaired-result",
        "answers no open call of the turn before it",
        "A result without its call cannot be sent.",
    ),
    Reason(
        "unpaired-thinking",
        "no turn follows the thinking",
        "A model's thinking goes back with its turn or not at all, and this has none.",
    ),
    Reason("no-slot", "the wire has no place for it", "This wire has no place for such a record."),
    Reason(
        "not-portable",
        "a block of another wire, or of none",
        "A model's thinking can go back only to the wire it came from, as it came.",
    ),
    Reason("empty-text", "the text is blank", "This wire refuses a text that is only blanks."),
    Reason(
        "protected-does-not-fit",
        "frame + protected > limit",
        "What must stay is bigger than the ceiling, so nothing is sent.",
    ),
    Reason(
        "result-does-not-fit",
        "frame + protected + needs > limit",
        "Not even the markers of the results the model waits for fit, so nothing is sent.",
    ),
    Reason(
        "tool-ceiling",
        "kept + marker <= max_tool_output_chars",
        "The tool returned more than the tool ceiling, so the log keeps only its ends, for good.",
    ),
)
REASONS = {reason.code: reason for reason in (*_FIRST, *POOLED)}
DEFECTS = (
    *("superseded", "unanswered-call", "unpaired-result", "unpaired-thinking"),
    *("no-slot", "not-portable", "empty-text", "compacted"),
)
"""Reasons for which a record cannot be sent at all, whatever a policy would like."""
