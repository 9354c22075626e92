"""Whose goldens a command is about: those of the project around it, else the course's own."""

from collections.abc import Mapping
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


def desk(folder: Path | None = None) -> Desk:
    """The desk of the working folder; `folder` is where the goldens are instead.

    Raises `ProjectError` for a project that cannot be used.
    """
    project = find(Path.cwd())
    if project is not None:
        return Desk(project.cases(), folder or project.golden, project)
    from curriculum.course.lessons import all_cases
    from curriculum.golden.files import root

    return Desk(all_cases(), folder or root())
