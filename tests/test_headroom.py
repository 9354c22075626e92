"""The headroom planner: what files take of the room that is left, and what goes in which order."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curriculum.context.band import band_of
from curriculum.context.headroom import Artifact, Plan, Room, plan
from curriculum.context.roles import STEPS, Role
from curriculum.count.counter import Estimate


def sized(sizes: Mapping[str, int], **roles: Role) -> tuple[list[Artifact], dict[str, Role]]:
    """Files whose text is their size in words; `a_md` is the role of `a.md`."""
    files = [Artifact(path, "unknown", "w " * size) for path, size in sizes.items()]
    return files, {name.replace("_", "."): role for name, role in roles.items()}


def words(artifact: Artifact) -> Estimate:
    """A token a word: any weights would do here."""
    return Estimate(artifact.text.count("w"), None, "tokens", "heuristic", None)


def made(room: Room, sizes: Mapping[str, int], **roles: Role) -> Plan:
    files, by_path = sized(sizes, **roles)
    return plan(files, by_path, words, room)


GOES = {number: Role("said", step=number, goes=True) for number in range(1, 6)}
KEPT = Role("named spec.md", "active spec")
WINDOW = Room(1_000, 0)


class TestRoom:
    """available = capacity - committed"""

    def test_the_seeds_available(self) -> None:
        """200,000 - 30,000 = 170,000; 40 % of it is 68,000, 65 % 110,500, 85 % 144,500."""
        room = Room(200_000, 30_000)
        assert 170_000 == room.available
        assert [68_000, 110_500, 144_500] == [room.most(b) for b in ("green", "yellow", "amber")]

    def test_a_border_is_the_last_whole_number_below_it(self) -> None:
        """Of 7: 2.8, 4.55, 5.95."""
        assert [2, 4, 5] == [Room(7, 0).most(b) for b in ("green", "yellow", "amber")]

    def test_more_committed_than_there_is(self) -> None:
        room = Room(100, 130)
        assert -30 == room.available
        assert 0 == room.most("green")
        assert "red" == made(room, {"a.md": 1}).band


class TestSum:
    """The estimate is the sum over the files."""

    def test_each_file_and_all(self) -> None:
        """120 + 30 + 0 = 150 of 1,000: green, and nothing to leave out."""
        found = made(WINDOW, {"a.md": 120, "b.md": 30, "c.md": 0})
        assert [120, 30, 0] == [size.value for size in found.sizes]
        assert (150, "green", (), None, False) == (
            found.estimate,
            found.band,
            found.steps,
            found.enough,
            found.split,
        )

    @pytest.mark.parametrize(
        ("size", "band", "steps"),
        [
            (400, "green", 0),
            (401, "yellow", 0),
            (650, "yellow", 0),
            (651, "amber", 5),
            (850, "amber", 5),
            (851, "red", 5),
        ],
    )
    def test_the_list_begins_at_amber(self, size: int, band: str, steps: int) -> None:
        found = made(WINDOW, {"a.md": size})
        assert (band, steps) == (found.band, len(found.steps))

    def test_no_bound_unless_every_file_has_one(self) -> None:
        """A heuristic has none; two bounds of 10 are one of 20."""
        files, roles = sized({"a.md": 7, "b.md": 8})
        assert plan(files, roles, words, WINDOW).bound is None
        bounded = plan(files, roles, lambda a: Estimate(9, 10, "tokens", "exact", "proven"), WINDOW)
        assert (18, 20) == (bounded.estimate, bounded.bound)
        mixed = iter([Estimate(9, 10, "tokens", "exact", "proven"), words(files[1])])
        assert plan(files, roles, lambda a: next(mixed), WINDOW).bound is None

    def test_a_path_is_planned_once(self) -> None:
        file = Artifact("a.md", "unknown", "w")
        with pytest.raises(ValueError, match="planned twice"):
            plan([file, file], {}, words, WINDOW)


class TestOrder:
    """The seed's list: history, stack indexes, skills, module docs, canonical docs."""

    def test_the_five_steps(self) -> None:
        assert STEPS == (
            "session history older than 2 turns",
            "stack documentation indexes",
            "capability skill references not active for the lane",
            "module docs outside the affected modules",
            "verbose canonical docs that have summary indexes",
        )

    def test_each_step_is_counted_on_top_of_those_before(self) -> None:
        """950: - 60 = 890, - 50 = 840, - 40 = 800, - 160 = 640, - 240 = 400."""
        found = made(
            WINDOW,
            {
                "m.md": 160,
                "h1.md": 20,
                "s.md": 50,
                "c.md": 240,
                "k.md": 40,
                "h2.md": 40,
                "x.md": 400,
            },
            h1_md=GOES[1],
            h2_md=GOES[1],
            s_md=GOES[2],
            k_md=GOES[3],
            m_md=GOES[4],
            c_md=GOES[5],
        )
        assert (950, "red") == (found.estimate, found.band)
        assert [
            (1, 60, 890, "red"),
            (2, 50, 840, "amber"),
            (3, 40, 800, "amber"),
            (4, 160, 640, "yellow"),
            (5, 240, 400, "green"),
        ] == [(step.number, step.freed, step.left, step.band) for step in found.steps]
        assert [("h1.md", 20), ("h2.md", 40)] == [(f.path, f.tokens) for f in found.steps[0].files]
        assert (4, False, 400) == (found.enough, found.split, found.left)

    def test_a_step_without_files_frees_0_and_says_why(self) -> None:
        """Nothing of its kind; or something that stays, with the reason."""
        stays = Role("in docs/modules/, of auth; auth is affected", step=4)
        found = made(WINDOW, {"a.md": 700, "m.md": 50}, m_md=stays)
        assert [0, 0, 0, 0, 0] == [step.freed for step in found.steps]
        assert [750] * 5 == [step.left for step in found.steps]
        assert ("no file is one",) == found.steps[0].why
        assert ("m.md: in docs/modules/, of auth; auth is affected",) == found.steps[3].why

    def test_red_that_no_step_mends_splits_the_work(self) -> None:
        """900 - 40 = 860, and 850 is the last amber."""
        found = made(WINDOW, {"spec.md": 860, "old.md": 40}, spec_md=KEPT, old_md=GOES[1])
        assert (860, None, True) == (found.left, found.enough, found.split)

    def test_red_that_ends_amber_is_not_split(self) -> None:
        """900 - 50 = 850: the last amber."""
        found = made(WINDOW, {"spec.md": 850, "old.md": 50}, spec_md=KEPT, old_md=GOES[1])
        assert (850, None, False) == (found.left, found.enough, found.split)

    def test_what_is_kept_goes_in_no_step(self) -> None:
        """Not even if a role contradicts itself."""
        both = Role("named spec.md", "active spec", step=1, goes=True)
        found = made(WINDOW, {"spec.md": 900}, spec_md=both)
        assert [900] * 5 == [step.left for step in found.steps]


