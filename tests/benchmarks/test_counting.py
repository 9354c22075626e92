"""Exact counting against the bare tokenizer, on long runs, and again from memory.

Aims: at most 1.3 times the bare library on the same bytes; time that grows no faster than the
text where nothing breaks it; a session that is counted again costs under 1 % of the first time.
All are ratios of one run.
"""

import random
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
import splintr

from curriculum.count.exact import Exact
from curriculum.count.remembered import Remembered

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = 10_000


def best(call: Callable[[], object], times: int = 5) -> float:
    """Processor seconds of the fastest of some calls: others may use the machine too."""
    took: list[float] = []
    for _ in range(times):
        start = process_time()
        call()
        took.append(process_time() - start)
    return min(took)


def items() -> list[str]:
    """The package's own source, in JSON messages of up to 2,000 characters, all different."""
    paths = sorted((ROOT / "curriculum").rglob("*.py"))
    source = "".join(path.read_text("utf-8") for path in paths)
    rng, made = random.Random(7), list[str]()
    for number in range(MESSAGES):
        at, long = rng.randrange(len(source)), rng.randrange(20, 2_000)
        text = source[at : at + long].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        made.append(f'{{"role":"user","content":"{number} {text}"}}')
    return made


@pytest.mark.parametrize("family", ["o200k", "cl100k", "llama3", "mistral-spm"])
def test_against_the_bare_tokenizer(figure: Callable[[str], None], family: str) -> None:
    texts, counter = items()[:1_000], Exact(family)
    bare = splintr.Tokenizer.from_pretrained(counter.family.exact)
    size = sum(len(text.encode()) for text in texts)

    def peer() -> int:
        return sum([len(bare.encode_ordinary(text)) for text in texts])

    assert peer() == sum([counter.estimate(text).value for text in texts])
    alone = best(peer)
    for name, call in (("estimate", counter.estimate), ("size", counter.size)):
        ratio = best(lambda call=call: [call(text) for text in texts]) / alone
        speed = f"bare {size / alone / 1e6:5.1f} MB/s"
        figure(f"exact@1:{family:<12} {name:<8} {ratio:5.2f} x the bare tokenizer ({speed})")
    surcharge = sum(counter.size(text) - counter.count(text) for text in texts)
    figure(f"exact@1:{family:<12} joints   {surcharge / len(texts):5.2f} tokens a message at most")


HAN = range(0x4E00, 0x9FA5)
RUNS: dict[str, Callable[[int, int], str]] = {
    "a": lambda n, seed: "a" * (n + seed),
    "^": lambda n, seed: "^" * (n + seed),
    "spaces": lambda n, seed: " " * (n + seed),
    "CJK": lambda n, seed: "".join(map(chr, random.Random(seed).choices(HAN, k=n))),
    "base64": lambda n, seed: b64encode(random.Random(seed).randbytes(n))[:n].decode(),
}
"""Each seed gives another text: the library remembers pieces that it has merged."""


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("family", ["o200k", "cl100k", "mistral-spm"])
def test_long_runs(figure: Callable[[str], None], family: str, run: str) -> None:
    counter = Exact(family)
    for seed, name in enumerate(("estimate", "size")):
        call, made = getattr(counter, name), RUNS[run]
        short = iter([made(50_000, 10 * seed + n) for n in range(5)])
        long = iter([made(200_000, 10 * seed + n) for n in range(5)])
        a, b = best(lambda: call(next(short))), best(lambda: call(next(long)))  # noqa: B023
        figure(
            f"exact@1:{family:<12} {name:<8} {run:<7} 200,000 / 50,000 characters: "
            f"{b / a:5.2f} x ({b * 1000:.1f} ms)"
        )


def test_a_session_again(figure: Callable[[str], None]) -> None:
    texts, counter = items(), Remembered(Exact("o200k"))
    start = process_time()
    first = [counter.size(text) for text in texts]
    cold = process_time() - start
    again = best(lambda: [counter.size(text) for text in texts])
    assert first == [counter.size(text) for text in texts]
    figure(f"remembered, {MESSAGES:,} texts again: {again / cold:7.2%} of the first time")
    copies = ["".join(list(text)) for text in texts]
    start = process_time()
    assert first == [counter.size(text) for text in copies]
    equal = process_time() - start
    figure(f"remembered, {MESSAGES:,} equal texts: {equal / cold:7.2%} of the first time")
