"""Which step of a compaction may take a file, and what no step takes: seed 000's list.

A file has its role by what the caller says, or by its path. Paths have forward slashes.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import attrs

from curriculum.record.errors import CurriculumError

STEPS = (
    "session history older than 2 turns",
    "stack documentation indexes",
    "capability skill references not active for the lane",
    "module docs outside the affected modules",
    "verbose canonical docs that have summary indexes",
)
"""What is evicted, in this order; a step's number is its place, from 1."""
SPEC, CONSTITUTION = "active spec", "rules constitution"
PROFILE, PACKET = "project profile", "active decision packet"

_TEXTS = {"md", "mdc", "txt", "rst", "adoc", "yaml", "yml", "json", "jsonl", "toml", "log", "html"}
_RULES = {"agents.md", "claude.md"}
_PAST = {"history", "session-history", "sessions", "transcripts"}
_SUMMARY = re.compile(r"[.-](summary|index)$")


@attrs.frozen
class Said:
    """What the caller says of files, modules and skills. Each file is in one list at most.

    `spec` names the active spec; while it is empty every spec counts as active. What `history`,
    `stack_index`, `skill` and `module_doc` name may go, unless `affected` or `active` names its
    module or skill. `canonical` pairs a file with the summary that stands in for it.
    """

    keep: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    stack_index: tuple[str, ...] = ()
    skill: tuple[str, ...] = ()
    module_doc: tuple[str, ...] = ()
    canonical: tuple[tuple[str, str], ...] = ()
    affected: tuple[str, ...] = ()
    active: tuple[str, ...] = ()

    def options(self) -> dict[str, str]:
        """The option that names each file. Raises `CurriculumError` for one in two of them."""
        lists = {
            "--keep": self.keep,
            "--spec": self.spec,
            "--history": self.history,
            "--stack-index": self.stack_index,
            "--skill": self.skill,
            "--module-doc": self.module_doc,
            "--canonical": [file for file, _ in self.canonical],
        }
        found: dict[str, str] = {}
        for option, files in lists.items():
            for file in files:
                if found.setdefault(file, option) != option:
                    _refuse(f"{file} is given to {found[file]} and to {option}.")
        summaries: dict[str, str] = {}
        for file, summary in self.canonical:
            if summaries.setdefault(file, summary) != summary:
                _refuse(f"{file} is given two summaries, {summaries[file]} and {summary}.")
        for file, summary in self.canonical:
            if summary in summaries:
                _refuse(f"{summary} is the summary of {file}, and has a summary itself.")
        return found


def _refuse(headline: str) -> None:
    raise CurriculumError(
        headline,
        "a file has one place in the list",
        code="plan-two-places",
        next="curriculum plan --help",
    )


@attrs.frozen
class Role:
    """`kept` says as what a file is never evicted; else `step` is the one it belongs to.

    0 is no step. `goes` says whether the step takes it, and `why` how all this is known.
    """

    why: str = ""
    kept: str = ""
    step: int = 0
    goes: bool = False
    summary: str = ""


def roles_of(types: dict[str, tuple[str, str]], said: Said) -> dict[str, Role]:
    """The role of each file of `types`, which gives its type and by what that is known.

    Raises `CurriculumError` for a file in two lists of `said`.
    """
    options = said.options()
    numbers = {path: _turn(path) for path in types}
    newest = _newest(numbers)
    found: dict[str, Role] = {}
    for path, (type, why) in types.items():
        option = options.get(path, "")
        kept = _kept(path, type, why, option, said)
        if kept is not None:
            found[path] = kept
        elif option:
            found[path] = _as_said(path, option, said)
        else:
            seen = [
                _past(path, numbers[path], newest),
                _stack(path),
                _skill(path, said),
                _module(path, said),
                _canonical(path, types),
            ]
            known = [role for role in seen if role is not None]
            found[path] = next((role for role in known if role.goes), next(iter(known), Role()))
    return found


def _kept(path: str, type: str, why: str, option: str, said: Said) -> Role | None:
    if option == "--keep":
        return Role("--keep", "kept by the caller")
    if option == "--spec":
        return Role("--spec", SPEC)
    as_what, by = _never(path)
    if not as_what and type == "spec" and not said.spec:
        as_what, by = SPEC, why
    if not as_what:
        return None
    return Role(f"{by}; {option} cannot change that" if option else by, as_what)


def _never(path: str) -> tuple[str, str]:
    """As what the path says that a file is never evicted, and what in it says so."""
    name = path.rpartition("/")[2]
    if not _text(path):
        return "", ""
    words = _words(name)
    if "constitution" in words or name.lower() in _RULES:
        return CONSTITUTION, f"named {name}"
    for pair, as_what in ((("project", "profile"), PROFILE), (("decision", "packet"), PACKET)):
        if pair in pairwise(words):
            return as_what, f"named {name}"
    if "decision-packets" in _folders(path):
        return PACKET, "in decision-packets/"
    return "", ""


