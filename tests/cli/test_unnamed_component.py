"""A trace that leaves out the name of a component is unlawful: exit 5, whatever is done with it.

That is no component which is not installed: pip could not help.
"""

from pathlib import Path

import pytest

from .command import curriculum, golden

NAMES = {
    "counter": '"counter":"chars@1",',
    "wire": ',"wire":"plain@1"',
    "unicode": '"unicode":"18.0.0",',
}
LAW = "law 0, event 1 components.{}: expected a component, got nothing (names)"


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, s06: Path) -> str:
    """A name that is taken out of the start of s06."""
    text = s06.read_text("ascii")
    assert text.count(NAMES[request.param]) >= 1
    s06.write_text(text.replace(NAMES[request.param], "", 1), "ascii", newline="\n")
    return request.param


def test_validate_names_it(name: str, s06: Path) -> None:
    done = curriculum("trace", "validate", "--plain", str(s06))
    assert (done.code, done.err) == (5, "")
    assert done.out.splitlines()[0] == f"BROKEN    {LAW.format(name)}"


@pytest.mark.parametrize("name", ["wire", "counter"], indirect=True)
@pytest.mark.parametrize("command", ["show", "show --json", "request"])
def test_no_request_can_be_shown_without_a_wire_or_a_counter(
    command: str, name: str, s06: Path
) -> None:
    done = curriculum("trace", *command.split(), str(s06))
    assert done.code == 5
    assert done.err.splitlines() == [
        f"error: {s06} names no {name}, so no request can be rebuilt. [trace-unlawful]",
        f"  next: curriculum trace validate {s06}",
    ]


def test_a_golden_without_it_is_unlawful(name: str, folder: Path, s06: Path) -> None:
    done = golden("verify", "--golden", str(folder), "--plain", "s06-context-budget")
    assert (done.code, done.err) == (5, "")
    assert done.out.splitlines()[:2] == [
        "UNLAWFUL  s06-context-budget  [fixture-unlawful]",
        f"  evidence  {LAW.format(name)}",
    ]
