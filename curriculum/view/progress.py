"""A bar for long work, on stderr and only where a person watches: never in what is written."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def progress(label: str) -> Generator[Callable[[int, int], None] | None]:
    """What to call with the steps done and all steps; None where stderr is no terminal.

    The bar is gone when the work is.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)

        def step(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield step
