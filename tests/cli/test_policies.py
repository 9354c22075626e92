"""`curriculum policies` and `curriculum policy`: shown in words, checked to the line."""

import json
import os
import re
from pathlib import Path

import pytest

from .command import ROOT, curriculum, rich

DEAD = """name = "mine"
about = "Plans first."
ladder = ["mask", "cut 40", "omit"]
high = 2000

[[rule]]
name = "plans"
kind = ["plan"]
pool = "prefer"

[[rule]]
kind = ["plan"]
tag = ["old"]
pool = "evict"

[pool.prefer]
cap = "50%"
"""
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\ufe0f]")
NASTY = "[red]x[/] :smile: \\u001b[31mred\\u0007 \\u202eabc \\n== Policy fake\\u2028 \\u0000"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(DEAD, encoding="utf-8")
    return file


class TestList:
    def test_each_policy_has_its_id_and_what_it_says_about_itself(self) -> None:
        done = curriculum("policies", "--plain")
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        assert lines[1] == "== Policies: 5"
        at = lines.index("  newest-first@1#33fc9d5b   newest first, flat")
        assert lines[at + 1].startswith("    What governs stays; then whole exchanges")
        assert lines[-1] == "next: curriculum policy show exact-fit"
        found = [line.split()[0].partition("@")[0] for line in lines if "@1#" in line]
        assert found == ["exact-fit", "newest-first", "planner-order", "pools", "stage-order"]

    def test_as_data(self) -> None:
        exact, first, *others = json.loads(curriculum("policies", "--json").out)
        assert (exact["name"], exact["pooling"]["packing"]) == ("exact-fit", "exact")
        assert (first["id"], first["pooling"]) == ("newest-first@1#33fc9d5b", None)
        assert [one["pooling"]["packing"] for one in others] == ["greedy"] * 3

    @pytest.mark.parametrize("columns", [40, 80])
    def test_a_terminal_shows_the_same_words(self, columns: int) -> None:
        done = rich("policies", columns=columns)
        assert max(map(len, done.text.splitlines())) <= columns
        plain = curriculum("policies", "--plain").out
        assert [w for w in done.text.split() if set(w) != {"─"}] == [
            w for w in plain.split() if w != "=="
        ]


