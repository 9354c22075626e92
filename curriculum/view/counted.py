"""A request of a trace counted by any counter: by class, with the joints, as one whole."""

from typing import Any

import attrs

from curriculum.count.counter import Counter
from curriculum.count.whole import count_whole
from curriculum.trace.reader import Trace
from curriculum.wire.request import SegmentClass

from .screen import Screen


@attrs.frozen
class Counted:
    """`classes` + `images` + `around` + `joints` = `whole`, in the counter's unit.

    `joints` is what joining the parts adds, below 0 where it takes away. `bound` is what a budget
    would admit the request by, part by part; `kind` says how sure `whole` is of the text.
    """

    counter: str
    unit: str
    kind: str
    classes: dict[str, int]
    images: int
    around: int
    joints: int
    whole: int
    bound: int
    bound_name: str
    warnings: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """The same facts for programs."""
        return attrs.asdict(self)


def counted(trace: Trace, number: int, counter: Counter) -> Counted:
    """Request `number` (from 1) of a trace. Raises what the counter raises."""
    from curriculum.count.image_rules import rule_of

    segments = trace.request(number).segments
    told = [(str(s.kind), s.text) for s in segments if s.kind is not SegmentClass.IMAGE]
    pictures = [s for s in segments if s.kind is SegmentClass.IMAGE]
    if counter.unit == "chars":  # the base64 is so many characters as it has
        told, pictures = [(str(s.kind), s.text) for s in segments], []
    found = count_whole(counter, told)
    rule = rule_of(counter.images)
    known = {record.id: record.image for record in trace.records}
    sizes = [known.get(segment.record or "") for segment in pictures]
    images = sum(rule.tokens(one and one.width, one and one.height) for one in sizes)
    around = counter.around(any(s.kind is SegmentClass.SCHEMA for s in segments))
    parts = sum(counter.size(text) for _, text in told)
    return Counted(
        counter=counter.id,
        unit=counter.unit,
        kind=found.whole.kind if not pictures else f"{found.whole.kind}, images by their rule",
        classes=found.by_kind(),
        images=images,
        around=around,
        joints=found.joints,
        whole=found.whole.value + images + around,
        bound=parts + images + around,
        bound_name=counter.bound_name,
        warnings=(rule.warning,) if pictures and rule.warning else (),
    )


def show_counted(screen: Screen, found: Counted, number: int) -> None:
    """The classes, what joining them does, and the sum."""
    screen.head(f"Request {number} counted by {found.counter}")
    rows = [(size, name) for name, size in found.classes.items()]
    rows += [(found.images, "images, by their rule")] if found.images else []
    added = "added by the provider: the reply begun, the prompt for tools"
    rows += [(found.around, added)] if found.around else []
    rows.append((found.joints, "joints: what joining the parts adds, or takes away"))
    for size, name in rows:
        screen.line(("number", f"{size:>8} "), name, indent=9)
    whole = f"{found.unit} in one count of the whole: {found.kind}"
    screen.line(("number", f"{found.whole:>8} "), whole, indent=9, sums=True)
    by = f"bound that a budget admits it by, part by part: {found.bound_name}"
    screen.line(("number", f"{found.bound:>8} "), by, indent=9)
    for warning in found.warnings:
        screen.line("  ", ("bad", "warning"), f"  {warning}", indent=4)
