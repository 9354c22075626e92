"""Which step takes a file, by an option or by its path; and what no step takes."""

import pytest

from curriculum.context.roles import Role, Said, notes, roles_of
from curriculum.record.errors import CurriculumError


def role(path: str, said: Said = Said(), type: str = "unknown", *others: str) -> Role:  # noqa: B008
    types = {path: (type, "its type"), **dict.fromkeys(others, ("unknown", ""))}
    return roles_of(types, said)[path]


class TestNever:
    """The active spec, the rules constitution, the project profile, the active decision packet."""

    @pytest.mark.parametrize(
        ("path", "as_what"),
        [
            ("constitution.md", "rules constitution"),
            (".specify/memory/constitution.md", "rules constitution"),
            ("docs/Rules-Constitution.md", "rules constitution"),
            ("AGENTS.md", "rules constitution"),
            ("sub/CLAUDE.md", "rules constitution"),
            (".paqad/project-profile.yaml", "project profile"),
            ("project_profile.json", "project profile"),
            ("decision-packet-7.md", "active decision packet"),
            (".paqad/decision-packets/7.json", "active decision packet"),
        ],
    )
    def test_by_its_path(self, path: str, as_what: str) -> None:
        assert as_what == role(path).kept

    def test_a_spec_by_its_type(self) -> None:
        found = role("any.md", type="spec")
        assert ("active spec", "its type") == (found.kept, found.why)

    def test_where_the_active_spec_is_named_another_is_not_it(self) -> None:
        said = Said(spec=("new.md",))
        found = roles_of({"old.md": ("spec", ""), "new.md": ("spec", "")}, said)
        assert Role() == found["old.md"]
        assert Role("--spec", "active spec") == found["new.md"]

    def test_by_the_caller(self) -> None:
        assert Role("--keep", "kept by the caller") == role("a.py", Said(keep=("a.py",)))

    @pytest.mark.parametrize("option", ["history", "stack_index", "skill", "module_doc"])
    def test_no_option_takes_it_away(self, option: str) -> None:
        found = role("constitution.md", Said(**{option: ("constitution.md",)}))
        dashed = option.replace("_", "-")
        assert "rules constitution" == found.kept
        assert f"named constitution.md; --{dashed} cannot change that" == found.why
        assert not found.goes

    @pytest.mark.parametrize(
        "path", ["src/constitution.py", "reconstitution.md", "profile-project.md", "decision.md"]
    )
    def test_not_what_only_looks_alike(self, path: str) -> None:
        assert "" == role(path).kept


class TestSaid:
    """An option says it, whatever the path is."""

    @pytest.mark.parametrize(
        ("option", "step", "why"),
        [
            ("history", 1, "--history"),
            ("stack_index", 2, "--stack-index"),
            ("skill", 3, "--skill; a is not active"),
            ("module_doc", 4, "--module-doc; a is not affected"),
        ],
    )
    def test_the_step_of_each_option(self, option: str, step: int, why: str) -> None:
        found = role("any/a.md", Said(**{option: ("any/a.md",)}))
        assert Role(why, step=step, goes=True) == found

    def test_a_summary_stands_for_a_canonical_document(self) -> None:
        found = role("a.md", Said(canonical=(("a.md", "s.md"),)))
        assert Role("--canonical, with s.md", step=5, goes=True, summary="s.md") == found

    def test_an_active_skill_and_an_affected_module_stay(self) -> None:
        """A file that is in no module's folder has its own name as module."""
        said = Said(module_doc=("x/auth.md",), affected=("Auth",))
        assert Role("--module-doc; auth is affected", step=4) == role("x/auth.md", said)
        said = Said(skill=("skills/pdf/references/a.md",), active=("pdf",))
        assert not role("skills/pdf/references/a.md", said).goes

    @pytest.mark.parametrize(
        "said",
        [
            Said(history=("a.md",), keep=("a.md",)),
            Said(skill=("a.md",), module_doc=("a.md",)),
            Said(canonical=(("a.md", "s.md"), ("a.md", "t.md"))),
            Said(canonical=(("a.md", "s.md"), ("s.md", "t.md"))),
            Said(canonical=(("a.md", "a.md"),)),
        ],
    )
    def test_a_file_has_one_place(self, said: Said) -> None:
        with pytest.raises(CurriculumError) as caught:
            role("a.md", said)
        assert "plan-two-places" == caught.value.code

    def test_naming_a_file_twice_in_one_list_is_no_contradiction(self) -> None:
        assert 1 == role("a.md", Said(history=("a.md", "a.md"))).step


