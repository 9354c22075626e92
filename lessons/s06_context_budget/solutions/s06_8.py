"""The reference: each check in its order, each gate once."""


def gates(returned: int, stays: list[int], limits: dict[str, int]) -> list[int | str]:
    if limits["ceiling"] + limits["reserve"] > limits["capacity"]:
        return [0, 0, "does-not-start"]
    room = limits["ceiling"] - sum(stays)
    if room < 0:
        return [0, 0, "protected-does-not-fit"]
    log = min(returned, limits["tool_ceiling"])
    shown = min(log, room)
    if shown < log and shown < limits["smallest"]:
        return [log, 0, "result-does-not-fit"]
    return [log, shown, "completed"]