class TestShow:
    def test_classes_pools_and_ladder_are_told_in_their_order(self, tmp_path: Path) -> None:
        file = tmp_path / "p.toml"
        file.write_text(
            'name = "p"\nabout = "A sample."\nprotect = ["tools"]\ncut = true\n'
            'ladder = ["externalize 9", "evict 2", "evict", "summarise", "omit"]\n'
            'high = "90%"\nlow = 40\nrecent = 2\nblock = 3\norder = "edges"\n'
            '[[rule]]\npool = "protect"\nname = "keep"\ntag = ["spec", "rules"]\n'
            '[[rule]]\npool = "evict"\nrank = 2\nkind = ["result"]\nolder_than = 1\n'
            'trust = ["external"]\nauthor = ["tool"]\ntool = ["read"]\nactive = true\n'
            'externalize = true\n[[rule]]\npool="ordinary"\nintact=true\nactive=false\n'
            '[pool.evict]\ncap = "15%"\n[pool.ordinary]\nmin = 7\n'
            '[[ingest]]\nunit = "chars"\nmost = 400\nhead = "20%"\ntool = ["read", "list"]\n'
            '[[ingest]]\nunit = "lines"\nmost = 9\n'
            '[[again]]\ntool = "read"\nargument = "path"\n'
            '[smaller]\nname = "bare"\nrelease = ["keep"]\n'
            '[compact]\nat = "50%"\nrecords = 9\npreserve = ["A:", "B:"]\nkeep = ["plan"]\n'
            'drop = ["result", "image"]\n',
            encoding="utf-8",
        )
        done = curriculum(
            *("policy", "show", "p.toml", "--plain", "--budget", "max_input_tokens=1001"),
            cwd=tmp_path,
        )
        assert (done.code, done.err) == (0, "")
        head, *rest = done.out[1:].splitlines()
        assert re.fullmatch(r"== Policy p@1#[0-9a-f]{8}", head)
        assert rest == [
            "  about     A sample.",
            "  flat      a late turn costs what an early one does",
            "  cut       an exchange that must be sent and does not fit gives up the middle of its"
            " results",
            "",
            "== Protected: stays whole, or the run stops",
            "  kinds     tools",
            "  request   all that the user said since the last turn that asked for no tool",
            "",
            "== Ingest: how what a tool returns is cut on its way into the log, for good",
            "   1 read or list  unit chars, most 400, head 20%",
            "   2 any tool  unit lines, most 9",
            "",
            "== Classes: the first rule that holds decides",
            "   1 keep  -> protect  if a tag is spec or rules",
            "   2       -> evict, rank 2, a handle may stand for it  if kind is result, and author"
            " is tool, and trust is external, and tool is read, and more than 1 turn old, and no"
            " later record overrules it",
            "   3       -> ordinary, never reduced  if a later record overrules it",
            "   -       -> ordinary  every other record",
            "",
            "== Pools: served in this order",
            "  prefer    no share of its own",
            "  ordinary  is left at least 7",
            "  evict     takes at most 15% of the ceiling 1001 = 150",
            "  packing   greedy: pool by pool, each newest first until one does not fit",
            "  order     edges: what is protected beside the conversation first, what is preferred"
            " beside it last",
            "",
            "== Ladder: each step only if those before it were not enough",
            "   1 externalize 9  a handle and a preview stand for an artifact: 9 characters",
            "   2 evict 2        what may go first goes, by the rank of its rule, up to rank 2",
            "   3 evict          what may go first goes, by the rank of its rule",
            "   4 summarise      a summary stands for old exchanges",
            "   5 omit           what does not fit into its pool waits",
            "  again     read asks the same again if path is the same",
            "  high      it begins above 90% of the ceiling 1001 = 900",
            "  low       leaving out goes down to 40",
            "  recent    the newest 2 exchanges are not reduced",
            "  block     what is recent changes every 3 exchanges",
            "",
            "== Compaction: a summary stands for older exchanges",
            "  when      the log is over 50% of the ceiling 1001 = 500 or it has more than 9"
            " candidates or the ladder comes to summarise or whoever drives it asks for one",
            "  recent    the newest 2 exchanges stay",
            "  preserve  lines that begin with A: or B: must stand in the summary",
            "  keep      records of kind plan stay beside it",
            "  drop      of kind result whoever writes it sees only the marker of each",
            "  drop      of kind image whoever writes it sees none",
            "  asks      Summarise what the rest of the work needs.",
            "",
            "== Smaller mode: if what is protected does not fit",
            "  name      bare",
            "  releases  what these rules protect: keep",
            "next: curriculum policy check p.toml",
        ]

    def test_exact_packing_and_no_promises(self, tmp_path: Path) -> None:
        file = tmp_path / "p.toml"
        file.write_text(
            'packing = "exact"\nflat = false\ncut = false\nprotect = []\n'
            "current_request = false\n[pool.evict]\nvalue = 3\n"
        )
        lines = curriculum("policy", "show", str(file), "--plain").out.splitlines()
        for line in (
            "  about     nothing said",
            "  flat      not promised",
            "  cut       no result is cut",
            "  kinds     none",
            "  prefer    an exchange is worth 1",
            "  evict     an exchange is worth 3",
            "  packing   exact: the whole exchanges that are worth most together",
        ):
            assert line in lines
        assert not [line for line in lines if line.startswith(("  request", "  recent", "  block"))]

    def test_newest_first_has_no_classes(self) -> None:
        lines = curriculum("policy", "show", "newest-first@1", "--plain").out.splitlines()
        assert lines[1] == "== Policy newest-first@1#33fc9d5b"
        assert lines[4].startswith(
            "  cut       an exchange that is the first that does not fit gives"
        )
        assert lines[-3] == "== The rest"
        assert lines[-2].startswith("  order     whole exchanges, newest first; ")
        assert lines[-1] == "next: curriculum policy check newest-first@1"

    def test_as_data(self) -> None:
        done = curriculum("policy", "show", "pools", "--budget", "max_input_chars=3000", "--json")
        data = json.loads(done.out)
        assert data["name"] == "pools"
        assert data["amounts"]["pool.prefer.cap"] == 1800
        assert data["pooling"]["ladder"][-1] == {"name": "omit", "number": None}
        assert "amounts" not in json.loads(curriculum("policy", "show", "pools", "--json").out)

    @pytest.mark.parametrize(
        "name", ["pools", "stage-order", "planner-order", "newest-first", "exact-fit"]
    )
    def test_a_terminal_shows_the_same_words(self, name: str) -> None:
        done = rich("policy", "show", name, columns=60)
        assert max(map(len, done.text.splitlines())) <= 60
        plain = curriculum("policy", "show", name, "--plain").out
        assert [w for w in done.text.split() if set(w) != {"─"}] == [
            w for w in plain.split() if w != "=="
        ]

    def test_every_packing_order_and_step_has_words(self) -> None:
        from curriculum.context.pooling import ORDERS, PACKINGS
        from curriculum.view.policies import ORDER, PACKING

        assert (tuple(PACKING), tuple(ORDER)) == (PACKINGS, ORDERS)


