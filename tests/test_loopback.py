"""The bytes that are counted are the bytes that are sent.

Each body goes once through the provider's own client to a server on this machine, which looks at
what arrives. Nothing else is reached.
"""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import anthropic
import attrs
import openai
import pytest
from anthropic.types import Message
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from curriculum.wire.protocol import Wire
from tests.provider_sessions import LOGS, PROVIDERS, sent
from tests.wire_messages import name

ANSWERS: dict[str, dict[str, Any]] = {
    "/chat/completions": {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Heard."},
            }
        ],
    },
    "/responses": {
        "id": "1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "/v1/messages": {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Heard."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}


@attrs.frozen
class Arrived:
    """One request, as the server saw it."""

    path: str
    body: bytes
    headers: dict[str, str]


class Server(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.arrived: list[Arrived] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.arrived.append(Arrived(self.path, body, headers))
        answer = json.dumps(ANSWERS[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        thread = Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        found.shutdown()
        thread.join()


class Clients:
    """The providers' clients, with this machine as the provider."""

    def __init__(self, server: Server) -> None:
        self.openai = openai.OpenAI(
            base_url=server.address,
            api_key="none",
            max_retries=0,
            http_client=openai.DefaultHttpxClient(trust_env=False),
        )
        self.anthropic = anthropic.Anthropic(
            base_url=server.address,
            api_key="none",
            max_retries=0,
            http_client=anthropic.DefaultHttpxClient(trust_env=False),
        )

    def __enter__(self) -> "Clients":
        return self

    def __exit__(self, *_: object) -> None:
        self.openai.close()
        self.anthropic.close()

    def post(self, wire: Wire, body: Any) -> Any:
        """As the client sends any JSON."""
        if wire.id.startswith("anthropic"):
            return self.anthropic.post("/v1/messages", body=body, cast_to=Message)
        if wire.id.startswith("openai-responses"):
            return self.openai.post("/responses", body=body, cast_to=Response)
        return self.openai.post("/chat/completions", body=body, cast_to=ChatCompletion)

    def create(self, wire: Wire, body: dict[str, Any]) -> Any:
        """As people call it: one argument for each member."""
        if wire.id.startswith("anthropic"):
            return self.anthropic.messages.create(**body)
        if wire.id.startswith("openai-responses"):
            return self.openai.responses.create(**body)
        return self.openai.chat.completions.create(**body)


cases = pytest.mark.parametrize(
    ("wire", "log"),
    [(wire, log) for wire in PROVIDERS if not wire.id.startswith("gemini") for log in LOGS],
    ids=lambda value: value if isinstance(value, str) else name(value),
)


def as_clients_spell(wire: Wire, body: bytes) -> bytes:
    """The body itself; but openai-chat@1 escapes the letters of a schema, and no client does."""
    return body.replace(b"\\u00e9", "é".encode()) if name(wire) == "openai-chat@1" else body


@cases
def test_the_bytes_counted_are_the_bytes_sent(wire: Wire, log: str, server: Server) -> None:
    """The client spells the parsed body as the wire has: byte for byte."""
    body = sent(wire, log)
    with Clients(server) as clients:
        answer = clients.post(wire, json.loads(body))
    (arrived,) = server.arrived
    assert arrived.body == as_clients_spell(wire, body)
    assert arrived.headers["content-type"] == "application/json"
    assert answer.id == "1"


@cases
def test_called_as_people_do(wire: Wire, log: str, server: Server) -> None:
    """With named arguments a client keeps the value and its size, not the order of the members."""
    body = sent(wire, log)
    with Clients(server) as clients:
        clients.create(wire, json.loads(body))
    (arrived,) = server.arrived
    assert json.loads(arrived.body) == json.loads(body)
    assert len(arrived.body) == len(as_clients_spell(wire, body))


def test_the_server_tells_another_body(server: Server) -> None:
    """What the tests above compare is what has arrived, not what was meant."""
    body = json.loads(sent(PROVIDERS[1], "nothing_but_tools"))
    with Clients(server) as clients:
        clients.post(PROVIDERS[1], {**body, "seed": 1})
    (arrived,) = server.arrived
    assert json.loads(arrived.body) == {**body, "seed": 1}
    assert arrived.body != sent(PROVIDERS[1], "nothing_but_tools")
