"""The reference: decide about each record, then build."""

from typing import Any


def project(log: list[dict[str, str]], policy: dict[str, Any]) -> dict[str, Any]:
    """The request, and the decision about each record."""
    kept = {one["id"] for one in log if one["kind"] in policy["keep"]}
    room = policy["limit"] - sum(len(one["text"]) for one in log if one["id"] in kept)
    if room < 0:
        rows = [_row(one, "omitted", "does-not-fit") for one in log]
        return {"request": None, "manifest": rows}
    newest: set[str] = set()
    for one in reversed(log):
        if one["id"] in kept:
            continue
        room -= len(one["text"])
        if room < 0:
            break
        newest.add(one["id"])
    manifest = [
        _row(one, "admitted", "kept")
        if one["id"] in kept
        else _row(one, "admitted", "newest")
        if one["id"] in newest
        else _row(one, "omitted", "no-room")
        for one in log
    ]
    return {
        "request": [one["text"] for one in log if one["id"] in kept | newest],
        "manifest": manifest,
    }


def _row(record: dict[str, str], decision: str, reason: str) -> dict[str, str]:
    return {"id": record["id"], "decision": decision, "reason": reason}
