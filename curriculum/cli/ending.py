"""How a command ends: errors in one shape, one exit code each, no traceback for a refusal."""

import os
import sys

import click

OWN_BUG, INTERRUPTED = 70, 130


def run_command(command: click.Command, name: str) -> int:
    """Run a click command and return the exit code: 2 usage, 70 our own bug, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        # A path or id that the terminal cannot spell is shown escaped, never an error.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        result = command.main(prog_name=name, standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("interrupted; nothing was changed\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that closing is quiet
        return 0
    except Exception as error:
        return _failed(error, name)


def _failed(error: Exception, name: str) -> int:
    from curriculum.record.errors import CurriculumError
    from curriculum.view.safe import ascii_only

    if isinstance(error, CurriculumError):
        lines = [ascii_only(line) for line in str(error).split("\n")]
        sys.stderr.write("error: " + "\n".join(lines) + "\n")
        return EXITS.get(error.code, 2)
    import traceback

    traceback.print_exc()
    sys.stderr.write(f"{name} has a bug: the lines above say where. [own-bug]\n")
    return OWN_BUG


EXITS = {
    "trace-not-utf8": 5, "trace-line": 5, "trace-cut-off": 5, "trace-header": 5, "trace-crlf": 5,
    "trace-version": 5, "trace-event": 5, "trace-missing": 3, "case-failed": 6,
    "counter-unknown": 7, "wire-unknown": 7,
}  # fmt: skip
"""Exit codes of errors that are no usage error, by their stable code."""
