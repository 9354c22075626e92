"""The judge of s04-4: seeded logs and limits, smallest first, each projected twice."""

import json
from hashlib import sha256
from typing import Any

KINDS = ("user", "assistant", "result", "instruction")


def _seeded(seed: int) -> dict[str, Any]:
    digits = sha256(f"s04-4 {seed}".encode()).digest()
    log = [
        {
            "id": f"r{at:04d}",
            "kind": KINDS[digit % 4],
            "text": "abcdefghij"[at % 10] * (digit // 4 % 12),
        }
        for at, digit in enumerate(digits[: seed % 9], 1)
    ]
    policy = {
        "limit": digits[20] % 40,
        "keep": [["instruction"], [], ["user", "instruction"]][seed % 3],
    }
    return {"why": f"log {seed}", "log": log, "policy": policy}


_ROWS = [("instruction", 4), ("user", 5), ("user", 2), ("user", 3)]
_EXACT = [
    {"id": f"r{at:04d}", "kind": kind, "text": "x" * size}
    for at, (kind, size) in enumerate(_ROWS, 1)
]
BY_HAND = tuple(
    {"why": why, "log": _EXACT, "policy": {"limit": limit, "keep": ["instruction"]}}
    for why, limit in (
        ("all fits to the last character", 14),
        ("one character too few: the oldest user record waits", 13),
        ("an older record that would fit waits behind one that does not", 8),
        ("only what must be kept", 4),
        ("not even what must be kept", 3),
    )
)
SCENARIOS = tuple(sorted((*BY_HAND, *map(_seeded, range(80))), key=lambda one: len(one["log"])))


def ask(module: Any, scenario: dict[str, Any]) -> Any:
    """Two projections of one log, and the log and the policy as they are afterwards."""
    given = json.loads(json.dumps({"log": scenario["log"], "policy": scenario["policy"]}))
    first = module.project(given["log"], given["policy"])
    return {"first": first, "second": module.project(given["log"], given["policy"]), **given}


def judge(scenario: dict[str, Any], answer: Any) -> str | None:
    """None if it is the projection that the text fixes, twice the same, and nothing was changed."""
    log, policy = scenario["log"], scenario["policy"]
    if answer["log"] != log or answer["policy"] != policy:
        return "the log or the policy is changed; a request takes nothing from the log"
    if answer["first"] != answer["second"]:
        return "the same log and policy gave two different requests"
    made = answer["first"]
    if not isinstance(made, dict) or set(made) != {"request", "manifest"}:
        return "project gives a request and a manifest, and nothing else"
    rows = made["manifest"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return "a manifest is a list of rows, each with id, decision and reason"
    decided = [(row.get("id"), row.get("decision"), row.get("reason")) for row in rows]
    for must, got in zip(_must(log, policy), decided, strict=False):
        if must != got:
            return f"expected {' '.join(must)}, got {' '.join(map(str, got))}"
    if len(decided) != len(log):
        return f"{len(log)} records and {len(decided)} decisions"
    sent = {id for id, decision, _ in decided if decision == "admitted"}
    texts = [one["text"] for one in log if one["id"] in sent]
    over = any(reason == "does-not-fit" for _, _, reason in decided)
    if made["request"] != (None if over else texts):
        return "the request is not the texts that the manifest admits, in the log's order"
    return None


def _must(log: list[dict[str, str]], policy: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The decisions, by trying how many of the newest fit."""
    kept = [one for one in log if one["kind"] in policy["keep"]]
    others = [one for one in log if one["kind"] not in policy["keep"]]
    size = sum(len(one["text"]) for one in kept)
    if size > policy["limit"]:
        return [(one["id"], "omitted", "does-not-fit") for one in log]
    fits = [
        count
        for count in range(len(others) + 1)
        if size + sum(len(one["text"]) for one in others[len(others) - count :]) <= policy["limit"]
    ]
    newest = {one["id"] for one in others[len(others) - max(fits) :]}
    return [
        (one["id"], "admitted", "kept")
        if one in kept
        else (
            one["id"],
            *(("admitted", "newest") if one["id"] in newest else ("omitted", "no-room")),
        )
        for one in log
    ]


def smaller(scenario: dict[str, Any]) -> list[dict[str, Any]]:
    """The same with one record less."""
    log = scenario["log"]
    return [{**scenario, "log": log[:at] + log[at + 1 :]} for at in range(len(log))]


def show(scenario: dict[str, Any]) -> str:
    """The limit, the kinds to keep, and each record as its kind and the length of its text."""
    policy = scenario["policy"]
    rows = [f"{one['kind']} {len(one['text'])}" for one in scenario["log"]]
    keep = ", ".join(policy["keep"]) or "nothing"
    return f"limit {policy['limit']}, keep {keep}; log: {', '.join(rows) or 'empty'}"