class TestSummaries:
    """Step 5 puts a summary in the place of a long document."""

    def test_one_that_is_here_costs_nothing(self) -> None:
        role = Role("said", step=5, goes=True, summary="short.md")
        found = made(WINDOW, {"long.md": 600, "short.md": 100}, long_md=role)
        assert (600, 100) == (found.steps[4].freed, found.left)

    def test_one_that_is_not_comes_in(self) -> None:
        """700 - 600 + 90 = 190: 510 freed."""
        files, _ = sized({"long.md": 600, "x.md": 100})
        role = Role("said", step=5, goes=True, summary="short.md")
        short = Artifact("short.md", "unknown", "w " * 90)
        found = plan(files, {"long.md": role}, words, WINDOW, {"short.md": short})
        assert [("long.md", 600), ("short.md", -90)] == [
            (file.path, file.tokens) for file in found.steps[4].files
        ]
        assert (510, 190) == (found.steps[4].freed, found.left)

    def test_two_documents_share_one(self) -> None:
        """The summary comes in once: 300 + 400 - 90 = 610."""
        files, _ = sized({"a.md": 300, "b.md": 400})
        role = Role("said", step=5, goes=True, summary="short.md")
        short = Artifact("short.md", "unknown", "w " * 90)
        found = plan(
            files, dict.fromkeys(("a.md", "b.md"), role), words, WINDOW, {"short.md": short}
        )
        assert (610, 90) == (found.steps[4].freed, found.left)

    def test_one_that_is_no_smaller_stays_out(self) -> None:
        files, _ = sized({"long.md": 90, "x.md": 600})
        role = Role("said", step=5, goes=True, summary="short.md")
        short = Artifact("short.md", "unknown", "w " * 90)
        found = plan(files, {"long.md": role}, words, WINDOW, {"short.md": short})
        assert (0, 690) == (found.steps[4].freed, found.left)
        assert ("short.md: 90 tokens, no less than long.md: 90",) == found.steps[4].why

    def test_one_that_an_earlier_step_took_is_put_back(self) -> None:
        """short.md goes with the history, so it costs its 50 again: 700 - 50 - 600 + 50 = 100."""
        found = made(
            WINDOW,
            {"long.md": 600, "short.md": 50, "x.md": 50},
            short_md=GOES[1],
            long_md=Role("said", step=5, goes=True, summary="short.md"),
        )
        assert [50, 0, 0, 0, 550] == [step.freed for step in found.steps]
        assert 100 == found.left


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 5), st.booleans()), max_size=12),
    st.integers(-5, 1500),
)
def test_every_step_adds_up(files: list[tuple[int, int, bool]], capacity: int) -> None:
    """What is freed and what stays is the estimate; kept files stay; bands are those of what is
    left."""
    sizes = {f"{n}.md": size for n, (size, _, _) in enumerate(files)}
    artifacts, _ = sized(sizes)
    roles = {
        f"{n}.md": Role("x", "kept" if kept else "", step, step > 0)
        for n, (_, step, kept) in enumerate(files)
    }
    found = plan(artifacts, roles, words, Room(capacity, 0))
    left = found.estimate
    for step in found.steps:
        left -= sum(file.tokens for file in step.files)
        assert (step.left, step.band) == (left, band_of(left, capacity))
    gone = {file.path for step in found.steps for file in step.files}
    assert not gone & {path for path, role in roles.items() if role.kept}
    if found.steps:
        assert left == sum(size for n, (size, step, kept) in enumerate(files) if kept or not step)
