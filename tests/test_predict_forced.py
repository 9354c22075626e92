"""What would follow from another number at one stage; and that no such run becomes a golden."""

from pathlib import Path

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.staged import Staged
from curriculum.course.runs import case_of, trace_of
from curriculum.course.slots import value_of
from curriculum.golden import files
from curriculum.golden.cases import Case
from curriculum.golden.decide import accept
from curriculum.golden.files import GoldenError
from curriculum.golden.record import keep, record
from curriculum.replay.forced import Forced, ForcedRun, forced
from curriculum.trace.recorder import Recorder

CASE = case_of("s06-context-budget")
LOWERED = CASE.under({"max_tool_output_chars": 120})
READ = ("record.append 5 text", "request 2 r0005.size - 5", "request 2 size", "changed request 2")


def read(run: ForcedRun | None) -> list[object]:
    assert run is not None
    assert run.trace is not None
    return [value_of(run.trace, locator, trace_of(CASE.id)) for locator in READ]


class TestForcing:
    """Only the stage gives another number; everything after it follows."""

    def test_nothing_forced_is_the_run_itself(self) -> None:
        assert [120, 31, 300, False] == read(forced(LOWERED, [Forced("gate-1", 120)]))

    def test_a_shorter_log_may_still_be_cut_to_the_same_request(self) -> None:
        assert [112, 31, 300, False] == read(forced(LOWERED, [Forced("gate-1", 112)]))

    def test_a_log_under_the_room_changes_the_request(self) -> None:
        """25 characters need no second cut: 269 + 25 = 294."""
        assert [25, 25, 294, True] == read(forced(LOWERED, [Forced("gate-1", 25)]))

    def test_what_a_request_shows_changes_its_size_alone(self) -> None:
        assert [120, 25, 294, True] == read(forced(LOWERED, [Forced("gate-2", 25)]))

    def test_two_stages_are_forced_together(self) -> None:
        outputs = [Forced("gate-1", 25), Forced("gate-2", 20)]
        assert [25, 20, 289, True] == read(forced(LOWERED, outputs))

    def test_a_reserve_that_fits_changes_no_request(self) -> None:
        assert [120, 31, 300, False] == read(forced(LOWERED, [Forced("reserve", 50)]))

    def test_the_second_result_can_be_meant(self) -> None:
        staged = case_of("harness/parallel-results").staged
        assert staged is not None
        run = forced(staged, [Forced("gate-1", 50, result=3)])
        assert run is not None
        assert run.trace is not None
        sizes = [event.data.size for event in run.trace.of("tool.truncate")]
        assert [50] == sizes

    @pytest.mark.parametrize(
        "outputs",
        [
            [Forced("gate-2", 5)],  # not even the marker
            [Forced("gate-1", 31, result=2)],  # there is only one result
        ],
    )
    def test_what_no_stage_can_give_is_no_run(self, outputs: list[Forced]) -> None:
        assert forced(LOWERED, outputs) is None

    def test_policies_of_pools_are_left_alone(self) -> None:
        staged = CASE.staged
        assert staged is not None
        from curriculum.agent.under_policy import under_policy
        from curriculum.context.policy_registry import policy_of

        pooled = under_policy(Staged(staged.runner, staged.prompts), policy_of("pools@1"))
        assert forced(pooled, [Forced("gate-1", 50)]) is None


class TestUnlawful:
    """A number that no lawful run has is answered with its sum."""

    @pytest.mark.parametrize(
        ("output", "code", "params"),
        [
            (
                Forced("gate-2", 120),
                "over-ceiling",
                {"rest": 269, "value": 120, "sum": 389, "over": 89},
            ),
            (Forced("gate-1", 180), "over-tool-ceiling", {"value": 180, "over": 60, "limit": 120}),
            (Forced("gate-1", 3000), "over-original", {"value": 3000, "original": 2000}),
            (Forced("gate-2", 150), "over-log", {"value": 150, "log": 120}),
        ],
    )
    def test_the_sum_is_the_answer(self, output: Forced, code: str, params: dict[str, int]) -> None:
        run = forced(LOWERED, [output])
        assert run is not None
        assert run.trace is None
        assert run.unlawful is not None
        assert (code, params) == (run.unlawful.code, run.unlawful.params)

    def test_a_reserve_over_the_capacity(self) -> None:
        staged = case_of("s06-context-budget/with-reserve").staged
        assert staged is not None
        run = forced(staged, [Forced("reserve", 150)])
        assert run is not None
        assert run.unlawful is not None
        assert 50 == run.unlawful.params["over"]


class _Marked(AgentRunner):
    """A runner whose runs are marked as forced, and lawful all the same."""

    def begin(self):  # type: ignore[no-untyped-def]
        run = super().begin()
        run.also = {"forced": "nothing"}
        return run


def _marked(trace: Recorder) -> AgentRunner:
    import attrs

    runner = CASE.staged.runner(trace)  # type: ignore[union-attr]
    fields = {field.name: getattr(runner, field.name) for field in attrs.fields(AgentRunner)}
    return _Marked(**fields)


class TestNeverAGolden:
    """`golden record` and `accept` refuse it by its own code."""

    def test_the_trace_says_what_was_forced(self) -> None:
        run = forced(LOWERED, [Forced("gate-1", 25)])
        assert run is not None
        assert run.trace is not None
        assert "gate-1 1=25" == run.trace.start.components["forced"]

    def test_it_is_not_recorded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CI", raising=False)
        case = Case("forced", "forced", "completed", Staged(_marked, CASE.staged.prompts))  # type: ignore[union-attr]
        with pytest.raises(GoldenError) as refused:
            record({"forced": case}, ["forced"], tmp_path)
        assert "golden-forced" == refused.value.code
        assert [] == list(tmp_path.iterdir())

    def test_it_is_not_accepted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Even where somebody has put it beside the fixture by hand."""
        monkeypatch.delenv("CI", raising=False)
        run = forced(LOWERED, [Forced("gate-1", 25)])
        assert run is not None
        assert run.trace is not None
        text = "".join(f"{line}\n" for line in run.trace.lines)
        with pytest.raises(GoldenError) as kept:
            keep(CASE.id, text, tmp_path)
        files.pending(tmp_path, CASE.id).write_text(text, encoding="ascii")
        with pytest.raises(GoldenError) as accepted:
            accept({CASE.id: CASE}, [CASE.id], tmp_path)
        assert ["golden-forced"] * 2 == [kept.value.code, accepted.value.code]
        assert not files.fixture(tmp_path, CASE.id).exists()
