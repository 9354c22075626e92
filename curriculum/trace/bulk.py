"""Making very many objects at once without the search for garbage cycles among them."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Generator[None]:
    """Leave garbage cycles alone for a while; nothing made meanwhile should be one.

    The search would go through all events of a long trace again and again, for a third of the
    time that reading it takes.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
