"""For teams that use syrupy: the same golden files behind `assert trace == snapshot`.

    @pytest.fixture
    def snapshot(snapshot):
        return snapshot.use_extension(GoldenTraceExtension)

`--snapshot-update` records a pending file beside the golden; `golden review` decides, as always.
"""

from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from curriculum.golden.files import fixture, refuse_in_ci
from curriculum.golden.project import Project
from curriculum.golden.record import keep
from curriculum.record.errors import CurriculumError
from curriculum.trace.laws import breaches
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder

from .naming import golden_id
from .plugin import NAME, GoldenRun


class GoldenTraceExtension(SingleFileSnapshotExtension):
    """Compares a `Recorder`, or a trace's text, with the golden trace of the test."""

    file_extension = "jsonl"
    _write_mode = WriteMode.TEXT
    _places: dict[str, tuple[str, Path]] = {}  # noqa: RUF012  # one for all, as syrupy's methods are
    """The golden's id and folder, by the location that syrupy was told."""

    def serialize(self, data: Any, **_: Any) -> str:
        """The trace as text. Raises `CurriculumError` for one that breaks a law or is none."""
        text = data.text() if isinstance(data, Recorder) else str(data)
        broken = list(islice(breaches(Trace.parse(text)), 4))
        if broken:
            why = "The trace breaks a law; it cannot be a golden."
            raise CurriculumError(why, *map(str, broken), code="golden-unlawful")
        return text

    @classmethod
    def get_location(cls, *, test_location: Any, index: Any) -> str:
        """The golden's file: that of the test, with `.1` and so on for further traces of it."""
        run: Any = test_location.item.config.pluginmanager.getplugin(NAME)
        assert isinstance(run, GoldenRun), "the plugin of curriculum is switched off"
        project: Project = run.project
        id = golden_id(test_location.item, project) + (f".{index}" if index else "")
        run.claims[id] = str(test_location.item.nodeid)
        location = str(fixture(project.golden, id))
        cls._places[location] = id, project.golden
        return location

    @classmethod
    def get_snapshot_name(cls, *, test_location: Any, index: Any = 0) -> str:
        """The name that syrupy shows: the test's."""
        return f"{test_location.snapshot_name}{f'.{index}' if index else ''}"

    @classmethod
    def matches_test_location(cls, *, test_location: Any, snapshot_location: str) -> bool:
        """Whether this is a golden that some test has asked for."""
        return snapshot_location in cls._places

    def read_snapshot_data_from_location(self, *, snapshot_location: str, **_: Any) -> str | None:
        """The golden's text; CR LF and all, so that nothing passes that `golden verify` refuses."""
        path = Path(snapshot_location)
        return path.read_bytes().decode() if path.is_file() else None

    @classmethod
    def write_snapshot(cls, *, snapshot_location: str, snapshots: Any, **_: Any) -> None:
        """Record a pending file; the golden itself is only changed by `golden accept`."""
        refuse_in_ci()
        id, folder = cls._places[snapshot_location]
        for data, _location, _index in snapshots:
            keep(id, str(data), folder)

    def delete_snapshots(self, *, snapshot_location: str, snapshot_names: set[str]) -> None:
        """Delete nothing: `golden prune` does, when it is asked to."""

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """None: what no test claims is found by a run of all tests, not by syrupy."""
        return SnapshotCollections()

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """Why the two differ, as `golden verify` says it; nothing if there is no golden yet."""
        if not snapshot_data:
            return
        from curriculum.trace.explain import explain
        from curriculum.view.explanation import show_explanation
        from curriculum.view.screen import Screen

        out = StringIO()
        try:
            left = Trace.parse(str(snapshot_data), "the golden")
            show_explanation(Screen(True, out), explain(left, Trace.parse(str(serialized_data))))
        except CurriculumError as error:  # the golden cannot be read
            out.write(str(error))
        yield from out.getvalue().splitlines()
