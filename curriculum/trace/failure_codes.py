"""The codes of calls that have failed, as `tool.result` has them."""

FAILURE_CODES = (
    *("unknown-tool", "bad-arguments", "tool-raised", "bad-result"),
    *("interrupted", "not-run"),
)
"""What can go wrong with a call; the text of a failed result begins with its code."""
