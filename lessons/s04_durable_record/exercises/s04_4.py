"""What the model sees, made anew from the log each time."""

from typing import Any


def project(log: list[dict[str, str]], policy: dict[str, Any]) -> dict[str, Any]:
    """The request, and the decision about each record.

    log:     [{"id": "r0001", "kind": "user", "text": "..."}, ...], oldest first
    policy:  {"limit": 300, "keep": ["instruction"]}; the limit counts the characters of texts

    Gives {"request": [texts], "manifest": [{"id": ..., "decision": ..., "reason": ...}]}:
    - a record of a kind in keep is admitted, because of "kept";
    - of the others the newest come first: "admitted", "newest", as long as they fit;
    - the first that does not fit and all that are older are "omitted", "no-room";
    - if what must be kept is over the limit, request is None, and every record is "omitted",
      "does-not-fit".
    """
    raise NotImplementedError("write project")
