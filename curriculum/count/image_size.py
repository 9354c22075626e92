"""The pixels of an image that stands in a request, where they can be known without fetching it.

`width` and `height` beside the image are taken at their word. The bytes of a PNG, JPEG, GIF or
WebP are read here, those of other formats with the library of the `exact` extra. For an address it
is not known.
"""

import base64
import binascii
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any, cast

from curriculum.record.picture import seen

UNREAD = (
    "sizes of other formats than PNG, JPEG, GIF and WebP are read with the extra: "
    'pip install "curriculum[exact]"'
)


def can_read() -> bool:
    """Whether the library that reads the sizes of further formats is installed."""
    return find_spec("imagesize") is not None


def size_of(part: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Width and height of the image of a message part, or None for both."""
    width, height = part.get("width"), part.get("height")
    if type(width) is int and type(height) is int and width > 0 and height > 0:
        return width, height
    data = _data(part)
    return _read(data) if data else (None, None)


def _data(part: Mapping[str, Any]) -> bytes:
    """The bytes of the image where they stand in the part as base64."""
    for key in ("image_url", "source", "inline_data", "inlineData", "image", "data"):
        value = part.get(key)
        if isinstance(value, Mapping):
            inner = cast("Mapping[str, Any]", value)
            value = inner.get("url", inner.get("data"))
        if isinstance(value, str) and (value.startswith("data:") or "://" not in value[:32]):
            text = value.partition(",")[2] if value.startswith("data:") else value
            try:
                return base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError):
                continue
    return b""


def _read(data: bytes) -> tuple[int | None, int | None]:
    known = seen(data)
    if known is not None:
        return known.width, known.height
    if not can_read():
        return None, None
    imagesize: Any = import_module("imagesize")
    try:
        width, height = imagesize.get(BytesIO(data))
    except Exception:  # bytes that only look like an image: then nothing is known of its size
        return None, None
    known = type(width) is int and type(height) is int and width > 0 and height > 0
    return (width, height) if known else (None, None)
