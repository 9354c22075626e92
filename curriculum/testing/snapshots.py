"""For teams that use syrupy: the same golden files behind `assert trace == snapshot`.

    @pytest.fixture
    def snapshot(snapshot):
        return snapshot.use_extension(GoldenTraceExtension)

`--snapshot-update` records a pending file beside the golden; `golden review` decides, as always.
"""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from curriculum.golden.files import fixture, read, refuse_in_ci
from curriculum.golden.record import keep
from curriculum.record.errors import CurriculumError
from curriculum.trace.reader import Trace
from curriculum.trace.recorder import Recorder
from curriculum.view.safe import ascii_only, error_text

from .checking import refuse_unfinished, refuse_unlawful
from .leftovers import UPDATES
from .naming import further, golden_id
from .plugin import NAME, GoldenRun, refuse_claim


class GoldenTraceExtension(SingleFileSnapshotExtension):
    """Compares a `Recorder`, or a trace's text, with the golden trace of the test."""

    file_extension = "jsonl"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **_: Any) -> str:
        """The trace as text. The test fails if it breaks a law or is none."""
        __tracebackhide__ = True
        text = data.text() if isinstance(data, Recorder) else str(data)
        refuse_unlawful(text)
        refuse_unfinished(text)
        return text

    @classmethod
    def get_location(cls, *, test_location: Any, index: Any) -> str:
        """The golden's file: that of the test, with `.1` and so on for further traces of it.

        The test fails under CI if it could write: before anything is opened.
        """
        __tracebackhide__ = True
        item: pytest.Item = test_location.item
        if any(item.config.getoption(name, None) for name in UPDATES):
            try:
                refuse_in_ci()
            except CurriculumError as error:
                raise pytest.fail.Exception(error_text(error), pytrace=False) from None
        run: Any = item.config.pluginmanager.getplugin(NAME)
        assert isinstance(run, GoldenRun), "the plugin of curriculum is switched off"
        refuse_claim(item)
        project = run.home(item.path.parent)
        id = golden_id(item, project) + (further(index) if index else "")
        who = f"{item.nodeid} {index!a}" if index else item.nodeid
        if other := run.compare(project, id, who):
            why = f"{item.nodeid}: {id} is the golden of {other} already. [golden-claims]"
            pytest.fail(ascii_only(why), pytrace=False)
        return str(fixture(project.golden, id))

    @classmethod
    def get_snapshot_name(cls, *, test_location: Any, index: Any = 0) -> str:
        """The name that syrupy shows: the test's."""
        further = f".{index}" if index else ""
        return ascii_only(f"{test_location.snapshot_name}{further}")

    def read_snapshot_data_from_location(self, *, snapshot_location: str, **_: Any) -> str | None:
        """The golden's text; CR LF and all, so that nothing passes that `golden verify` refuses."""
        data = read(Path(snapshot_location))
        return None if data is None else data.decode(errors="replace")

    @classmethod
    def write_snapshot(cls, *, snapshot_location: str, snapshots: Any, **_: Any) -> None:
        """Record a pending file; the golden itself is only changed by `golden accept`.

        syrupy calls this method final, as what it writes elsewhere is many snapshots in a file.
        """
        __tracebackhide__ = True
        golden = Path(snapshot_location)
        try:
            for data, _location, _index in snapshots:
                keep(golden.stem, str(data), golden.parent)
        except CurriculumError as error:
            raise pytest.fail.Exception(error_text(error), pytrace=False) from None

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
            out.write(error_text(error))
        yield from out.getvalue().splitlines()