def _as_said(path: str, option: str, said: Said) -> Role:
    if option == "--skill":
        return _named(3, option, _skill_of(path) or _stem(path), said.active, "active", True)
    if option == "--module-doc":
        return _named(4, option, _module_of(path) or _stem(path), said.affected, "affected", True)
    if option == "--canonical":
        summary = dict(said.canonical)[path]
        return Role(f"--canonical, with {summary}", step=5, goes=True, summary=summary)
    return Role(option, step=1 if option == "--history" else 2, goes=True)


def _named(
    step: int, why: str, name: str, chosen: Sequence[str], word: str, certain: bool = False
) -> Role:
    """A doc of the module or skill `name`: it stays if that is chosen, or if nobody chose."""
    if name.casefold() in map(str.casefold, chosen):
        return Role(f"{why}; {name} is {word}", step=step)
    if not chosen and not certain:
        return Role(f"{why}; no --{word} says which are {word}", step=step)
    return Role(f"{why}; {name} is not {word}", step=step, goes=True)


def _past(path: str, turn: int | None, newest: dict[str, list[int]]) -> Role | None:
    past = [folder for folder in _folders(path) if folder in _PAST]
    if not past or not _text(path):
        return None
    if turn is None:
        return Role(f"in {past[-1]}/; its name has no turn, so its age is not known", step=1)
    last = newest[path.rpartition("/")[0]]
    if turn in last:
        return Role(f"in {past[-1]}/; turn {turn} is one of the last 2", step=1)
    return Role(f"in {past[-1]}/; turn {turn} is older than {min(last)}", step=1, goes=True)


def _turn(path: str) -> int | None:
    match = re.search(r"turn[-_ ]?([0-9]{1,9})(?![0-9])", path.rpartition("/")[2].lower())
    return int(match[1]) if match else None


def _newest(numbers: dict[str, int | None]) -> dict[str, list[int]]:
    """The two last turns of each folder."""
    turns: dict[str, set[int]] = {}
    for path, number in numbers.items():
        if number is not None:
            turns.setdefault(path.rpartition("/")[0], set()).add(number)
    return {folder: sorted(found)[-2:] for folder, found in turns.items()}


def _stack(path: str) -> Role | None:
    words = _words(path.rpartition("/")[2])
    if not _text(path) or "index" not in words:
        return None
    if {"stack", "stacks"} & {*words, *_folders(path)}:
        return Role("an index, of a stack by its path", step=2, goes=True)
    return None


def _skill(path: str, said: Said) -> Role | None:
    name = _skill_of(path)
    why = f"in skills/{name}/references/"
    return _named(3, why, name, said.active, "active") if name else None


def _module(path: str, said: Said) -> Role | None:
    name = _module_of(path)
    why = f"in docs/modules/, of {name}"
    return _named(4, why, name, said.affected, "affected") if name else None


def _canonical(path: str, types: dict[str, tuple[str, str]]) -> Role | None:
    """`api.md` beside `api.summary.md`, `api-summary.md`, `api.index.md` or `api-index.md`."""
    head, dot, suffix = path.rpartition(".")
    if not _text(path) or _SUMMARY.search(head.lower()):
        return None
    for mark in (".summary", "-summary", ".index", "-index"):
        summary = f"{head}{mark}{dot}{suffix}"
        if summary in types:
            return Role(f"its summary {summary} is here", step=5, goes=True, summary=summary)
    return None


def _module_of(path: str) -> str:
    return _below(path, ("docs", "modules"))


def _skill_of(path: str) -> str:
    """The skill whose `references/` the file is in; empty if it is in none."""
    parts = path.split("/")
    for at in range(len(parts) - 3):
        if parts[at].lower() == "skills" and parts[at + 2].lower() == "references":
            return parts[at + 1]
    return ""


def _below(path: str, folders: Sequence[str]) -> str:
    """The name right below `folders` in the path, without its suffix if it is the file's."""
    parts, n = path.split("/"), len(folders)
    for at in range(len(parts) - n):
        if [part.lower() for part in parts[at : at + n]] == list(folders):
            return parts[at + n] if at + n + 1 < len(parts) else _stem(path)
    return ""


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _folders(path: str) -> list[str]:
    return path.lower().split("/")[:-1]


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _text(path: str) -> bool:
    return path.rpartition(".")[2].lower() in _TEXTS


def notes(types: dict[str, tuple[str, str]], said: Said) -> list[str]:
    """Modules and skills that the caller names and that no file is of: perhaps misspelt."""
    found: list[str] = []
    of: tuple[tuple[str, Sequence[str], Callable[[str], str]], ...] = (
        ("module", said.affected, _module_of),
        ("skill", said.active, _skill_of),
    )
    for what, names, name_of in of:
        explicit = said.module_doc if what == "module" else said.skill
        known = {(name_of(path) or (_stem(path) if path in explicit else "")) for path in types}
        known.discard("")
        for name in names:
            if name.casefold() not in map(str.casefold, known):
                there = f"; they are of {', '.join(sorted(known))}" if known else ""
                found.append(f"no file is of the {what} {name}{there}")
    return found
