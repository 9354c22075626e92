"""The ladder and the pools as a person sees them: sizes of the rungs, who took what, where it stopped."""

import io

from curriculum.context.manifest import Manifest, Need, PoolUse, Refusal, Rung
from curriculum.view.ladder import show_ladder
from curriculum.view.screen import Screen

HEAD = ("user", "pools@1", "plain@1", "chars@1", "chars", "proven", 400, 0, 3)


def shown(made: Manifest) -> list[str]:
    out = io.StringIO()
    show_ladder(Screen(plain=True, out=out), made)
    return out.getvalue().splitlines()


def test_nothing_for_a_policy_without_pools() -> None:
    assert [] == shown(Manifest(*HEAD))


def test_the_rungs_down_to_the_one_that_is_sent() -> None:
    rungs = (Rung("whole", 900), Rung("mask", 380))
    assert ["  ladder    whole 900, mask 380: at rung mask the whole log fits"] == shown(
        Manifest(*HEAD, rungs=rungs)
    )


def test_where_no_rung_is_enough_the_pools() -> None:
    uses = (PoolUse("prefer", 100, 40, "r0003", 70), PoolUse("ordinary", 60, 60))
    made = Manifest(*HEAD, rungs=(Rung("whole", 900),), packing="greedy", target=350, pools=uses)
    assert [
        "  ladder    whole 900: no rung is enough, so the pools share the room",
        "  target    down to 350, so that the same records stay out as the log grows",
        "  prefer    40 of 100 used; r0003 needs 70 (greedy)",
        "  ordinary  60 of 60 used (greedy)",
    ] == shown(made)


def test_the_smaller_mode_with_what_did_not_fit() -> None:
    why = Refusal("protected-does-not-fit", "max_input_chars", 400, 520, 20, (Need("r0001", 500),))
    made = Manifest(*HEAD, rungs=(Rung("whole", 90),), mode="bare", smaller=why)
    assert "  mode      bare: 520 > 400 in the ordinary one" == shown(made)[0]
