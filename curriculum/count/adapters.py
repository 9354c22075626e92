"""Counters from a file that the user has: a tiktoken vocabulary, or a Hugging Face tokenizer.

Their ids name the family and the start of the file's SHA-256, `tiktoken@1:o200k#446a9538`, so a
trace says exactly what counted. A text is counted as it stands: nothing is put before it, and the
name of a special token is the words that it is.
"""

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curriculum.record.errors import CurriculumError

from .counter import Counter, Estimate
from .families import Family, family_of
from .known import first_wrong
from .parts import Parts, split_places
from .patterns import PATTERNS

if TYPE_CHECKING:
    from tiktoken import Encoding


class FromFile(Counter):
    """Tokens by a user's own vocabulary: exact for a text alone, a bound for a part of a request.

    `bound_name` is `proven` if the vocabulary is known to split as the family's published pattern
    does, else `assumed`.
    """

    unit = "tokens"
    steady = False

    def __init__(
        self, id: str, family: Family, count: Callable[[str], int], bound_name: str
    ) -> None:
        self.id, self.family, self.count, self.bound_name = id, family, count, bound_name
        self.parts = Parts(family, count, split_places(family.algorithm))

    def size(self, text: str) -> int:
        """Tokens of `text` as a part of a request, with the most that its joints can add."""
        return min(self.parts.size(text), self.family.bound(text))

    def estimate(self, text: str) -> Estimate:
        """The tokens of `text` alone."""
        count = self.count(text)
        return Estimate(count, count, self.unit, "exact", self.bound_name)


def tiktoken_file(path: Path | str, family: str) -> FromFile:
    """A counter from a `.tiktoken` vocabulary, which `family` splits texts for.

    Needs the tiktoken extra. Raises `CurriculumError`: `extra-missing`, `tokenizer-file-missing`,
    `tokenizer-file-unreadable`, `tokenizer-file-wrong`, `family-no-pattern`, `family-unknown`.
    """
    kind = family_of(family)
    if family not in PATTERNS:
        raise CurriculumError(
            f"A .tiktoken file holds no pattern, and none is known for {family}.",
            f"known: {', '.join(PATTERNS)}",
            code="family-no-pattern",
            next="curriculum.count.adapters.tiktoken_encoding, with an Encoding that has one",
        )
    data = _read(path)
    ranks = _ranks(path, data)
    made = _tiktoken().Encoding(
        family, pat_str=PATTERNS[family], mergeable_ranks=ranks, special_tokens={}
    )

    def count(text: str) -> int:
        return len(made.encode_ordinary(kind.form(text)))

    return _made("tiktoken", path, data, kind, count, "proven")


def tiktoken_encoding(encoding: "Encoding", family: str) -> FromFile:
    """A counter from an `Encoding` of tiktoken; its id has the hash that its `.tiktoken` file has.

    Its pattern is not compared with the family's, so its sizes are `assumed` to bound a request.
    Raises `CurriculumError`: `tokenizer-file-wrong`, `family-unknown`.
    """
    kind = family_of(family)
    ranks = sorted(
        (encoding.encode_single_token(token), token) for token in encoding.token_byte_values()
    )
    data = b"".join(b64encode(token) + b" %d\n" % rank for rank, token in ranks)

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(kind.form(text)))

    return _made("tiktoken", encoding.name, data, kind, count, "assumed")


def huggingface_file(path: Path | str, family: str) -> FromFile:
    """A counter from a `tokenizer.json`, whose tokenizer is of `family`.

    Needs the huggingface extra. Of the tokens that the file adds to its vocabulary none is found
    in a text, but for what the vocabulary holds too and the file does not call special (Gemma's
    runs of line ends). Sizes are `assumed` to bound a request: the file may split as it likes.
    Raises `CurriculumError`: `extra-missing`, `tokenizer-file-missing`,
    `tokenizer-file-unreadable`, `tokenizer-file-wrong`, `family-unknown`.
    """
    kind, data = family_of(family), _read(path)
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _extra("huggingface") from error
    try:
        loaded: dict[str, Any] = json.loads(data)
        held = loaded["model"]["vocab"]
        added: list[dict[str, Any]] = loaded.get("added_tokens") or []
        own = [one for one in added if not one["special"] and one["content"] in held]
        plain: dict[str, Any] = {
            "truncation": None,
            "padding": None,
            "post_processor": None,
            "added_tokens": own,
        }
        made = Tokenizer.from_str(json.dumps({**loaded, **plain}))
    except Exception as error:  # the library raises nothing narrower
        raise _wrong(path, "it is no tokenizer.json that the tokenizers library reads") from error

    def count(text: str) -> int:
        return len(made.encode(text, add_special_tokens=False).ids)

    return _made("huggingface", path, data, kind, count, "assumed")


def _made(
    by: str,
    path: Path | str,
    data: bytes,
    family: Family,
    count: Callable[[str], int],
    bound_name: str,
) -> FromFile:
    wrong = first_wrong(family.id, count)
    if wrong is not None:
        text, tokens, said = wrong
        raise _wrong(path, f"{text!a} has {tokens} tokens in {family.id}, it says {said}")
    if family.bound_name != "proven":
        bound_name = family.bound_name
    id = f"{by}@1:{family.id}#{sha256(data).hexdigest()[:8]}"
    return FromFile(id, family, count, bound_name)


def _read(path: Path | str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise CurriculumError(
            f"There is no tokenizer file {path}.", code="tokenizer-file-missing"
        ) from error
    except OSError as error:
        what = "a folder" if Path(path).is_dir() else type(error).__name__
        raise CurriculumError(
            f"The tokenizer file {path} cannot be read.",
            f"found: {what}",
            code="tokenizer-file-unreadable",
        ) from error


def _ranks(path: Path | str, data: bytes) -> dict[bytes, int]:
    """The entries of a `.tiktoken` file: on each line a token in base64, and its rank."""
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line:
            continue
        try:
            token, rank = line.split()
            ranks[b64decode(token, validate=True)] = int(rank)
        except (ValueError, Base64Error) as error:
            raise _wrong(path, f"line {number} is no token in base64 and its rank") from error
    lacks = sum(bytes([byte]) not in ranks for byte in range(256))
    if lacks:
        raise _wrong(path, f"of the 256 bytes it lacks {lacks}, so it cannot count every text")
    if len(set(ranks.values())) != len(ranks):
        raise _wrong(path, f"{len(ranks)} tokens have {len(set(ranks.values()))} different ranks")
    return ranks


def _tiktoken() -> Any:
    try:
        import tiktoken
    except ImportError as error:
        raise _extra("tiktoken") from error
    return tiktoken


def _extra(name: str) -> CurriculumError:
    return CurriculumError(
        f"Counting with this file needs the {name} extra.",
        code="extra-missing",
        next=f'pip install "curriculum[{name}]"',
    )


def _wrong(path: Path | str, why: str) -> CurriculumError:
    return CurriculumError(
        f"{path} does not count as it should.",
        why,
        code="tokenizer-file-wrong",
        next="give the file and the family that belong together",
    )
