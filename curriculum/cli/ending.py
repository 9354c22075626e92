"""How a command ends: errors in one shape, one exit code each, no traceback for a refusal.

error: headline [code]
  evidence, with numbers that add up
  next: one command to run
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any

import click

OWN_BUG, INTERRUPTED = 70, 130
NOBODY_READS = 141
"""The pipe was closed: what a shell reports for it. Not 0, as nobody has seen the verdict."""
USAGE = 2


def run_command(command: click.Command, name: str) -> int:
    """Run a click command and return the exit code: 2 usage, 70 our own bug, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        # A path or id that the terminal cannot spell is shown escaped, never an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            result = command.main(prog_name=name, standalone_mode=False)
        finally:
            sys.stdout.flush()  # a closed pipe shows itself here, not at the interpreter's exit
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        return _usage(error, name)
    except (KeyboardInterrupt, click.Abort) as error:
        done = getattr(error.__cause__ or error, "evidence", ())  # click puts its own around ours
        say("Interrupted; no file is half written.", "interrupted", done)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click turns a closed pipe into SystemExit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that closing is quiet
        return NOBODY_READS
    except Exception as error:
        return _failed(error, name)


def say(headline: str, code: str, evidence: Sequence[str] = (), next: str = "") -> None:
    """Write an error to stderr. What a person typed or a file holds is spelled out."""
    from curriculum.view.safe import ascii_only, brief

    lines = [f"error: {brief(headline, 1000)} [{code}]"]
    lines += [f"  {brief(line, 1000)}" for line in evidence]
    lines += [f"  next: {brief(next, 1000)}"] if next else []
    sys.stderr.write("".join(f"{ascii_only(line)}\n" for line in lines))


def _usage(error: click.ClickException, name: str) -> int:
    context: Any = getattr(error, "ctx", None)
    if context and type(error).__name__ == "NoArgsIsHelpError":
        click.echo(context.get_help())
        return error.exit_code
    path = context.command_path if context else name
    evidence: list[str] = list(getattr(error, "evidence", ()))
    near: Sequence[str] = getattr(error, "possibilities", None) or ()
    evidence += [f"nearest: {option}" for option in sorted(near)[:1]]
    if context:
        evidence += [line.strip() for line in context.get_usage().splitlines()]
    message = error.format_message() if hasattr(error, "param") else error.message
    said = message if message.endswith((".", "?")) else f"{message}."
    say(said, "usage", evidence, f"{path} --help")
    return error.exit_code


def _failed(error: Exception, name: str) -> int:
    from curriculum.record.errors import CurriculumError

    if isinstance(error, CurriculumError):
        code = EXITS.get(error.code, USAGE)
        next = error.next or (WHOLE if error.code.startswith("trace-") and code in (3, 5) else "")
        say(error.headline, error.code, error.evidence, next)
        return code
    import traceback

    from curriculum.view.safe import ascii_only

    lines = "".join(traceback.format_exception(error)).splitlines()
    sys.stderr.write("".join(f"{ascii_only(line)}\n" for line in lines))
    say(f"{name} has a bug: the lines above say where.", "own-bug")
    return OWN_BUG


WHOLE = "curriculum run s06-context-budget -o whole.jsonl   # writes a whole trace"
EXITS = {
    **dict.fromkeys(("trace-not-utf8", "trace-line", "trace-cut-off", "trace-header"), 5),
    **dict.fromkeys(("trace-crlf", "trace-version", "trace-event", "trace-reference"), 5),
    **dict.fromkeys(("trace-bom", "trace-conflict", "trace-number", "trace-duplicate-key"), 5),
    **dict.fromkeys(("trace-unlawful", "trace-not-sufficient", "golden-unlawful"), 5),
    "repair-nothing": 5,
    **dict.fromkeys(("counter-unknown", "wire-unknown", "component-not-installed"), 7),
    **dict.fromkeys(("extra-missing", "tokenizer-degraded", "counter-needs-file"), 7),
    **dict.fromkeys(("plan-folder", "plan-no-file", "plan-unreadable"), 5),
    **dict.fromkeys(("plan-binary", "plan-not-utf8"), 5),
    "plan-missing": 3,
    "trace-missing": 3,
    "fixture-missing": 3,
    **dict.fromkeys(("case-failed", "case-not-deterministic"), 6),
}
"""Exit codes of errors that are no usage error, by their stable code."""
