"""`curriculum trace`: readers of a trace file."""

import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager

import click

from curriculum.record.errors import CurriculumError
from curriculum.trace.errors import TraceError
from curriculum.trace.explain import explain
from curriculum.trace.facts import View
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.view.safe import many
from curriculum.view.screen import Screen

from .ending import EXITS
from .groups import NearGroup
from .options import looks, print_json
from .trace_log import repair, repeats

OWN_WORDS = {*EXITS, "trace-no-request", "trace-no-event", "trace-no-session"}
"""Codes of errors that already say what is wrong with a trace."""


def read_trace(file: str, beside: Trace | None = None) -> Trace:
    """The trace at `file`. Raises `TraceError`; for a missing file with the nearest name."""
    try:
        return Trace.read(file, beside)
    except TraceError as error:
        if error.code == "trace-version":
            raise
        if error.code != "trace-missing":
            error.next = _record_again(file) or error.next
            raise
        raise TraceError(error.headline, *_nearest(file), code=error.code) from None
    except ValueError:
        raise TraceError(f"{file!r} is no file name.", code="trace-missing") from None


def _record_again(file: str) -> str:
    """The command that makes a checked-in golden again; empty for any other file."""
    from pathlib import Path

    from curriculum.golden import files

    place, path = files.root().resolve(), Path(file).resolve()
    if not path.is_relative_to(place):
        return ""
    id = path.relative_to(place).as_posix().removesuffix(".jsonl").removesuffix(".pending")
    return f"golden record {id}"


def _nearest(file: str) -> list[str]:
    import difflib
    from pathlib import Path

    wanted = Path(file)
    try:
        names = [path.name for path in wanted.parent.iterdir() if path.is_file()]
    except OSError:
        return []
    near = difflib.get_close_matches(wanted.name, names, 1)
    return [f"nearest: {wanted.parent / name}" for name in near]


