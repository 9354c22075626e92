"""`golden guide`: the page about goldens for an agent of one's own, as it is shipped."""

import re
from pathlib import Path

import click

import curriculum.golden
from curriculum.view.screen import Screen

from .options import looks, print_json

LINK = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")
"""A link to a file of the checkout; an installed package has none of them."""
COMMENT = re.compile(r"^<!--.*-->\n", re.M)


@click.command()
@click.option("--agents", is_flag=True, help="The page for coding agents, for your AGENTS.md.")
@looks
def guide(agents: bool, plain: bool, as_json: bool) -> None:
    """Print how to pin the traces of an agent of your own, in Markdown."""
    name = "agents.md" if agents else "guide.md"
    text = Path(curriculum.golden.__path__[0], name).read_text(encoding="utf-8")
    text = COMMENT.sub("", LINK.sub(r"\1", text))
    if as_json:
        print_json({"name": name, "text": text})
    elif plain or agents:
        click.echo(text, nl=False)
    else:
        screen = Screen(plain)
        for line in text.splitlines():
            screen.line(("head", line) if line.startswith("#") else line)
