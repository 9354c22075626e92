"""A golden that a hand has edited is found, and is not mistaken for a change of the code.

Each edit is one field of the example project's golden. What other facts contradict is unlawful;
what cannot be read is unreadable; an input that nothing holds can only be told as one that changed.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.staged import Staged
from curriculum.agent.tools import Tool
from curriculum.context.budget import ContextBudget
from curriculum.golden.cases import Case, run_case
from curriculum.golden.verify import check
from curriculum.record.records import Kind
from curriculum.trace.events import Stop
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat import OpenAIChat
from curriculum.wire.request import Message
from curriculum.wire.segments import SegmentClass

from .command import curriculum, golden

Event = dict[str, Any]
HAND = "edited by hand"


def _lines(path: Path) -> list[Event]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def _written(path: Path, lines: list[Event], **spelling: Any) -> None:
    how = {"sort_keys": True, "separators": (",", ":"), **spelling}
    text = "".join(json.dumps(line, **how) + "\n" for line in lines)
    path.write_text(text, encoding="ascii", newline="\n")


def _report(project: Path) -> tuple[int, str]:
    done = golden("verify", "--plain", "three-turns", cwd=project)
    assert "" == done.err
    return done.code, done.out


def _data(**fields: Any) -> Callable[[Event], Any]:
    return lambda event: event["data"].update(fields)


UNLAWFUL: dict[str, tuple[int, Callable[[Event], Any], str]] = {
    "the user's words, longer": (4, _data(text="What is wrong here?"), HAND),
    "the user's words, as long": (4, _data(text="What is Wrong?"), HAND),
    "the instruction": (3, _data(text="You are a tiny agent!!"), HAND),
    "a tool that is offered": (2, lambda e: e["data"]["tools"][0].update(description="x"), HAND),
    "what the model asked for": (8, lambda e: e["data"]["calls"][0].update(id="c9"), HAND),
    "a decision": (30, lambda e: e["data"]["decisions"][1].update(decision="admitted"), HAND),
    "a trust label": (
        4,
        _data(trust="external"),
        "law 0, event 5: expected what it refers to, got nothing (r0003 ",
    ),
    "a fingerprint": (5, _data(fingerprint="0" * 64), "law 7, event 5 fingerprint: "),
    "a size": (5, lambda e: e["data"].update(size=e["data"]["size"] + 1), "law 3, event 5 size: "),
    "a limit": (1, lambda e: e["data"]["budget"].update(max_input_chars=1499), "law 0, event 5 "),
    "the reason to stop": (34, _data(reason="error"), "law 0, event 34 reason: "),
    "a cause": (6, lambda e: e.update(cause=4), "law 0, event 6 cause: "),
    "a turn": (6, lambda e: e.update(turn=2), "law 0, event 6 turn: "),
}


@pytest.mark.parametrize("what", UNLAWFUL)
def test_a_fact_that_others_contradict(what: str, project: Path) -> None:
    number, edit, words = UNLAWFUL[what]
    path = project / "golden" / "three-turns.jsonl"
    lines = _lines(path)
    edit(lines[number])
    _written(path, lines)
    code, out = _report(project)
    assert 5 == code
    assert "UNLAWFUL  three-turns  [fixture-unlawful]" == out.splitlines()[0]
    assert words in out
    assert "changed " not in out, "the code is blamed"


def test_an_edited_text_is_named_with_both_values(project: Path) -> None:
    """The code sends what the golden says was sent; so it is not the code that has changed."""
    path = project / "golden" / "three-turns.jsonl"
    lines = _lines(path)
    lines[4]["data"]["text"] = "What is wrong here?"
    _written(path, lines)
    code, out = _report(project)
    assert 5 == code
    assert [
        "UNLAWFUL  three-turns  [fixture-unlawful]",
        "  evidence  the code sends the bytes that the golden names, and the golden's records do "
        "not give them: edited by hand",
        "  evidence  event 4 record.append text: 'What is wrong here?' in the golden, "
        "'What is wrong?' in the new run",
    ] == out.splitlines()[:3]
    assert 5 == curriculum("trace", "validate", str(path)).code


def test_a_text_that_the_code_has_changed_is_no_edit(project: Path) -> None:
    """The same difference from the other side: then the bytes that are sent differ too."""
    agent = project / "golden_cases.py"
    agent.write_text(agent.read_text("utf-8").replace("What is wrong?", "What is wrong here?"))
    code, out = _report(project)
    assert 1 == code
    assert "  changed   the user's text" in out
    assert HAND not in out


SPELLED: dict[str, dict[str, Any]] = {
    "one blank more": {"separators": (", ", ":")},
    "keys in another order": {"sort_keys": False},
}


@pytest.mark.parametrize("what", SPELLED)
def test_another_spelling_of_the_same_facts(what: str, project: Path) -> None:
    path = project / "golden" / "three-turns.jsonl"
    lines = [dict(sorted(line.items(), reverse=True)) for line in _lines(path)]
    _written(path, lines, **SPELLED[what])
    assert 0 == curriculum("trace", "validate", str(path)).code
    assert (5, [
        "UNLAWFUL  three-turns  [fixture-unlawful]",
        "  evidence  no fact differs, only how the file spells them: edited by hand, or written by "
        "another program",
        "  next      golden record three-turns",
        "0 of 1 hold (exit 5)",
    ]) == (_report(project)[0], _report(project)[1].splitlines())  # fmt: skip


UNREADABLE: dict[str, tuple[int, Callable[[Event], Any]]] = {
    "a number of an event": (6, lambda e: e.update(seq=7)),
    "a type": (6, lambda e: e.update(type="model.reqest")),
    "a field that there is not": (4, _data(mood="good")),
    "a kind": (4, _data(kind="usr")),
    "a version": (0, lambda e: e.update(version="2.0")),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_trace_any_more(what: str, project: Path) -> None:
    number, edit = UNREADABLE[what]
    path = project / "golden" / "three-turns.jsonl"
    lines = _lines(path)
    edit(lines[number])
    _written(path, lines)
    code, out = _report(project)
    assert 5 == code
    assert "UNREADABLE three-turns  [fixture-unreadable]" == out.splitlines()[0]


INPUTS: dict[str, tuple[int, Callable[[Event], Any], str]] = {
    "the limit of turns": (1, _data(max_turns=9), "the turn limit, max_turns: 9 -> 1000"),
    "the session's name": (1, _data(session="other"), "the session's name, session: other -> sess"),
    "who says it": (4, _data(source="web"), "the user's text, r0003"),
    "a reason of the harness's own": (
        5,
        lambda e: e["data"]["decisions"][0].update(reason="liked"),
        "the harness's own choice in request 1, r0001 (tools): reason liked -> kept",
    ),
}


@pytest.mark.parametrize("what", INPUTS)
def test_an_input_that_nothing_holds_is_told_as_one_that_changed(what: str, project: Path) -> None:
    """Found all the same; whether a hand or the code did it, no trace can say."""
    number, edit, words = INPUTS[what]
    path = project / "golden" / "three-turns.jsonl"
    lines = _lines(path)
    edit(lines[number])
    _written(path, lines)
    code, out = _report(project)
    assert 1 == code
    assert f"  changed   {words}" in out
    assert "no request changes" in out


def test_a_run_that_ends_otherwise_is_told_first(project: Path) -> None:
    """Whatever a hand did to the golden: the case has to be mended before."""
    path, cases = project / "golden" / "three-turns.jsonl", project / "golden_cases.py"
    lines = _lines(path)
    lines[4]["data"]["text"] = "What is wrong here?"
    _written(path, lines)
    cases.write_text(cases.read_text("utf-8").replace('"completed"', '"turn-limit"'), "utf-8")
    code, out = _report(project)
    assert 6 == code
    assert "declared stop turn-limit, got completed" in out


def two_requests(trace: Recorder) -> AgentRunner:
    """The second request has a result, the first has none."""
    model = ScriptedModel([Turn(calls=[call("read")]), Turn("Done.")])
    tools = [Tool("read", lambda: "a line")]
    budget = ContextBudget(max_input_chars=900)
    return AgentRunner(model=model, tools=tools, trace=trace, budget=budget, wire=OpenAIChat())


def test_code_that_sends_one_kind_of_record_otherwise_is_no_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first request is the same as ever; the one that the golden cannot give is another now."""
    case = Case("case", "", Stop.COMPLETED, Staged(two_requests, ("Read.",)))
    (tmp_path / "case.jsonl").write_bytes(run_case(case).encode())
    assert "holds" == check(case, tmp_path).status.code
    pieces = OpenAIChat.pieces

    def wider(self: OpenAIChat, message: Message) -> Any:
        sent = list(pieces(self, message))
        return [*sent, (SegmentClass.FRAME, " ")] if message.kind is Kind.RESULT else sent

    monkeypatch.setattr(OpenAIChat, "pieces", wider)
    found = check(case, tmp_path)
    assert "diverged" == found.status.code
    assert found.explanation is not None
    assert (2,) == found.explanation.changed


def test_a_golden_that_is_accepted_while_it_is_read_is_no_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compared is what was read: one of the two versions, never half of each."""
    case = Case("case", "", Stop.COMPLETED, Staged(two_requests, ("Read.",)))
    path, read = tmp_path / "case.jsonl", Path.read_bytes
    path.write_bytes(run_case(case).encode())

    def and_accepted(self: Path) -> bytes:
        data = read(self)
        self.write_bytes(b"another\n")
        return data

    monkeypatch.setattr(Path, "read_bytes", and_accepted)
    assert "holds" == check(case, tmp_path).status.code
