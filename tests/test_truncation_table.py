"""One output of a shell under the rules of fourteen agents' settings: what each lets a model see.

5,000 lines of 40 bytes each, newline included, all ASCII: 200,000 bytes. The expected values are
those of table 2a of agents.md, written out. Our marker is `[-N-]`, theirs are sentences: where a
marker stands outside the limit the kept bytes are exactly the agent's, where it stands inside they
are up to the length of its wording.
"""

import pytest

from curriculum.record.cut import Cut
from curriculum.record.truncation_chain import binding, dead, standings, through
from curriculum.record.units import size
from tests.presets import PRESETS

LINES = [f"{number:04d} {'x' * 34}\n" for number in range(5000)]
OUTPUT = "".join(LINES)


def seen(name: str) -> Cut:
    """What the rules of a preset leave of the output."""
    return through(PRESETS[name], Cut.whole(OUTPUT))


def ends(name: str) -> tuple[str, str, str]:
    cut = seen(name)
    return cut.head, cut.marker, cut.tail


class TestRows:
    """Each row of the table."""

    def test_the_output(self) -> None:
        """5,000 lines, 200,000 bytes, 200,000 characters, 50,000 tokens at 4 bytes each."""
        sizes = [size(OUTPUT, unit) for unit in ("lines", "bytes", "chars", "tokens")]
        assert [5_000, 200_000, 200_000, 50_000] == sizes

    def test_codex_tokens(self) -> None:
        """20,000 first and 20,000 last bytes; what is missing are 40,000 tokens.

        10,000 tokens are 40,000 bytes; 160,000 bytes are left out, at 4 bytes a token 40,000.
        """
        assert (OUTPUT[:20_000], "[-160000-]", OUTPUT[-20_000:]) == ends("codex-tokens")
        assert 40_000 == size(OUTPUT[20_000:-20_000], "tokens")

    def test_codex_bytes(self) -> None:
        """5,000 and 5,000; 190,000 characters are missing."""
        assert (OUTPUT[:5_000], "[-190000-]", OUTPUT[-5_000:]) == ends("codex-bytes")

    def test_gemini(self) -> None:
        """8,000 and 32,000; 160,000 omitted."""
        assert (OUTPUT[:8_000], "[-160000-]", OUTPUT[-32_000:]) == ends("gemini")

    def test_openhands(self) -> None:
        """30,000 in all with the notice, near half at each side.

        Ours has ten characters, so 14,995 stand at each side. The total is exactly the agent's, the
        sides are (30,000 - length of its notice) / 2 there.
        """
        assert (OUTPUT[:14_995], "[-170010-]", OUTPUT[-14_995:]) == ends("openhands-terminal")
        assert 30_000 == 14_995 + len("[-170010-]") + 14_995

    def test_opencode(self) -> None:
        """The last 1,280 lines: 51,200 bytes are reached before 2,000 lines.

        The table says *about*; 1,280 times 40 is 51,200, so it is exactly so many.
        """
        assert ("", "[-148800-]", "".join(LINES[-1_280:])) == ends("opencode-shell")
        assert 51_200 == size(seen("opencode-shell").tail, "bytes")

    def test_cline_sdk_at_the_tool(self) -> None:
        """24,000 and 24,000 leave the tool."""
        cut = through(PRESETS["cline-sdk"][:1], Cut.whole(OUTPUT))
        assert (OUTPUT[:24_000], OUTPUT[-24_000:]) == (cut.head, cut.tail)

    def test_cline_sdk(self) -> None:
        """8,000 in all with the marker reach the provider.

        Ours has ten characters: 3,995 at each side. It counts 192,010 from the output itself; the
        agent's second marker counts what that stage took from the 48,000 and the first notice.
        """
        assert (OUTPUT[:3_995], "[-192010-]", OUTPUT[-3_995:]) == ends("cline-sdk")
        assert 8_000 == 3_995 + len("[-192010-]") + 3_995

    def test_cline_classic(self) -> None:
        """The first 250 and the last 250 lines, 20,000 bytes."""
        head, tail = "".join(LINES[:250]), "".join(LINES[-250:])
        assert (head, "[-180000-]", tail) == ends("cline-classic")
        assert 20_000 == len(head) + len(tail)

    def test_roo(self) -> None:
        """5,120 and 5,120."""
        assert (OUTPUT[:5_120], "[-189760-]", OUTPUT[-5_120:]) == ends("roo")

    def test_goose(self) -> None:
        """The last 50 lines, 2,000 bytes.

        The rule keeps exactly that. Goose takes the output's last newline off before it cuts, so
        that 1,999 of these bytes are in its request.
        """
        assert ("", "[-198000-]", "".join(LINES[-50:])) == ends("goose")
        assert 2_000 == size(seen("goose").tail, "bytes")

    def test_swe_agent(self) -> None:
        """The first 100,000."""
        assert (OUTPUT[:100_000], "[-100000-]", "") == ends("swe-agent")

    @pytest.mark.parametrize("name", ["swe-agent-bash-only", "mini"])
    def test_swe_agent_in_halves(self, name: str) -> None:
        """5,000 and 5,000."""
        assert (OUTPUT[:5_000], "[-190000-]", OUTPUT[-5_000:]) == ends(name)

    def test_deepagents(self) -> None:
        """The first 5 and the last 5 lines."""
        assert ("".join(LINES[:5]), "[-199600-]", "".join(LINES[-5:])) == ends("deepagents")

    def test_aider(self) -> None:
        """All of it."""
        assert (OUTPUT, "", "") == ends("aider")


