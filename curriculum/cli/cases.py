"""Whose goldens a command is about: those of the project around it, else the course's own."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from curriculum.golden.cases import Case
from curriculum.golden.project import Project, find


@attrs.frozen
class Desk:
    """The cases that a command knows, the folder of their goldens, and the project, if any."""

    cases: Mapping[str, Case]
    folder: Path
    project: Project | None = None

    @property
    def root(self) -> Path:
        """Where the project's tests are: its root, else beside the goldens."""
        return self.project.root if self.project is not None else self.folder.parent

    @property
    def whose(self) -> str:
        """Whose cases they are, for data: `project` or `course`."""
        return "course" if self.project is None else "project"

    @property
    def note(self) -> str:
        """The line that says that these are the course's own; empty in a project or a checkout."""
        if self.project is not None or _in_checkout():
            return ""
        from curriculum.golden.strangers import NO_TABLE

        return f"the course's own cases: {NO_TABLE} {Path.cwd()}"


def desk(folder: Path | None = None) -> Desk:
    """The desk of the working folder; `folder` is where the goldens are instead.

    A folder that a project names as that of its goldens is the desk of that project, wherever
    one stands. Raises `ProjectError` for a project that cannot be used.
    """
    there = find(folder) if folder is not None else None
    if there is not None and folder is not None and there.golden == Path(os.path.abspath(folder)):
        return Desk(there.cases(), folder, there)
    project = find(Path.cwd())
    if project is not None:
        return Desk(project.cases(), folder or project.golden, project)
    from curriculum.course.lessons import all_cases
    from curriculum.golden.files import root

    return Desk(all_cases(), folder or root())


def refuse_strangers(names: Sequence[str]) -> None:
    """Raise `ProjectError` if the goldens around the working folder belong to no known project.

    A command there would be about the course's own and end well for the wrong reason. Whoever
    names a case of the course, or files, has said what is meant and cannot be misled.
    """
    if find(Path.cwd()) is not None:
        return
    from curriculum.golden.files import root
    from curriculum.golden.strangers import goldens_around, no_project

    found = goldens_around(Path.cwd(), root())
    if found is None:
        return
    from curriculum.course.lessons import all_cases

    cases = all_cases()
    if not names or not all(name in cases or Path(name).is_file() for name in names):
        raise no_project(Path.cwd(), *found, len(cases))


def _in_checkout() -> bool:
    """Whether the working folder is in the checkout that this package is a part of."""
    from curriculum.golden.files import root

    checkout = root().parent
    inside = (checkout / "pyproject.toml").is_file()  # else it is the installed package itself
    return inside and Path.cwd().resolve().is_relative_to(checkout.resolve())
