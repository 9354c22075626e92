"""How a command ends when it is interrupted, when nobody reads it, and when we are wrong."""

import signal
import subprocess
import sys

import pytest

from .command import ROOT

SLOW = """
import sys, time
import curriculum.cli.run as module
def slow(*args):
    print("ready", flush=True)
    time.sleep(60)
module.run_case = slow
from curriculum.cli.main import main
sys.argv = ["curriculum", "run", "s06-context-budget"]
main()
"""
BUG = """
import sys
import curriculum.cli.run as module
def wrong(*args):
    raise ZeroDivisionError("a \\x1b[31mred\\u202e lie")
module.run_case = wrong
from curriculum.cli.main import main
sys.argv = ["curriculum", "run", "s06-context-budget"]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interrupt_ends_with_130_and_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == b""
    assert err == b"\nerror: Interrupted; no file is half written. [interrupted]\n"


def test_our_own_bug_says_so_with_70() -> None:
    done = subprocess.run([sys.executable, "-c", BUG], cwd=ROOT, capture_output=True)
    assert done.returncode == 70
    lines = done.stderr.decode("ascii").splitlines()
    assert lines[-1] == "error: curriculum has a bug: the lines above say where. [own-bug]"
    assert "ZeroDivisionError: a \\x1b[31mred\\u202e lie" in lines[-2]


@pytest.mark.skipif(sys.platform == "win32", reason="no closed pipe of this kind there")
@pytest.mark.parametrize("args", [("run", "s06-context-budget"), ("lessons",), ("golden", "list")])
def test_output_that_nobody_reads_ends_quietly(args: tuple[str, ...]) -> None:
    """141, as a shell reports a closed pipe: 0 would claim a verdict that nobody has seen."""
    process = subprocess.Popen(
        [sys.executable, "-m", "curriculum", *args],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 141
    assert err == b""
