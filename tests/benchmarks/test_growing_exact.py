"""A growing session counted exactly: each text is counted once, whatever the turn.

The shape is that of known runs of other trimmers: turns of user, call, result and answer of 400
characters each, and a ceiling of a quarter of what all of it takes, so that from turn 250 on
something gives way. The fastest of those that count with a tokenizer took 48 s for 1,000 turns.
Aims: 50 times faster; a session of 10,000 records that is assembled again costs under 1 % of the
first time.
"""

import random
from collections.abc import Callable
from pathlib import Path
from time import process_time

import splintr

from curriculum.agent.runner import AgentRunner
from curriculum.agent.scripted import ScriptedModel, Turn, call
from curriculum.agent.tools import Tool
from curriculum.context.assemble import assemble
from curriculum.context.budget import ContextBudget
from curriculum.context.index import SessionIndex
from curriculum.count.exact import Exact
from curriculum.count.remembered import Remembered
from curriculum.record.records import Record
from curriculum.trace.recorder import Recorder
from curriculum.wire.openai_chat_2 import OpenAIChat2
from tests.talk import Talk

ROOT = Path(__file__).resolve().parents[2]
TURNS, SECONDS = 1_000, 48


def texts(count: int) -> list[str]:
    """The package's own source, in pieces of 400 characters, all different."""
    paths = sorted((ROOT / "curriculum").rglob("*.py"))
    source, rng = "".join(path.read_text("utf-8") for path in paths), random.Random(7)
    starts = [rng.randrange(len(source) - 400) for _ in range(count)]
    return [f"{number:05}{source[at : at + 395]}" for number, at in enumerate(starts)]


def session(turns: int) -> list[Record]:
    """A system prompt, then four records a turn."""
    talk, given = Talk(), iter(texts(4 * turns + 1))
    talk.system(next(given))
    for _ in range(turns):
        talk.user(next(given))
        talk.result(talk.calls("{}", text=next(given)), next(given))
        talk.says(next(given))
    return talk.records


def took(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def best(work: Callable[[], object]) -> float:
    """Processor seconds of the fastest of three: others may use the machine too."""
    return min(took(work) for _ in range(3))


def test_a_thousand_growing_turns(figure: Callable[[str], None]) -> None:
    counter, log = Exact("o200k"), session(TURNS)
    whole = assemble(log, 10**9, wire=OpenAIChat2(), counter=counter).manifest.size
    assert whole is not None
    limit, sizes = whole // 4, list[int]()

    def grow() -> None:
        index, so_far = SessionIndex(OpenAIChat2(), counter), log[:1]
        for turn in range(TURNS):
            so_far += log[4 * turn + 1 : 4 * turn + 5]
            made = assemble(so_far, limit, index=index).manifest
            sizes.append(made.size or limit + 1)

    ours = best(grow)
    assert max(sizes) <= limit
    bare = splintr.Tokenizer.from_pretrained("o200k_base")
    spelled = [record.text for record in log]

    def recount() -> None:
        for turn in range(10, TURNS + 1, 10):
            sum([len(bare.encode_ordinary(text)) for text in spelled[: 4 * turn + 1]])

    peer = took(recount) * 10
    figure(f"1,000 growing turns, exact, a quarter kept  {ours:.2f} s, {SECONDS / ours:.0f} x 48 s")
    figure(
        f"  every message counted again each turn     {peer / ours:5.1f} x ours (each tenth turn)"
    )
    runs = best(lambda: run(limit))
    figure(f"  the same many turns by the runner, traced {runs:.2f} s, {SECONDS / runs:.0f} x 48 s")


def run(limit: int) -> None:
    """A run of as many turns, each with a result, and its trace written down."""
    given = iter(texts(TURNS))
    turns = [Turn("It is as I thought. " * 20, [call("read")])] * (TURNS - 1) + [Turn("Done.")]
    AgentRunner(
        model=ScriptedModel(turns),
        tools=[Tool("read", lambda: next(given))],
        trace=Recorder(),
        budget=ContextBudget(max_input_tokens=limit),
        wire=OpenAIChat2(),
        counter=Exact("o200k"),
        max_turns=TURNS,
    ).run("Read all of it.")


def test_a_session_of_ten_thousand_records_again(figure: Callable[[str], None]) -> None:
    """Counting again is a look into the memory; spelling again is work of another kind."""
    log, wire = session(2_500), OpenAIChat2()
    counter = Remembered(Exact("o200k"))
    index, limit = SessionIndex(wire, counter), 10**9
    cold = took(lambda: assemble(log, limit, index=index))
    same = best(lambda: assemble(log, limit, index=index))
    other = best(lambda: assemble(log, limit, wire=wire, counter=counter))
    items = [index.item(at) for at in range(len(log))]
    fresh = Remembered(Exact("o200k"))
    first = took(lambda: [fresh.size(text) for text in items])
    again = best(lambda: [fresh.size(text) for text in items])
    figure(f"10,001 records, exact, again by the same index {same / cold:7.2%} of the first time")
    figure(f"  by a new index with the counts remembered    {other / cold:7.2%}")
    figure(f"  the counting alone, remembered               {again / first:7.2%}")
