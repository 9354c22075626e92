"""`curriculum wire`: the formats that requests are sent in."""

from typing import Any

import click

from curriculum.record.errors import CurriculumError

from .groups import NearGroup
from .options import looks, print_json

NAMES = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")


@click.group(cls=NearGroup)
def wire() -> None:
    """List the formats of requests, and check a request against its rules."""


@wire.command("list")
@click.argument("id", required=False)
@looks
def list_(id: str | None, plain: bool, as_json: bool) -> None:
    """Say where each kind of record goes on the wires, or on wire ID."""
    from curriculum.view.screen import Screen
    from curriculum.view.wires import name_of, show_wires, wire_data
    from curriculum.wire.registry import KNOWN, every_wire, wire_of

    known = {form.partition(":")[0]: form for form in KNOWN}
    wires = every_wire()
    if id is not None:
        wires = [one for one in wires if id in (name_of(one), known[name_of(one)])]
        wires = wires or [wire_of(id)]
    if as_json:
        print_json([wire_data(one, known) for one in wires])
        return
    screen = Screen(plain)
    show_wires(screen, wires, known)


@wire.command()
@click.argument("file", type=click.Path())
@click.option(
    "--wire", "name", type=click.Choice(NAMES), help="The format, if FILE leaves it open."
)
@looks
def check(file: str, name: str | None, plain: bool, as_json: bool) -> int:
    """Name every breach of a provider's rules in FILE.

    FILE is the body of a request, in JSON. Exit code 1 if there is a breach.
    """
    from curriculum.wire.errors import WireError
    from curriculum.wire.provider_bodies import LISTS, recognise
    from curriculum.wire.provider_rules import objections

    body = _body(file)
    try:
        chosen = name or recognise(body)
        found = objections(chosen, body)
    except WireError as error:
        error.headline = f"{file}: {error.headline}"
        choices = "" if error.code == "body-ambiguous" else "curriculum wire check --help"
        error.next = choices or f"curriculum wire check FILE --wire {NAMES[0]}"
        raise
    listed: Any = body[LISTS[chosen]]
    count = len(listed) if isinstance(listed, list) else 1  # pyright: ignore
    if as_json:
        import attrs

        data = [attrs.asdict(one) for one in found]
        print_json({"file": file, "wire": chosen, "count": count, "breaches": data})
        return int(bool(found))
    from curriculum.view.screen import Screen
    from curriculum.view.wires import show_objections

    show_objections(Screen(plain), file, chosen, count, found)
    return int(bool(found))


def _body(file: str) -> dict[str, Any]:
    """The JSON object in the file. Raises `CurriculumError`."""
    import json

    from curriculum.count.chat_files import read_text

    next = "curriculum wire check --help"
    try:
        data = json.loads(read_text(file))
    except CurriculumError as error:
        error.next = next
        raise
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}" if isinstance(
            error, json.JSONDecodeError) else type(error).__name__  # fmt: skip
        raise CurriculumError(
            f"{file} is no JSON.", where, code="body-no-json", next=next
        ) from None
    if not isinstance(data, dict):
        raise CurriculumError(
            f"{file} is no body of a request.",
            'a body is a JSON object, such as {"messages": [...]}',
            code="body-shape",
            next=next,
        )
    return data  # pyright: ignore[reportUnknownVariableType]