@contextmanager
def reading(*traces: Trace) -> Generator[None]:
    """Turn what goes wrong in a trace that breaks a law into a refusal that names the law."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        if getattr(error, "code", "") in OWN_WORDS:
            raise
        for trace in traces:
            try:
                broken = next((str(breach) for breach in breaches(trace)), None)
            except Exception:
                broken = "its events contradict each other"
            if broken is not None:
                raise CurriculumError(
                    f"{trace.name} breaks a law, so it cannot be shown.",
                    broken,
                    code="trace-unlawful",
                    next=f"curriculum trace validate {shlex.quote(trace.name)}",
                ) from error
        raise


@click.group(cls=NearGroup)
def trace() -> None:
    """Show, check, rebuild and compare traces."""


@trace.command()
@click.argument("file", type=click.Path())
@click.option("--at", type=int, metavar="K", help="As it stood after event K, and what comes next.")
@click.option("--session", metavar="NAME", help="This session of it; otherwise the last.")
@looks
def show(file: str, at: int | None, session: str | None, plain: bool, as_json: bool) -> None:
    """Show the run in FILE: requests, decisions, events."""
    read = read_trace(file)
    if session is not None:
        read = read.session(session)
    if at is not None:
        _show_at(read, at, plain, as_json)
        return
    if as_json:
        from curriculum.view.data import run_data

        with reading(read):
            data = run_data(read)
        print_json(data)
        return
    from curriculum.view.run import show_run

    with reading(read):
        show_run(Screen(plain), read, f"{many(len(read.events), 'event')} of {file}")


def _show_at(read: Trace, at: int, plain: bool, as_json: bool) -> None:
    from curriculum.replay.at_event import at_event
    from curriculum.view.at_event import at_data, show_at

    with reading(read):
        found = at_event(read, at)
        if not as_json:
            show_at(Screen(plain), read, found)
            return
        data = at_data(found)
    print_json(data)


trace.add_command(repair)
trace.add_command(repeats)

MANY = 12
"""Breaches that the rich look shows."""


@trace.command()
@click.argument("file", type=click.Path())
@looks
def validate(file: str, plain: bool, as_json: bool) -> int:
    """Check FILE against the laws. Exit code 5 if it breaks one."""
    read = read_trace(file)
    with reading(read):
        found = list(breaches(read))
    requests = sum(1 for _ in read.of("model.request"))
    declared = _declared(read)
    if as_json:
        import attrs

        data = [attrs.asdict(breach) for breach in found]
        counts = {"events": len(read.events), "requests": requests}
        print_json({**counts, "breaches": data, "not_checked": declared})
        return 5 if found else 0
    screen = Screen(plain)
    shown = found if plain else found[:MANY]
    for breach in shown:
        screen.line(("bad", "BROKEN    "), str(breach), indent=10)
    if len(found) > len(shown):
        screen.line(f"... {len(found) - len(shown)} more breaches; --plain has them all")
    style, word = ("bad", "UNLAWFUL  ") if found else ("good", "lawful    ")
    rebuilt = many(requests, "request") + " rebuilt"
    broken = f"{len(found)} breaches" if len(found) != 1 else "1 breach"
    numbers = f"{many(len(read.events), 'event')}, {rebuilt}, {broken}"
    screen.line((style, word), f"{file}: {numbers}", indent=10)
    for said in declared:
        screen.line(("quiet", "not checked "), said, indent=10)
    return 5 if found else 0


def _declared(read: Trace) -> list[str]:
    """What no rule here can say of a trace whose harness declares its own decisions."""
    if not read.declared:
        return []
    named = read.start.components
    return [
        f"which records were chosen and why (laws 4 and 6): {named['policy']} is a policy of "
        f"{named['harness']}, which declares what it does; all other laws are checked"
    ]


@trace.command()
@click.argument("file", type=click.Path())
@click.argument("number", type=int, default=1, metavar="[N]")
@click.option("--raw", is_flag=True, help="Write the exact bytes and nothing else.")
@click.option("--count", metavar="COUNTER", help="Count it anew, as by exact@1:o200k.")
@looks
def request(
    file: str, number: int, raw: bool, count: str | None, plain: bool, as_json: bool
) -> None:
    """Rebuild request N (from 1) from the records in FILE."""
    read = read_trace(file)
    with reading(read):
        body = read.request(number)
    sent = [event for event in read.assemblies if event.data.refused is None][number - 1]
    if body.fingerprint != sent.data.fingerprint:
        raise CurriculumError(
            "The rebuilt bytes are not those that were sent.",
            f"rebuilt: sha256 {body.fingerprint}",
            f"recorded: sha256 {sent.data.fingerprint}",
            code="trace-not-sufficient",
            next=f"curriculum trace validate {shlex.quote(file)}",
        )
    if raw:
        sys.stdout.buffer.write(body.body)
        return
    if count is not None:
        from curriculum.count.registry import counter_of
        from curriculum.view.counted import counted, show_counted

        found = counted(read, number, counter_of(count))
        if as_json:
            print_json({"request": number, "fingerprint": body.fingerprint, **found.data()})
        else:
            show_counted(Screen(plain), found, number)
        return
    if as_json:
        print_json({"request": number, "fingerprint": body.fingerprint, "body": body.text})
        return
    from curriculum.view.request import show_request
    from curriculum.view.run import show_legend

    screen = Screen(plain)
    with reading(read):
        show_request(screen, View(read), sent, number, alone=True)
    screen.gap()
    wire = read.start.components["wire"]  # it has been rebuilt with it
    show_legend(screen, wire, bool(sent.data.band))
    size = many(len(body.body), "byte")
    screen.line(f"{size} rebuilt, as recorded: sha256 {body.fingerprint}", indent=2)


@trace.command()
@click.argument("file", type=click.Path())
@click.option("--otel", is_flag=True, help="As OpenTelemetry spans: OTLP in JSON, one line.")
@click.option("--content", is_flag=True, help="With what was said; else sizes and reasons only.")
@click.option("-o", "--output", type=click.Path(), help="Write to this new file, not to stdout.")
@looks
def export(
    file: str, otel: bool, content: bool, output: str | None, plain: bool, as_json: bool
) -> None:
    """Write the run in FILE in a format of other tools.

    Of a trace with branches it is the last session.

    It is JSON in every look; --plain and --json are about what is said of a file written with -o.
    No file is written over.
    """
    if not otel:
        raise click.UsageError("The export needs a format, and there is one: --otel.")
    from curriculum.trace.otel import otlp

    from .export import deliver

    read = read_trace(file)
    with reading(read):
        text = otlp(read, content)
    deliver(text, output, len(read.events), content, plain, as_json)


@trace.command()
@click.argument("expected", type=click.Path())
@click.argument("got", type=click.Path())
@looks
def diff(expected: str, got: str, plain: bool, as_json: bool) -> int:
    """Explain how trace GOT differs from EXPECTED. Exit code 1 if they differ."""
    left = read_trace(expected)
    right = read_trace(got, left)
    with reading(left, right):
        explanation = explain(left, right)
    differs = bool(explanation.causes or explanation.facts)
    if as_json:
        from curriculum.view.data import explanation_data

        print_json({"differs": differs, **explanation_data(explanation)})
        return int(differs)
    screen = Screen(plain)
    if not differs:
        screen.line(("good", "same      "), f"{many(len(left.events), 'event')}, no fact differs")
        return 0
    from curriculum.view.explanation import show_explanation

    screen.line(("bad", "DIFFERENT "), f"{expected} -> {got}", indent=10)
    show_explanation(screen, explanation)
    return 1
