"""`trace request --count`: a request of a trace counted anew, by class, with its joints."""

import json
from pathlib import Path

from splintr import Tokenizer

from .command import GOLDEN, curriculum

S06 = str(GOLDEN / "s06-context-budget.jsonl")
CHAT = str(GOLDEN / "harness" / "token-budget.jsonl")
CLAUDE = str(GOLDEN / "harness" / "anthropic-messages.jsonl")


class TestByEye:
    """Characters of a request that can be counted by hand."""

    def test_the_classes_add_up_to_the_request(self) -> None:
        """Five marks and line ends 10, `=c1 ` 4 and marker 8 less its mark 1: frame 21 of 300."""
        done = curriculum("trace", "request", S06, "2", "--count", "chars@1", "--plain")
        assert done.code == 0
        rows = [line.split()[:2] for line in done.out.splitlines()[2:]]
        assert [["21", "frame"], ["12", "schema"], ["267", "text"], ["0", "joints:"]] == rows[:4]
        assert [["300", "chars"], ["300", "bound"]] == rows[4:]


class TestExact:
    """Only the count of the whole is exact; the joints are what its parts are off by."""

    def test_the_whole_is_what_the_tokenizer_says(self) -> None:
        body = json.loads(curriculum("trace", "request", CHAT, "1", "--json").out)["body"]
        said = json.loads(
            curriculum("trace", "request", CHAT, "1", "--count", "exact@1:o200k", "--json").out
        )
        tokens = len(Tokenizer.from_pretrained("o200k_base").encode_ordinary(body))
        assert (tokens, "exact") == (said["whole"], said["kind"])
        assert tokens == sum(said["classes"].values()) + said["joints"]
        assert said["joints"] < 0 < tokens <= said["bound"]
        assert "proven" == said["bound_name"]


class TestOfAModel:
    """What no byte shows is in the sum, by name."""

    def test_it_is_the_size_that_the_trace_has(self) -> None:
        """870 + 278 + 166 + 116 by bytes, twice each; picture 1; hidden prompt 588."""
        counter = "bytes@1:claude-3;reply=0;preamble=588;images=anthropic-standard"
        said = json.loads(
            curriculum("trace", "request", CLAUDE, "1", "--count", counter, "--json").out
        )
        assert (870 + 278 + 166 + 116, 1, 588) == (
            sum(said["classes"].values()), said["images"], said["around"]
        )  # fmt: skip
        lines = Path(CLAUDE).read_text("utf-8").splitlines()
        assembled = [json.loads(line) for line in lines]
        sizes = [e["data"]["size"] for e in assembled[1:] if e["type"] == "context.assemble"]
        assert 2019 == sizes[0] == said["bound"] == said["whole"]

    def test_without_a_rule_a_picture_costs_the_most_and_it_is_said(self) -> None:
        done = curriculum("trace", "request", CLAUDE, "1", "--count", "bytes@1:claude-3", "--plain")
        assert "   48169 images, by their rule" in done.out.splitlines()
        assert "  warning  no rule for images is published" in done.out


class TestRefused:
    def test_an_unknown_counter_names_those_that_are_known(self) -> None:
        done = curriculum("trace", "request", S06, "1", "--count", "words@1")
        assert (7, "") == (done.code, done.out)
        assert "error: No counter is called 'words@1'. [counter-unknown]" in done.err

    def test_a_family_without_a_tokenizer_is_no_traceback(self) -> None:
        done = curriculum("trace", "request", S06, "1", "--count", "exact@1:claude-3")
        assert "[family-not-exact]" in done.err
        assert "Traceback" not in done.err
