"""`curriculum trace`: readers of a trace file."""

import sys

import click

from curriculum.record.errors import CurriculumError
from curriculum.trace.explain import explain
from curriculum.trace.facts import View
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.view.screen import Screen

from .options import looks, print_json


@click.group()
def trace() -> None:
    """Show, check, rebuild and compare traces."""


@trace.command()
@click.argument("file", type=click.Path())
@looks
def show(file: str, plain: bool, as_json: bool) -> None:
    """Show the run that FILE holds: each request, each decision, every event."""
    read = Trace.read(file)
    if as_json:
        from curriculum.view.data import run_data

        print_json(run_data(read))
        return
    from curriculum.view.run import show_run

    show_run(Screen(plain), read, f"{len(read.events)} events of {file}")


@trace.command()
@click.argument("file", type=click.Path())
@looks
def validate(file: str, plain: bool, as_json: bool) -> int:
    """Check FILE against the laws. Exit code 5 if it breaks one."""
    read = Trace.read(file)
    found = list(breaches(read))
    requests = sum(1 for _ in read.of("model.request"))
    if as_json:
        import attrs

        data = [attrs.asdict(breach) for breach in found]
        print_json({"events": len(read.events), "requests": requests, "breaches": data})
        return 5 if found else 0
    screen = Screen(plain)
    for breach in found:
        screen.line(("bad", "BROKEN    "), str(breach), indent=10)
    style, word = ("bad", "unlawful  ") if found else ("good", "lawful    ")
    numbers = f"{len(read.events)} events, {requests} requests rebuilt, {len(found)} breaches"
    screen.line((style, word), f"{file}: {numbers}", indent=10)
    return 5 if found else 0


@trace.command()
@click.argument("file", type=click.Path())
@click.argument("number", type=int, default=1, metavar="[N]")
@click.option("--raw", is_flag=True, help="Write the exact bytes and nothing else.")
@looks
def request(file: str, number: int, raw: bool, plain: bool, as_json: bool) -> None:
    """Rebuild request N (from 1) of FILE from its records and decisions."""
    read = Trace.read(file)
    body = read.request(number)
    if raw:
        sys.stdout.buffer.write(body.body)
        sys.stdout.flush()
        return
    sent = [event for event in read.assemblies if event.data.refused is None][number - 1]
    if as_json:
        print_json({"request": number, "fingerprint": body.fingerprint, "body": body.text})
        return
    from curriculum.view.request import show_request

    screen = Screen(plain)
    show_request(screen, View(read), sent, number)
    same = body.fingerprint == sent.data.fingerprint
    word = "as recorded" if same else f"but recorded as {sent.data.fingerprint}"
    screen.line(f"  {len(body.body)} bytes rebuilt, sha256 {body.fingerprint}, {word}", indent=2)
    if not same:
        raise CurriculumError(
            "The rebuilt bytes are not those that were sent.",
            code="trace-not-sufficient",
            next=f"curriculum trace validate {file}",
        )


@trace.command()
@click.argument("expected", type=click.Path())
@click.argument("got", type=click.Path())
@looks
def diff(expected: str, got: str, plain: bool, as_json: bool) -> int:
    """Explain how trace GOT differs from EXPECTED. Exit code 1 if they differ."""
    left, right = Trace.read(expected), Trace.read(got)
    explanation = explain(left, right)
    differs = bool(explanation.causes or explanation.facts)
    if as_json:
        from curriculum.view.data import explanation_data

        print_json({"differs": differs, **explanation_data(explanation)})
        return int(differs)
    screen = Screen(plain)
    if not differs:
        screen.line(("good", "same      "), f"{len(left.events)} events, no fact differs")
        return 0
    from curriculum.view.report import show_explanation

    screen.line(("bad", "DIFFERENT "), f"{expected} -> {got}", indent=10)
    show_explanation(screen, explanation)
    return 1
