"""An MCP client that starts `nightmail mcp`, as the program of an AI agent does."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import requests
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent, Tool

from tests.clients.running import NIGHTMAIL, Service

HERE = Path(__file__).parents[3]
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
Json = dict[str, Any]


class Agent:
    """Calls the tools; every text is kept."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client
        self.texts: list[str] = []

    def tools(self) -> dict[str, Tool]:
        """The tools, by name."""
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    @property
    def instructions(self) -> str:
        """What the server says about itself."""
        return self._client.instructions or ""

    def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool that succeeds, and return its text."""
        is_error, text = self._called(tool, arguments)
        assert not is_error, text
        return text

    def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that fails, and return the reason."""
        is_error, text = self._called(tool, arguments)
        assert is_error, text
        return text

    def _called(self, tool: str, arguments: Json) -> tuple[bool, str]:
        result = self._portal.call(self._client.call_tool, tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        self.texts.append(content.text)
        return bool(result.is_error), content.text


@contextmanager
def agent(url: str, token: str) -> Iterator[Agent]:
    """Start the command, and stop it at the end; it must not have shown the token."""
    with TemporaryDirectory() as folder, (Path(folder) / "log").open("w+") as log:
        parameters = StdioServerParameters(
            command=str(NIGHTMAIL),
            args=["mcp", "--service", url],
            env={"NIGHTMAIL_TOKEN": token, "PYTHONPATH": str(HERE), "HOME": folder},
            cwd=folder,
        )
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(stdio_client(parameters, log))) as client,
        ):
            started = Agent(portal, client)
            yield started
        log.seek(0)
        assert token not in "".join([*started.texts, log.read()])


class Account:
    """An account that calls the service without the tools."""

    def __init__(self, service: Service, name: str, kind: str = "bot") -> None:
        self._service = service
        self._headers: dict[str, str] = {}
        made = self.post("/v1/accounts", {"name": name, "kind": kind})
        self.token: str = made["token"]["token"]
        self._headers["Authorization"] = f"Bearer {self.token}"

    def get(self, path: str) -> Json:
        """Read a document."""
        return self._call("GET", path, None)

    def post(self, path: str, body: Json) -> Json:
        """Send a body."""
        return self._call("POST", path, body)

    def _call(self, method: str, path: str, body: Json | None) -> Json:
        url = self._service.url + path
        answer = requests.request(method, url, json=body, headers=self._headers, timeout=60)
        assert answer.ok, answer.text
        document: Json = answer.json() if answer.content else {}
        return document


def game_of(host: Account, *guests: Account, **more: Any) -> str:
    """Start a game of these accounts on the USA board, without a clock."""
    settings = {"board": "usa", "seats": 1 + len(guests), "pace": "none", **more}
    game: str = host.post("/v1/games", settings)["id"]
    for guest in guests:
        guest.post(f"/v1/games/{game}/seats", {})
    return game


def unmarked(text: str) -> str:
    """The text without what is marked as words of others."""
    return MARKED.sub("", text)