class TestPaths:
    """Without an option the path may say it; where it does not, no step takes the file."""

    def test_history_older_than_the_last_two_turns_of_its_folder(self) -> None:
        paths = [f"s/history/turn-{n}.md" for n in (1, 2, 10)] + ["t/history/turn-1.md"]
        found = roles_of(dict.fromkeys(paths, ("unknown", "")), Said())
        assert [True, False, False, False] == [found[path].goes for path in paths]
        assert "in history/; turn 1 is older than 2" == found[paths[0]].why
        assert "in history/; turn 2 is one of the last 2" == found[paths[1]].why

    def test_history_of_no_known_age_stays(self) -> None:
        found = role("sessions/monday.jsonl")
        assert (1, False) == (found.step, found.goes)
        assert "in sessions/; its name has no turn, so its age is not known" == found.why

    @pytest.mark.parametrize(
        ("path", "step"),
        [
            ("docs/stack/index.md", 2),
            ("docs/stacks/react/index.json", 2),
            ("docs/stack-index.md", 2),
            ("docs/stack/react.md", 0),
            ("src/stack/index.ts", 0),
            ("docs/index.md", 0),
            ("docs/haystack/index.md", 0),
            ("src/history/turn-1.py", 0),
            ("src/main.py", 0),
            ("modules/auth/api.md", 0),
            ("skills/pdf/SKILL.md", 0),
        ],
    )
    def test_what_a_path_says_and_what_not(self, path: str, step: int) -> None:
        found = role(path)
        assert (step, step > 0) == (found.step, found.goes)

    def test_module_docs_outside_the_affected_modules(self) -> None:
        said = Said(affected=("auth",))
        assert role("docs/modules/billing/deep/api.md", said).goes
        assert role("x/docs/modules/billing.md", said).goes
        assert not role("docs/modules/auth/api.md", said).goes
        assert not role("docs/modules/auth.md", said).goes

    def test_without_affected_modules_none_is_outside(self) -> None:
        found = role("docs/modules/billing/api.md")
        assert (4, False) == (found.step, found.goes)
        assert "in docs/modules/, of billing; no --affected says which are affected" == found.why

    def test_references_of_skills_that_are_not_active(self) -> None:
        said = Said(active=("pdf",))
        assert role(".x/skills/sql/references/joins.md", said).goes
        assert not role(".x/skills/pdf/references/forms.md", said).goes
        assert not role(".x/skills/sql/references/joins.md").goes

    @pytest.mark.parametrize(
        "summary", ["a.summary.md", "a-summary.md", "a.index.md", "a-index.md"]
    )
    def test_a_document_whose_summary_is_here(self, summary: str) -> None:
        found = role(f"d/{'a'}.md", Said(), "unknown", f"d/{summary}")
        assert Role(f"its summary d/{summary} is here", "", 5, True, f"d/{summary}") == found
        assert Role() == role(f"d/{summary}", Said(), "unknown", "d/a.md")

    def test_a_summary_has_none_itself(self) -> None:
        """Else both would go, and nothing would stand for the document."""
        assert Role() == role("a.summary.md", Said(), "unknown", "a.summary.summary.md")

    def test_an_affected_module_keeps_its_summary_at_most(self) -> None:
        """Step 4 leaves it; step 5 may still put its summary in its place."""
        path, summary = "docs/modules/auth/api.md", "docs/modules/auth/api.summary.md"
        found = role(path, Said(affected=("auth",)), "unknown", summary)
        assert (5, True, summary) == (found.step, found.goes, found.summary)


class TestNotes:
    """A module or skill that no file is of is perhaps misspelt."""

    def test_a_misspelt_module(self) -> None:
        types = dict.fromkeys(["docs/modules/auth/a.md", "docs/modules/pay/a.md"], ("unknown", ""))
        assert ["no file is of the module atuh; they are of auth, pay"] == notes(
            types, Said(affected=("atuh", "pay"))
        )

    def test_no_module_at_all(self) -> None:
        assert ["no file is of the skill pdf"] == notes({}, Said(active=("pdf",)))
