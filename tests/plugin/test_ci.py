"""Under CI nothing is recorded: refused before a test runs, with the variable's name."""

import pytest

from .conftest import Own


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TF_BUILD", "True")])
def test_recording_is_a_usage_error_before_anything_runs(
    project: Own, name: str, value: str
) -> None:
    done = project.pytest("--golden-record", **{name: value})
    assert done.code == 4
    assert f"Goldens are not written under CI: {name} is set to '{value}'. [golden-ci]" in done.err
    assert "Traceback" not in done.err + done.out
    assert "collected" not in done.out
    assert not (project.root / "golden").exists()


def test_checking_works_under_ci(held: Own) -> None:
    assert held.pytest(CI="true").code == 0