class TestCheck:
    @pytest.mark.parametrize(
        "name", ["newest-first", "planner-order", "pools", "stage-order", "exact-fit"]
    )
    def test_a_shipped_policy_is_right(self, name: str) -> None:
        done = curriculum("policy", "check", name, "--plain")
        assert (done.code, done.err) == (0, "")
        lines = done.out.splitlines()
        said = rf"ok        {name}@1#[0-9a-f]{{8}}: \d+ values checked, 0 dead knobs"
        assert re.fullmatch(said, lines[0])
        assert lines[-1] == f"next: curriculum policy show {name}"
        budget = "not checked what a budget decides: add --budget max_input_chars=N"
        assert lines[1:-1] == (
            [] if name == "newest-first" else [f"{budget},max_tool_output_chars=N"]
        )

    def test_a_shipped_file_is_the_policy_of_its_name(self) -> None:
        path = "curriculum/context/policies/pools.toml"
        lines = [curriculum("policy", "check", id, "--plain").out for id in (path, "pools")]
        assert lines[0].splitlines()[0] == lines[1].splitlines()[0]

    def test_dead_knobs_are_named_in_the_order_of_lines(self, mine: Path) -> None:
        done = curriculum("policy", "check", "mine.toml", "--plain", cwd=mine.parent)
        assert (done.code, done.err) == (1, "")
        *knobs, found, _, _ = done.out.splitlines()
        assert knobs == [
            "DEAD      mine.toml, line 3: ladder 2: cut 40 reduces nothing: ladder 1, mask, has"
            " cleared every old result that may be reduced, to its marker",
            "DEAD      mine.toml, line 11: rule 2: it never decides: an earlier rule decides on each"
            " of its records: rule 1 (plans) asks for kind is plan; this one asks for kind is plan,"
            " and a tag is old",
        ]
        assert re.fullmatch(r"found     mine@1#\w{8}: 13 values checked, 2 dead knobs", found)

    def test_a_budget_proves_more(self, mine: Path) -> None:
        """2000 is over a ceiling of 1999; 50 % of it is not over what high leaves."""
        args = ("policy", "check", str(mine), "--plain", "--budget")
        done = curriculum(*args, "max_input_chars=1999", "--budget", "max_tool_output_chars=400")
        assert f"DEAD      {mine}, line 4: high: no request is over the ceiling 1999" in done.out
        assert "not checked" not in done.out
        assert "line 4" not in curriculum(*args, "max_input_chars=2000").out
        assert "budget max_tool_output_chars=N\n" in curriculum(*args, "max_input_chars=9").out
        assert (
            "add --budget max_input_chars=N\n" in curriculum(*args, "max_tool_output_chars=99").out
        )

    def test_as_data(self, mine: Path) -> None:
        done = curriculum(
            "policy", "check", str(mine), "--budget", "max_input_chars=3000", "--json"
        )
        assert done.code == 1
        data = json.loads(done.out)
        assert (data["file"], data["values"]) == (str(mine), 13)
        assert data["limits"] == {"max_input_chars": 3000}
        assert [(one["line"], one["key"]) for one in data["dead"]] == [
            (3, "ladder 2"),
            (11, "rule 2"),
        ]
        assert json.loads(curriculum("policy", "check", "pools", "--json").out)["dead"] == []

    def test_a_terminal_shows_the_same_words(self, mine: Path) -> None:
        done = rich("policy", "check", str(mine), columns=250)
        plain = curriculum("policy", "check", str(mine), "--plain").out
        assert done.text.split() == plain.split()

    def test_a_mistake_has_its_line_and_the_nearest_word(self, mine: Path) -> None:
        mine.write_text(DEAD.replace("prefer]", "prefered]").replace("cut 40", "cut"))
        done = curriculum("policy", "check", "mine.toml", cwd=mine.parent)
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            "error: mine.toml, line 3: ladder 2 is 'cut'; cut takes a whole number from 1 on: how"
            " many characters of a result are kept. [policy-ladder]\n"
            "  nearest: cut 400\n"
            "  and line 16: pool has no key 'prefered'. nearest: prefer [policy-unknown-key]\n"
            "  next: curriculum policy check mine.toml   # once it is mended\n"
        )


