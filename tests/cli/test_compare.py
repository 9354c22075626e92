"""`curriculum compare` and `run --policy`: one case under another policy, or under two."""

import json
from pathlib import Path

from .command import Done, curriculum


def compare(*words: str) -> Done:
    return curriculum("compare", *words)


class TestCompare:
    """Where what the model sees first parts, and every request side by side."""

    CASE = "pressure/newest-first-900"
    BOTH = ("--policy", "newest-first", "--policy", "pools")

    def test_names_the_first_record_with_both_reasons(self) -> None:
        done = compare(self.CASE, *self.BOTH, "--plain")
        assert 0 == done.code
        lines = done.out.splitlines()
        at = lines.index("They part at request 2.")
        assert "  the first record: M r0001 (constraint)" == lines[at + 1]
        assert lines[at + 2].startswith("  A  omitted")
        assert lines[at + 2].endswith("[behind-cut]")
        assert lines[at + 3].endswith("(size 47) [protected-constraint]")

    def test_sums_of_each_request_stand_side_by_side(self) -> None:
        out = compare(self.CASE, *self.BOTH, "--plain").out
        part = out.partition("== request 2\n")[2].splitlines()
        assert part[:2] == [
            "  A  900 of 900 chars, 4 messages",
            "  B  720 of 900 chars, 5 messages, rung clear, packed greedy",
        ]

    def test_records_alike_are_counted_and_shown_on_request(self) -> None:
        few = compare(self.CASE, *self.BOTH, "--plain").out
        every = compare(self.CASE, *self.BOTH, "--plain", "--all").out
        assert "10 records alike under both" in few
        assert "alike under both" not in every
        assert len(every.splitlines()) > len(few.splitlines())

    def test_a_policy_against_itself(self) -> None:
        out = compare("s06-context-budget", *("--policy", "pools") * 2, "--plain").out
        assert "Both send the same bytes in every request." in out

    def test_as_data(self) -> None:
        data = json.loads(compare(self.CASE, *self.BOTH, "--json").out)
        assert {"request": 2, "record": "r0001"} == data["first"]
        assert ["newest-first@1", "pools@1"] == [id.partition("#")[0] for id in data["policies"]]
        assert 5 == len(data["requests"])
        assert {"record", "kind", "differs", "sides"} == set(data["requests"][0]["records"][0])

    def test_under_another_budget(self) -> None:
        out = compare(
            self.CASE, *self.BOTH, "--budget", "max_input_chars=6000,capacity=6200", "--plain"
        ).out
        assert "Both send the same bytes in every request." in out

    def test_one_policy_is_no_comparison(self) -> None:
        done = compare(self.CASE, "--policy", "pools")
        assert 2 == done.code
        assert "[compare-two]" in done.err

    def test_an_unknown_policy_is_told_the_nearest(self) -> None:
        done = compare(self.CASE, "--policy", "pool", "--policy", "pools")
        assert 0 != done.code
        assert "[policy-unknown]" in done.err
        assert "nearest: pools@1" in done.err


class TestRunUnderAPolicy:
    """`run CASE --policy`: any case of our runner, under a policy by name or in a file."""

    def test_says_which_policy_and_shows_its_rung(self) -> None:
        done = curriculum("run", "pressure/newest-first-900", "--policy", "pools", "--plain")
        assert 0 == done.code
        title = done.out.splitlines()[0]
        assert "policy newest-first@1#33fc9d5b -> pools@1#" in title
        assert "[protected-constraint]" in done.out

    def test_with_a_changed_budget_as_well(self) -> None:
        words = ("--policy", "pools", "--budget", "max_input_chars=400", "--plain")
        title = curriculum("run", "pressure/newest-first-900", *words).out.split("\n")[0]
        assert "max_input_chars 900 -> 400, policy newest-first@1" in title

    def test_a_policy_of_ones_own(self, tmp_path: Path) -> None:
        """A file; its trace is written, and can be checked where the file is given again."""
        file = tmp_path / "mine.toml"
        file.write_text('name = "mine"\nversion = 1\nladder = ["mask", "omit"]\n', encoding="utf-8")
        done = curriculum("run", "pressure/newest-first-900", "--policy", str(file), "--plain")
        assert 0 == done.code
        assert "-> mine@1#" in done.out

    def test_a_policy_with_summaries_has_them(self) -> None:
        words = ("--policy", "stage-order", "--plain")
        out = curriculum("run", "pressure/newest-first-900", *words).out
        assert "context.compact" in out
        assert "done" in out
