"""Single keys from a terminal, on every system; what is typed at the wrong moment is dropped."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

END = "\x04"
"""What stands for the end of the input."""


def at_terminal() -> bool:
    """Whether a person sits at both ends: types here, and reads here."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Keys(Protocol):
    """Where keys come from."""

    def next(self, seconds: float) -> str | None:
        """The next key, in small letters; None if there is none within so many seconds."""
        ...

    def drop(self) -> None:
        """Forget what has been typed and not been read."""
        ...


@contextmanager
def keys() -> Generator[Keys]:
    """The keys of the terminal, which is as it was afterwards."""
    if sys.platform == "win32":
        yield _Windows()
        return
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield _Posix(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


class _Posix:
    """Keys of a terminal that is read byte by byte."""

    def __init__(self, number: int) -> None:
        self.number = number

    def next(self, seconds: float) -> str | None:
        """The next key; those that are no ASCII, and the rest of a sequence, say nothing."""
        import select

        if not select.select([self.number], [], [], seconds)[0]:
            return None
        data = os.read(self.number, 64)
        if not data:
            return END
        return data.decode("ascii", "replace").lower() if len(data) == 1 else ""

    def drop(self) -> None:
        """Forget what waits."""
        if sys.platform != "win32":
            import termios

            termios.tcflush(self.number, termios.TCIFLUSH)


class _Windows:
    """Keys of a console."""

    def next(self, seconds: float) -> str | None:
        """The next key."""
        import time

        if sys.platform == "win32":
            import msvcrt

            ends = time.monotonic() + seconds
            while time.monotonic() < ends:
                if msvcrt.kbhit():
                    key = msvcrt.getwch().lower()
                    if key == "\x03":
                        raise KeyboardInterrupt
                    return END if key == "\x1a" else key
                time.sleep(0.02)
        return None

    def drop(self) -> None:
        """Forget what waits."""
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                msvcrt.getwch()