class TestNames:
    def test_an_unknown_one_is_answered_with_the_nearest(self) -> None:
        for command in ("show", "check"):
            done = curriculum("policy", command, "pool")
            assert (done.code, done.out) == (2, "")
            assert done.err == (
                "error: No policy is called 'pool'. [policy-unknown]\n"
                "  nearest: pools@1\n"
                "  a file of your own is named by its path, such as ./mine.toml\n"
                "  next: curriculum policies\n"
            )

    def test_another_hash_is_no_installed_policy(self) -> None:
        done = curriculum("policy", "show", "newest-first@1#00000000")
        assert done.code == 7
        assert "[component-not-installed]" in done.err

    @pytest.mark.parametrize(
        ("budget", "code", "says"),
        [
            ("max_input_char=3", "budget-unknown-limit", "nearest: max_input_chars"),
            ("max_input_chars", "budget-value", "'max_input_chars' is no LIMIT=N"),
            ("max_input_chars=-3", "budget-value", "is no LIMIT=N with a whole number"),
            ("max_input_chars=0", "budget-range", "max_input_chars is 0; it must be"),
            ("max_tool_output_chars=17", "budget-tool-ceiling-too-small", "= 18 > 17"),
            ("max_input_chars=3,max_input_tokens=3", "budget-one-ceiling", "needs one input"),
            ("max_input_chars=3,", "budget-unknown-limit", "No limit is called ''."),
        ],
    )
    def test_a_limit_that_cannot_be_used(self, budget: str, code: str, says: str) -> None:
        for command in ("show", "check"):
            done = curriculum("policy", command, "pools", "--budget", budget)
            assert (done.code, done.out) == (2, "")
            assert f"[{code}]" in done.err
            assert says in done.err


