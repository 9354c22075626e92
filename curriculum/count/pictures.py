"""What a picture in a request is charged with: by its model's rule, never as text or as nothing."""

from collections.abc import Iterable

from curriculum.record.records import Image
from curriculum.wire.request import Piece, SegmentClass

from .counter import Counter
from .image_rules import rule_of


def doubt(counter: Counter) -> str:
    """Why what pictures are charged with is no real price; empty where a model's rule says it."""
    return rule_of(counter.images).warning if counter.unit != "chars" else ""


def pictured(counter: Counter, pieces: Iterable[Piece], image: Image) -> int:
    """The size of the item of a picture: its framing as text, and the picture by its rule.

    A counter that was made for no one model has the largest rule of all that are known. Where
    characters are counted, the base64 is so many characters of the request as it has.
    """
    spelled = list(pieces)
    if counter.unit == "chars":
        return sum(counter.size(text) for _, text in spelled)
    frame = sum(counter.size(text) for kind, text in spelled if kind is not SegmentClass.IMAGE)
    rule = rule_of(counter.images)
    return frame + rule.tokens(image.width, image.height)
