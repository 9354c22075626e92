"""What a folder's texts cost in tokens, and how often each estimate of it is too low.

Counted exactly by the family's own tokenizer, file by file. Figures are whole: tokens per 1,000
bytes, rounded up; shares in permille; tokens / estimate in percent, both rounded to the nearest.
A percentile is the smallest value that so many percent of the files do not exceed.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

import attrs

from curriculum.record.errors import CurriculumError

from . import calibration
from .artifact_types import recognise
from .calibration import Figure, Sample, nearest_rank, per_thousand
from .content import CLASSES, content_class
from .counters import utf8
from .families import family_of
from .heuristics import TYPES, LineWeights, Words, lines_of
from .texts import Skip, counted, folder_of, found_in, text_of
from .tokenizers import tokens_of

ESTIMATES = {
    "chars/4": "characters / 4",
    "chars/3": "characters / 3",
    "words": "words x 1.3 (words@seed)",
    "lines-seed": "lines x the seed's weight (line-weights@seed)",
    "lines-p95": "lines x the weight that 95 of 100 files stay under, o200k (line-weights@p95)",
    "bytes": "the family's bound in bytes (bytes@1)",
    "p99": "the calibrated bound (calibrated@1)",
}
"""The estimates that are compared, in the order they are shown. All are rounded up."""


Halves = tuple[list[Sample], list[Sample]]
"""The files that give figures, and those that check them."""


@attrs.frozen
class Measured:
    """One file: its class, its artifact type, its sizes, the tokens and the estimates of each.

    `tokens` is by family; `estimates` too, then by name.
    """

    path: str
    kind: str
    type: str
    bytes: int
    lines: int
    tokens: Mapping[str, int]
    estimates: Mapping[str, Mapping[str, int]]


@attrs.frozen
class Against:
    """One estimate against the tokens of a group: in how many files it is too low.

    `permille` is their share, `median` tokens / estimate in percent.
    """

    low: int
    permille: int
    median: int


@attrs.frozen
class Group:
    """Files of one class or type under one family: tokens per 1,000 bytes and per 10 lines."""

    name: str
    files: int
    bytes: int
    tokens: int
    ratio: tuple[int, int, int, int]
    """Tokens per 1,000 bytes: min, median, p99, max."""
    per_ten_lines: tuple[int, int, int, int]
    """Tokens per 10 lines: min, median, p95, max."""
    against: Mapping[str, Against]


@attrs.frozen
class Report:
    """A measured folder: files in order of their paths, and what was skipped."""

    files: Sequence[Measured]
    skipped: Mapping[str, int]
    families: Sequence[str]

    def by_class(self, family: str) -> list[Group]:
        """One group for each content class that occurs, and one of all files."""
        return self._groups(family, CLASSES, lambda file: file.kind)

    def by_type(self, family: str) -> list[Group]:
        """One group for each artifact type that occurs, and one of all files."""
        return self._groups(family, TYPES, lambda file: file.type)

    def _groups(
        self, family: str, names: Iterable[str], key: Callable[[Measured], str]
    ) -> list[Group]:
        groups = [(name, [file for file in self.files if key(file) == name]) for name in names]
        all_of = [*groups, ("all", list(self.files))]
        return [_group(name, files, family) for name, files in all_of if files]


def measure(
    folder: str,
    families: Sequence[str] = ("o200k",),
    progress: Callable[[int, int], None] | None = None,
    samples: dict[str, dict[str, Halves]] | None = None,
) -> Report:
    """Measure every text under `folder`. `progress` is told of files done, and of all.

    `samples`, if given, is filled by family and class with the half of the files that gives
    figures and the half that checks them. Raises `CurriculumError`: folder-missing,
    folder-is-file, folder-no-text, family-unknown, family-not-exact, extra-missing.
    """
    place = folder_of(folder)
    count = {family: tokens_of(family) for family in dict.fromkeys(families)}
    found, seen = found_in(place), set[bytes]()
    files: list[Measured] = []
    skips = [one for one in found if isinstance(one, Skip)]
    for done, one in enumerate(found):
        if progress is not None:
            progress(done, len(found))
        if isinstance(one, Skip):
            continue
        read = text_of(one[1])
        if isinstance(read, str):
            skips.append(Skip(one[0], read))
            continue
        text, data = read
        file = _measured(one[0], text, count)
        files.append(file)
        if samples is not None and (digest := sha256(data).digest()) not in seen:
            seen.add(digest)
            _sample(samples, file, text, data, count)
    if progress is not None:
        progress(len(found), len(found))
    skipped = counted(iter(skips))
    if not files:
        raise CurriculumError(
            f"There is no text to measure in {folder}.",
            *(f"skipped as {why}: {number}" for why, number in skipped.items()),
            code="folder-no-text",
            next="give a folder with files of UTF-8 text",
        )
    return Report(files, skipped, list(count))


def _measured(path: str, text: str, count: Mapping[str, Callable[[str], int]]) -> Measured:
    kind, type = content_class(text), recognise(path, text).type
    size, by_rule = utf8(text), _rules(text, type)
    estimates = {
        family: {
            **by_rule,
            "bytes": family_of(family).factor * size + family_of(family).more,
            "p99": calibration.bound(calibration.of(family, kind).p99, size),
        }
        for family in count
    }
    tokens = {family: of(text) for family, of in count.items()}
    return Measured(path, kind, type, size, lines_of(text), tokens, estimates)


def _rules(text: str, type: str) -> dict[str, int]:
    return {
        "chars/4": -(-len(text) // 4),
        "chars/3": -(-len(text) // 3),
        "words": Words().estimate(text).value,
        "lines-seed": LineWeights("seed", type).estimate(text).value,
        "lines-p95": LineWeights("p95", type).estimate(text).value,
    }


def _sample(
    samples: dict[str, dict[str, Halves]],
    file: Measured,
    text: str,
    data: bytes,
    count: Mapping[str, Callable[[str], int]],
) -> None:
    sent = json.dumps(text, ensure_ascii=False)
    for family, of in count.items():
        one = Sample(file.bytes, file.tokens[family], utf8(sent), of(sent))
        halves = samples.setdefault(family, {}).setdefault(file.kind, ([], []))
        halves[0 if calibration.gives_figures(data) else 1].append(one)


def figures(
    samples: Mapping[str, Mapping[str, Halves]],
) -> dict[str, dict[str, Figure]]:
    """Figures by family and class, in the order of `CLASSES`."""
    return {
        family: {
            name: calibration.figure(*by[name]) for name in CLASSES if name in by and by[name][0]
        }
        for family, by in samples.items()
    }


def _group(name: str, files: Sequence[Measured], family: str) -> Group:
    ratios = sorted(per_thousand(file.tokens[family], file.bytes) for file in files)
    lines = sorted(-(-10 * file.tokens[family] // file.lines) for file in files)
    return Group(
        name=name,
        files=len(files),
        bytes=sum(file.bytes for file in files),
        tokens=sum(file.tokens[family] for file in files),
        ratio=_spread(ratios, 99),
        per_ten_lines=_spread(lines, 95),
        against={estimate: _against(estimate, files, family) for estimate in ESTIMATES},
    )


def _spread(values: Sequence[int], percent: int) -> tuple[int, int, int, int]:
    return values[0], nearest_rank(values, 50), nearest_rank(values, percent), values[-1]


def _against(estimate: str, files: Sequence[Measured], family: str) -> Against:
    pairs = [(file.tokens[family], file.estimates[family][estimate]) for file in files]
    low = sum(tokens > guess for tokens, guess in pairs)
    factors = sorted(_nearest(100 * tokens, max(1, guess)) for tokens, guess in pairs)
    return Against(low, _nearest(1000 * low, len(files)), nearest_rank(factors, 50))


def _nearest(over: int, under: int) -> int:
    return (2 * over + under) // (2 * under)
