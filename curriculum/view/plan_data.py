"""A plan under one or several weights, and the same as data: whole numbers only."""

from collections.abc import Mapping
from typing import Any

import attrs

from curriculum.context.band import BORDERS, band_of
from curriculum.context.headroom import Artifact, Plan, Room, Step
from curriculum.context.roles import Role
from curriculum.context.weighing import Weights
from curriculum.count.heuristics import lines_of


@attrs.frozen
class Report:
    """What `curriculum plan` shows. `plans` has at least one; factors are against its first."""

    room: Room
    model: str | None
    artifacts: tuple[Artifact, ...]
    roles: Mapping[str, Role]
    plans: tuple[tuple[Weights, Plan], ...]
    notes: tuple[str, ...] = ()

    def hundredths(self, plan: Plan) -> int | None:
        """How often the first estimate is in this one, in hundredths, rounded up.

        None where the first is 0.
        """
        first = self.plans[0][1].estimate
        return -(-plan.estimate * 100 // first) if first else None


def place(role: Role) -> str:
    """Where a file stands: `kept`, `goes` at a step, `stays` though it is of a step's kind, or
    `free` of all that.
    """
    if role.kept:
        return "kept"
    return ("goes" if role.goes else "stays") if role.step else "free"


def plan_data(report: Report) -> dict[str, Any]:
    """All of the report. A `bound` of null: the weights bound nothing."""
    room = report.room
    return {
        "model": report.model,
        "window": room.capacity,
        "committed": room.committed,
        "available": room.available,
        "borders": {band: room.most(band) for band, _ in BORDERS},
        "files": [_file(report, at) for at in range(len(report.artifacts))],
        "plans": [_plan(report, weights, plan) for weights, plan in report.plans],
        "notes": list(report.notes),
    }


def _file(report: Report, at: int) -> dict[str, Any]:
    one = report.artifacts[at]
    role = report.roles.get(one.path, Role())
    sizes = {weights.name: plan.sizes[at] for weights, plan in report.plans}
    return {
        "path": one.path,
        "type": one.type,
        "type_why": one.why,
        "lines": lines_of(one.text),
        "tokens": {name: size.value for name, size in sizes.items()},
        "bound": {name: size.bound for name, size in sizes.items()},
        "place": place(role),
        "kept_as": role.kept or None,
        "step": role.step or None,
        "why": role.why,
        "summary": role.summary or None,
    }


def _plan(report: Report, weights: Weights, plan: Plan) -> dict[str, Any]:
    available, bound = plan.room.available, plan.bound
    return {
        "weights": weights.name,
        "counter": weights.id,
        "family": weights.family or None,
        "kind": weights.kind,
        "estimate": plan.estimate,
        "band": plan.band,
        "bound": bound,
        "bound_name": None if bound is None else weights.bound_name,
        "bound_band": None if bound is None else band_of(bound, available),
        "factor_hundredths": report.hundredths(plan),
        "steps": [_step(step) for step in plan.steps],
        "enough": plan.enough,
        "split": plan.split,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "step": step.number,
        "name": step.name,
        "freed": step.freed,
        "files": [attrs.asdict(file) for file in step.files],
        "why_not": list(step.why),
        "left": step.left,
        "band": step.band,
    }
