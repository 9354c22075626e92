"""Where the commands get the cases from: this one place."""

from collections.abc import Mapping

from curriculum.golden.cases import Case


def cases() -> Mapping[str, Case]:
    """Every case that can be run, by id."""
    from curriculum.course.lessons import all_cases

    return all_cases()
