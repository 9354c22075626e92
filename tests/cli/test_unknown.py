"""A name that is unknown is answered with the nearest one, and exit code 2."""

from typing import Any

import pytest

from .command import curriculum, golden

SHAPES = [
    (
        (curriculum, "rnu"),
        "error: No command is called 'rnu'. [usage]\n"
        "  nearest: curriculum run\n"
        "  Usage: curriculum [OPTIONS] [COMMAND] [ARGS]...\n"
        "  next: curriculum --help\n",
    ),
    (
        (golden, "verfy"),
        "error: No command is called 'verfy'. [usage]\n"
        "  nearest: golden verify\n"
        "  Usage: golden [OPTIONS] COMMAND [ARGS]...\n"
        "  next: golden --help\n",
    ),
    (
        (curriculum, "run", "s06-contextbudget"),
        "error: No case is called 's06-contextbudget'. [unknown-case]\n"
        "  nearest: s06-context-budget\n"
        "  next: curriculum lessons\n",
    ),
    (
        (curriculum, "run"),
        "error: Missing argument 'ID'. [usage]\n"
        "  Usage: curriculum run [OPTIONS] ID\n"
        "  next: curriculum run --help\n",
    ),
]


@pytest.mark.parametrize(("call", "expected"), SHAPES)
def test_an_error_has_one_shape(call: Any, expected: str) -> None:
    """Headline and code, evidence, one command to run next; nothing on stdout."""
    command, *args = call
    done = command(*args)
    assert (done.code, done.out, done.err) == (2, "", expected)


def test_an_unknown_option_is_answered_with_the_nearest() -> None:
    done = curriculum("run", "s06-context-budget", "--budgit", "3")
    assert done.code == 2
    assert "  nearest: --budget\n" in done.err
    assert done.err.endswith("  next: curriculum run --help\n")
