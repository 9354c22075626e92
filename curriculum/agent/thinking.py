"""The thinking that may come with an output."""

import attrs
from attrs.validators import instance_of, optional

from curriculum.record.records import Native


@attrs.frozen
class Thinking:
    """What a model thought before it spoke; `native` is the provider's block, sent back as is.

    Raises `TypeError` for a text that is none, and for a block that is no `Native`.
    """

    text: str = attrs.field(default="", validator=instance_of(str))
    native: Native | None = attrs.field(default=None, validator=optional(instance_of(Native)))