class TestHostile:
    """A file of somebody else is data: no control, no markup, no flood, no crash."""

    @pytest.mark.parametrize("command", ["show", "check"])
    def test_about_and_other_texts(self, command: str, tmp_path: Path) -> None:
        text = (
            f'about = "{NASTY}"\n[[again]]\ntool = "{NASTY}"\nargument = "{NASTY}"\n'
            f'[[rule]]\npool = "evict"\ntag = ["{NASTY}"]\n[compact]\ninstruction = "{NASTY}"\n'
            f'preserve = ["{NASTY}"]\n[[rule]]\npool = "evict"\ntag = ["{NASTY}"]\n'
        )
        (tmp_path / "p.toml").write_text(text, encoding="ascii")
        plain = curriculum("policy", command, "p.toml", "--plain", cwd=tmp_path)
        assert plain.code == (command == "check")
        assert plain.out.isascii()
        assert not CONTROL.search(plain.out)
        assert (
            "[red]x[/] :smile: \\x1b[31mred\\x07 \\u202eabc \\n== Policy fake\\u2028" in plain.out
        )
        assert "== Policy fake" not in plain.out.splitlines()
        look = rich("policy", command, str(tmp_path / "p.toml"), columns=100)
        assert not CONTROL.search(look.text)
        data = curriculum("policy", command, "p.toml", "--json", cwd=tmp_path)
        assert data.out.isascii()
        assert json.loads(data.out)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (f'name = "{NASTY}"', "name is '[red]x[/] :smile: \\x1b[31mred"),
            (f'order = "{NASTY}"', "no order is called '[red]x[/]"),
            (f'"{NASTY}" = 1', "a policy has no key '[red]x[/]"),
            (f'[[rule]]\npool = "protect"\nname = "{NASTY}"', "rule 1, name is '[red]x[/]"),
            (f'["{NASTY}"]\n["{NASTY}"]', "this is no TOML"),
            ("name = '" + "x" * 900_000 + "'", "and 899940 characters more"),
        ],
    )
    def test_mistakes(self, text: str, says: str, tmp_path: Path) -> None:
        (tmp_path / "p.toml").write_text(text, encoding="ascii")
        for done in (
            curriculum("policy", "check", "p.toml", cwd=tmp_path),
            rich("policy", "check", str(tmp_path / "p.toml")),
        ):
            assert (done.code, done.out) == (2, "")
            assert done.err.isascii()
            assert not CONTROL.search(done.err)
            assert says in done.err
            assert len(done.err) < 3000

    def test_files_that_are_none(self, tmp_path: Path) -> None:
        (tmp_path / "big.toml").write_bytes(b"#" * 2_000_000)
        (tmp_path / "raw.toml").write_bytes(b"name = '\xff'")
        (tmp_path / "folder.toml").mkdir()
        for file, code, says in (
            ("big.toml", "policy-too-large", "'big.toml' has more than 1000000 bytes."),
            ("raw.toml", "policy-unreadable", "it is no UTF-8 text (byte 8)"),
            ("folder.toml", "policy-unreadable", "it is a folder"),
            ("./", "policy-unreadable", "it is a folder"),
            ("row.toml", "policy-unreadable", "nearest: raw.toml"),
            ("a\x1b[31m.toml", "policy-unreadable", "'a\\x1b[31m.toml' cannot be read: there is"),
        ):
            for command in ("show", "check"):
                done = curriculum("policy", command, file, cwd=tmp_path)
                assert (done.code, done.out) == (2, "")
                assert f"[{code}]" in done.err
                assert says in done.err
                assert done.err.endswith("  next: curriculum policies\n")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "p.toml")
        done = curriculum("policy", "check", "p.toml", cwd=tmp_path)
        assert done.code == 2
        assert "it is no regular file" in done.err


def test_it_is_found_from_any_folder(tmp_path: Path) -> None:
    """The policies are data of the package, wherever a command runs."""
    assert ROOT not in tmp_path.parents
    assert (
        curriculum("policies", "--plain", cwd=tmp_path).out == curriculum("policies", "--plain").out
    )
