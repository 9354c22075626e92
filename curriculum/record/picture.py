"""A picture out of the bytes of its file: its media type, and its size in pixels.

PNG, JPEG, GIF and WebP, which every provider takes. Only the head of a file is looked at: that it
can be drawn is not checked.
"""

from base64 import b64encode
from collections.abc import Callable

from .errors import CurriculumError
from .records import Image

Size = tuple[int, int]
"""Width and height in pixels."""
_MOST = 10**6
"""No side of a picture has as many pixels as this."""


def picture(data: bytes) -> tuple[str, Image]:
    """The text of a record of kind image, which is `data` in base64, and what picture it is.

    Raises `CurriculumError` (`image-unknown`) for other bytes, and for a head that gives no size.
    """
    known = seen(data)
    if known is None:
        raise CurriculumError(
            "These bytes are no picture in PNG, JPEG, GIF or WebP with a size.",
            f"{len(data)} bytes, the first: {data[:12].hex(' ') or 'none'}",
            code="image-unknown",
            next="write the picture as PNG",
        )
    return b64encode(data).decode(), known


def seen(data: bytes) -> Image | None:
    """What picture the bytes are, or None if that cannot be known."""
    for media, begins, measure in _FORMATS:
        if begins(data):
            size = measure(data)
            if size is None or not all(0 < side < _MOST for side in size):
                return None
            return Image(media, *size)
    return None


def _big(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "big")


def _little(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "little")


def _png(data: bytes) -> Size | None:
    """The header chunk is the first one."""
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return _big(data, 16, 4), _big(data, 20, 4)


def _gif(data: bytes) -> Size | None:
    return (_little(data, 6, 2), _little(data, 8, 2)) if len(data) >= 10 else None


_NO_LENGTH = {0x01, *range(0xD0, 0xD9)}
"""Markers of a JPEG behind which no length stands: TEM, RST0 to RST7, SOI."""
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers that begin a frame, whose head holds the size; the other three are tables."""
_NO_FRAME = {0xD9, 0xDA}
"""The end of the picture, and the pixels themselves: a frame would stand before them."""


def _jpeg(data: bytes) -> Size | None:
    """Segments are passed over, a preview within one with them, up to the first frame."""
    at = 2
    while at + 1 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # filled up
            at += 1
        elif marker in _NO_LENGTH:
            at += 2
        elif marker in _NO_FRAME or at + 9 > len(data):
            return None
        elif marker in _FRAMES:
            return _big(data, at + 7, 2), _big(data, at + 5, 2)
        else:
            at += 2 + _big(data, at + 2, 2)
    return None


def _webp(data: bytes) -> Size | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    if kind == b"VP8L" and len(data) >= 25 and data[20] == 0x2F:
        sides = _little(data, 21, 4)
        return (sides & 0x3FFF) + 1, (sides >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(data) >= 30 and data[23:26] == b"\x9d\x01\x2a":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    return None


_FORMATS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], Size | None]], ...] = (
    ("image/png", lambda data: data.startswith(b"\x89PNG\r\n\x1a\n"), _png),
    ("image/jpeg", lambda data: data.startswith(b"\xff\xd8\xff"), _jpeg),
    ("image/gif", lambda data: data.startswith((b"GIF87a", b"GIF89a")), _gif),
    ("image/webp", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP", _webp),
)
"""Media type, how a file of it begins, and where its size stands."""
