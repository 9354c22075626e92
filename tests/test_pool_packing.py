"""The law checker's own packing: the most worth in a room, and of equal sets the newer one.

Expected sets are found by trying every one.
"""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.trace.pool_packing import most_worth

Groups = Sequence[tuple[int, int]]


def by_trying(groups: Groups, room: int) -> list[int]:
    """The best of all subsets: by worth, then by which has the newest group that differs."""
    places = range(len(groups))
    every = [chosen for size in range(len(groups) + 1) for chosen in combinations(places, size)]
    fitting = [chosen for chosen in every if sum(groups[at][0] for at in chosen) <= room]
    if not fitting:
        return []
    return list(
        max(fitting, key=lambda chosen: (sum(groups[at][1] for at in chosen), chosen[::-1]))
    )


def groups() -> st.SearchStrategy[Groups]:
    """Up to nine groups, oldest first: what each takes, and its worth."""
    return st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), max_size=9)


class TestMostWorth:
    """Whatever the groups take and are worth."""

    @given(groups=groups(), room=st.integers(0, 40))
    def test_it_is_what_trying_every_set_finds(self, groups: Groups, room: int) -> None:
        assert by_trying(groups, room) == most_worth(groups, room)

    def test_no_room_at_all_takes_nothing(self) -> None:
        assert [] == most_worth([(1, 5)], -3)
        assert [] == most_worth([(1, 5)], 0)

    @pytest.mark.parametrize(
        ("groups", "chosen"),
        [
            ([(6, 1), (6, 1)], [1]),  # alike: the newer
            ([(6, 2), (5, 1), (5, 1)], [1, 2]),  # 2 = 1 + 1: that with the newest
            ([(5, 1), (5, 1), (6, 3)], [2]),  # 3 > 2
            ([(4, 0), (9, 1)], [1]),  # what is worth nothing takes no room from what is
            ([(1, 0), (9, 1)], [0, 1]),  # and gets in where it fits beside
        ],
    )
    def test_small_sets_in_a_room_of_ten(self, groups: Groups, chosen: list[int]) -> None:
        assert chosen == most_worth(groups, 10)