class TestAllRows:
    """What the rows say together."""

    def test_the_presets(self) -> None:
        """Fourteen settings: the thirteen rows, of which one has two settings."""
        agents = ["aider", "cline-classic", "cline-sdk", "codex-bytes", "codex-tokens"]
        agents += ["deepagents", "gemini", "goose", "mini", "opencode-shell"]
        agents += ["openhands-terminal", "roo", "swe-agent", "swe-agent-bash-only"]
        assert agents == sorted(PRESETS)

    def test_most_lines_are_seen_by_two_settings_or_fewer(self) -> None:
        """3,700 of 5,000 lines, 74 %.

        Line 501 is the first that only swe-agent and aider show, and line 4,201 the first of the
        800 that gemini shows beside opencode and aider.
        """
        shown = [0] * 5_000
        for name in PRESETS:
            cut = seen(name)
            start = (200_000 - len(cut.tail)) // 40
            for number in range(5_000):
                shown[number] += number * 40 < len(cut.head) or number >= start
        few = [number for number, settings in enumerate(shown) if settings <= 2]
        assert list(range(500, 4_200)) == few

    @pytest.mark.parametrize(
        ("name", "at"),
        [("codex-tokens", 0), ("codex-bytes", 0), ("openhands-terminal", 0), ("cline-sdk", 1)],
    )
    def test_only_the_tighter_of_two_shows(self, name: str, at: int) -> None:
        """codex: the policy; openhands: the terminal's limit; cline-sdk: that of the request."""
        assert (at,) == binding(PRESETS[name], Cut.whole(OUTPUT)).shows

    def test_the_second_limits_that_never_bind(self) -> None:
        """codex stores 1.2 times what it has let through, openhands takes 50,000 of 30,000."""
        found = {name: dead(rules) for name, rules in PRESETS.items()}
        assert {
            "codex-tokens": {
                1: "40,000 bytes (10,000 tokens) let at most 40,000 bytes through; "
                "48,000 bytes (12,000 tokens) pass"
            },
            "codex-bytes": {1: "10,000 bytes let at most 10,000 bytes through; 12,000 bytes pass"},
            "openhands-terminal": {
                1: "30,000 chars let at most 30,000 chars through; 50,000 chars pass"
            },
        } == {name: of for name, of in found.items() if of}
        assert ["binds", "binds"] == [one.verdict for one in standings(PRESETS["cline-sdk"])]
