"""The reasons that only a policy of pools gives; its guide says how each is computed."""

from .reason import Reason

POOLED = (
    Reason("fits", "rung <= high", "At this rung of the ladder the whole log fits, so it is sent."),
    Reason(
        "unseen",
        "the last turn's results",
        "The model has not seen this yet, so it comes before anything that may be left out.",
    ),
    Reason(
        "in-pool",
        "used + takes <= room of its pool",
        "Its pool still had room for it when its turn came.",
    ),
    Reason(
        "pool-full",
        "comes after the first of its pool that does not fit",
        "Newer records took its pool's room, so it waits.",
    ),
    Reason(
        "not-chosen",
        "worth of those sent is the most that fits",
        "Other exchanges are worth more together, so this one waits.",
    ),
    Reason(
        "protected-constraint",
        "kind = constraint",
        "A constraint governs the task however old it is, so it always stays whole.",
    ),
    Reason(
        "protected-approval",
        "kind = approval or denial, and none about the same stands later",
        "What was allowed or refused stays whole until a later word on it.",
    ),
    Reason(
        "protected-summary",
        "kind = summary",
        "A summary stands for records that are sent no more, so it stays whole.",
    ),
    Reason(
        "protected-record", "a rule protects it", "A rule of the policy keeps this record whole."
    ),
    Reason(
        "beside-protected",
        "member of an exchange of which a member is protected",
        "An exchange goes together, and a part of this one is protected.",
    ),
    Reason(
        "duplicate", "the same text stands later", "A later record says the same, word for word."
    ),
    Reason(
        "asked-again",
        "a later call has the same tool and arguments",
        "The same was asked again later, and that answer is newer.",
    ),
    Reason(
        "overruled",
        "a later record is about the same subject",
        "A later record about the same subject stands instead.",
    ),
    Reason(
        "stale-preview",
        "its handle was fetched later",
        "This is a preview of something that was fetched later.",
    ),
    Reason(
        "externalized",
        "old, and its artifact has a handle",
        "The whole is kept as an artifact; its handle and a preview stand for it.",
    ),
    Reason("masked", "old result", "An old result is cleared to its marker; the call still shows."),
    Reason(
        "cleared",
        "result that was seen",
        "Room is so short that every result is cleared which the model has seen.",
    ),
    Reason(
        "stepped",
        "old result, cut to a fixed size",
        "An old result keeps a fixed number of characters.",
    ),
    Reason(
        "evicted", "pool evict, rank of this step", "The policy lets this kind of record go first."
    ),
    Reason(
        "compacted",
        "a summary replaces it",
        "A summary stands for this record; the log still has it.",
    ),
    Reason(
        "ingest-rule",
        "kept <= limit, in the unit of the rule",
        "The policy cuts what this tool returns before it enters the log, for good.",
    ),
)
