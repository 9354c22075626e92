"""A file as a request: a chat in the JSON of any of the wires, or text as one user message."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import attrs

from curriculum.record.errors import CurriculumError

LISTS = ("messages", "input", "contents")
SYSTEM = ("system", "instructions", "systemInstruction", "system_instruction")
OUTPUT = ("max_tokens", "max_completion_tokens", "max_output_tokens")


@attrs.define
class Chat:
    """The request that files make together. `taken` says of each how it was read.

    `output` is how many tokens of output the last file asks for that asks at all.
    """

    messages: list[Any] = attrs.field(factory=list[Any])
    tools: list[Any] = attrs.field(factory=list[Any])
    directive: str = ""
    tool_choice: str = "auto"
    output: int | None = None
    taken: list[str] = attrs.field(factory=list[str])


def read_chat(files: Iterable[str], directive: str | None = None, tools: str | None = None) -> Chat:
    """The request of these files. Raises `CurriculumError` for one that cannot be read.

    `directive` is a text file that takes the place of any system prompt; `tools` a JSON file.
    """
    chat = Chat()
    for file in files:
        _add(chat, file, read_text(file))
    if directive is not None:
        chat.directive = read_text(directive)
        chat.taken.append(f"{directive}: the directive")
    if tools is not None:
        chat.tools = _tools(tools)
        chat.taken.append(f"{tools}: {_many(len(chat.tools), 'tool')}")
    return chat


def read_text(file: str) -> str:
    """The text of a UTF-8 file. Raises `CurriculumError`: a missing file is never an empty one."""
    try:
        return Path(file).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        why, near = "there is no such file", _nearest(file)
    except UnicodeDecodeError as error:
        why, near = f"it is no UTF-8 text (byte {error.start})", []
    except (OSError, ValueError) as error:
        why, near = getattr(error, "strerror", None) or "that is no file name", []
    raise CurriculumError(
        f"{file!a} cannot be read: {why}.",
        *near,
        code="file-unreadable",
        next="curriculum budget --help",
    )


def _nearest(file: str) -> list[str]:
    import difflib

    folder = Path(file).parent
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError:
        return []
    return [f"nearest: {folder / n}" for n in difflib.get_close_matches(Path(file).name, names, 1)]


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _add(chat: Chat, file: str, text: str) -> None:
    data = _json(text)
    if isinstance(data, list) and data and all(map(_is_message, cast("list[Any]", data))):
        messages = cast("list[Any]", data)
        chat.messages += messages
        chat.taken.append(f"{file}: {_many(len(messages), 'message')}")
        return
    if isinstance(data, dict):
        body = cast("dict[str, Any]", data)
        name = next((name for name in LISTS if isinstance(body.get(name), list)), None)
        if name is not None:
            _body(chat, file, body, body[name])
            return
        if _is_message(body):
            chat.messages.append(body)
            chat.taken.append(f"{file}: 1 message")
            return
    chat.messages.append({"role": "user", "content": text})
    chat.taken.append(f"{file}: text, as one user message")


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    message = cast("dict[str, Any]", value)
    return "role" in message or str(message.get("type", "")).startswith("function_call")


def _body(chat: Chat, file: str, body: dict[str, Any], messages: list[Any]) -> None:
    chat.messages += messages
    tools = body.get("tools")
    if isinstance(tools, list):
        chat.tools += cast("list[Any]", tools)
    for name in SYSTEM:
        if body.get(name):
            chat.directive += _flat(body[name])
    choice = body.get("tool_choice", "auto")
    if not isinstance(choice, str):
        choice = str(cast("Any", choice).get("type", "any")) if isinstance(choice, dict) else "auto"
    chat.tool_choice = choice
    for name in OUTPUT:
        if type(body.get(name)) is int:
            chat.output = body[name]
    counts = f"{_many(len(messages), 'message')}, {_many(len(chat.tools), 'tool')}"
    asks = f", asks for {chat.output} tokens of output" if chat.output is not None else ""
    chat.taken.append(f"{file}: a request with {counts}{asks}")


def _flat(value: Any) -> str:
    """A system prompt as one text."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(map(_flat, cast("list[Any]", value)))
    if isinstance(value, dict):
        part = cast("dict[str, Any]", value)
        return _flat(part.get("text", part.get("parts", "")))
    return ""


def _tools(file: str) -> list[Any]:
    data = _json(read_text(file))
    if isinstance(data, dict):
        data = cast("dict[str, Any]", data).get("tools")
    if isinstance(data, list):
        return cast("list[Any]", data)
    raise CurriculumError(
        f"{file} holds no tools.",
        'it must be JSON: a list of tools, or an object with "tools"',
        code="tools-file",
        next="curriculum budget --help",
    )
