"""The codes of calls that have failed, as `tool.result` has them."""

FAILURE_CODES = (
    *("unknown-tool", "bad-arguments", "tool-raised", "bad-result"),
    *("interrupted", "denied", "not-run"),
)
"""What can go wrong with a call; the text of a failed result begins with its code."""

NEVER_RAN = ("interrupted", "denied", "not-run")
"""Failures of a call that need not have been asked for."""
