"""`curriculum lessons` lists every lesson with what it is about and the cases to run."""

import json

from .command import ROOT, curriculum, rich


def test_plain_has_one_fact_a_line() -> None:
    done = curriculum("lessons", "--plain")
    assert done.code == 0
    assert done.out.isascii()
    lines = done.out.splitlines()
    assert "s06-context-budget  Context budget: two gates in a row  (40 minutes)" in lines
    folders = sorted(path.parent.name for path in (ROOT / "lessons").glob("*/lesson.toml"))
    assert [line[:17] for line in lines].count("  mechanism      ") == len(folders)
    assert lines[-1] == f"next: curriculum run {folders[0].replace('_', '-')}"


def test_a_terminal_shows_the_same_words_and_cuts_no_id() -> None:
    """Lines wrap under their own column, and every case id stands whole in one line."""
    done = rich("lessons", columns=60)
    assert max(map(len, done.text.splitlines())) <= 60
    plain = curriculum("lessons", "--plain")
    assert done.text.split() == plain.out.split()
    for case in ("with-reserve", "system-does-not-fit", "result-does-not-fit"):
        assert f"s06-context-budget/{case}" in done.text


def test_the_same_facts_as_data() -> None:
    known = {lesson["id"]: lesson for lesson in json.loads(curriculum("lessons", "--json").out)}
    lesson = known["s06-context-budget"]
    assert lesson["minutes"] == 40
    assert lesson["cases"][3] == {
        "id": "s06-context-budget/result-does-not-fit",
        "title": "not even the result's marker fits: the second request is not sent",
        "stops": "result-does-not-fit",
    }
