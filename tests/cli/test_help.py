"""Help is fast, and every command explains itself."""

import subprocess
import sys

import pytest

from .command import ROOT, curriculum, golden

COMMANDS = [
    (),
    ("lessons",),
    ("measure",),
    ("run",),
    ("predict",),
    ("start",),
    ("next",),
    ("read",),
    ("check",),
    ("watch",),
    ("hint",),
    ("solution",),
    ("progress",),
    ("reset",),
    ("doctor",),
    ("models",),
    ("budget",),
    ("wire",),
    ("wire", "list"),
    ("wire", "check"),
    ("policies",),
    ("policy",),
    ("policy", "show"),
    ("policy", "check"),
    ("trace",),
    ("trace", "show"),
    ("trace", "validate"),
    ("trace", "request"),
    ("trace", "export"),
    ("trace", "diff"),
    ("plan",),
    ("golden",),
    ("golden", "verify"),
    ("golden", "list"),
    ("golden", "record"),
    ("golden", "diff"),
    ("golden", "review"),
    ("golden", "accept"),
    ("golden", "reject"),
    ("golden", "prune"),
    ("golden", "migrate"),
]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_each_command_has_help(path: tuple[str, ...]) -> None:
    """Help fits in 80 columns, and no sentence in it is cut short."""
    done = curriculum(*path, "--help")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith(f"Usage: {' '.join(('curriculum', *path))} ")
    assert "..." not in done.out.split("\n", 1)[1]
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize(
    "command", [path[1] for path in COMMANDS if path[:1] == ("golden",) and path[1:]]
)
def test_each_golden_command_takes_another_folder(command: str) -> None:
    assert "--golden PATH" in golden(command, "--help").out


def _imported(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", code + "\nimport sys; print('\\n' + ' '.join(sys.modules))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


RUN = """
import sys
from curriculum.cli.main import curriculum
curriculum.main({args!r}, standalone_mode=False)
"""


def test_help_imports_neither_attrs_nor_rich_nor_records() -> None:
    """`curriculum --help` needs click and nothing that is heavy."""
    modules = _imported(RUN.format(args=["--help"]))
    assert "click" in modules
    assert not {"attr", "attrs", "cattrs", "rich", "curriculum.record"} & modules


def test_plain_output_needs_no_rich() -> None:
    modules = _imported(RUN.format(args=["run", "s06-context-budget", "--plain"]))
    assert "curriculum.view.request" in modules
    assert not [name for name in modules if name.split(".")[0] == "rich"]


@pytest.mark.parametrize("command", ["read s06", "doctor", "start"])
def test_nor_does_what_a_learner_reads(command: str) -> None:
    modules = _imported(RUN.format(args=[*command.split(), "--plain"]))
    assert "curriculum.view.screen" in modules
    assert not [name for name in modules if name.split(".")[0] in ("rich", "watchfiles")]


def test_verify_imports_nothing_of_the_commands_that_write_or_ask() -> None:
    code = "import sys\nfrom curriculum.cli.golden import golden\n"
    modules = _imported(code + "golden.main(['verify', '--plain'], standalone_mode=False)\n")
    assert "curriculum.golden.verify" in modules
    desk = ("decide", "record", "compare", "review", "prune", "migrate", "whole")
    assert not {f"curriculum.golden.{name}" for name in desk} & modules
    assert not {"curriculum.cli.golden_write", "curriculum.cli.golden_look"} & modules
