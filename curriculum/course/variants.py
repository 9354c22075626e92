"""Own numbers for everyone: which variant of an exercise a learner gets, and which comes next.

Nobody keeps a list of answers: the variant follows from the course's key and the learner's name,
the grader finds it again and runs it.
"""

from collections.abc import Mapping
from hashlib import sha256

from .exercise import Exercise

Variant = Mapping[str, int]


def variants_of(exercise: Exercise) -> tuple[Variant, ...]:
    """All variants; the numbers of the text are one of them. At least one, which may be empty."""
    return exercise.variants or (exercise.change,)


def variant_of(exercise: Exercise, key: str, name: str, attempt: int = 0) -> Variant:
    """The variant of a learner's attempt, counted from 0; after the last the first comes again.

    Without a name the first is that of the text, and the others follow as the file has them.
    """
    order = in_order(exercise, key, name)
    return order[attempt % len(order)]


def in_order(exercise: Exercise, key: str, name: str) -> list[Variant]:
    """All variants in the order in which a learner gets them."""
    known = list(variants_of(exercise))
    if not name:
        return sorted(known, key=lambda variant: variant != exercise.change)
    places = [
        sha256(f"{key}\n{name}\n{exercise.id}\n{n}".encode()).digest() for n in range(len(known))
    ]
    return [variant for _, variant in sorted(zip(places, known, strict=True), key=lambda at: at[0])]


def spelled(variant: Variant) -> str:
    """A variant as one line: `capacity=400 output_reserve=100`; `as it is` if nothing changes."""
    return " ".join(f"{name}={value}" for name, value in sorted(variant.items())) or "as it is"
