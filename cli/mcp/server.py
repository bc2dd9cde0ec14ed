"""The MCP server: its tools, and who may use which."""

import secrets
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version as version_of
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from cli.mcp import decision_text, rules_text, table_text
from cli.mcp.others_words import OPENING, WARNING, plain, quoted
from cli.mcp.service_client import Json, ServiceClient, ServiceError, game_path

INSTRUCTIONS = f"""Nightmail is a service for slow railway board games.
To play: list_decisions says in which games you have to decide, show_table shows a game, read_menu \
lists every move, and make_move makes one. explain_rule answers questions about rules.
Only accounts of the kind “bot” can make moves and talk here; others can read.
{WARNING}"""
NOT_A_BOT = (
    "This token belongs to the account of a person. Agents make moves and talk only with accounts "
    "of the kind “bot”, so nothing was sent; with this token you can read. The owner can create "
    "an account for you with POST /v1/accounts and the kind “bot”."
)
LONGEST_WAIT = 30
"""Seconds; longer waits would outlast the patience of some clients."""
READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
MOVING = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
TALKING = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

GameId = Annotated[str, Field(description="The id of a game.", min_length=1, max_length=64)]
After = Annotated[int, Field(description="The number of the last one that you know.", ge=0)]
Key = Annotated[
    str | None,
    Field(
        description="A text for this request alone: if it is repeated with the same key, it takes "
        "effect once.",
        pattern=r"^[\x20-\x7e]{1,255}$",
    ),
]


class Tools:
    """What an agent can do with the account of one token."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client
        self._boards: dict[tuple[str, ...], Json] = {}

    def list_decisions(
        self,
        wait_seconds: Annotated[
            int,
            Field(description="Seconds to wait for one if there is none.", ge=0, le=LONGEST_WAIT),
        ] = 0,
    ) -> str:
        """List your open decisions in all games, most urgent first."""
        account = self._client.account
        listed = self._client.get("/v1/me/decisions", wait=wait_seconds, limit=100)["decisions"]
        heading = f"You are {quoted(account['name'])}, a {account['kind']}."
        if not listed:
            return f"{heading} You have nothing to decide now."
        return _marked([heading, *map(decision_text.decision_line, listed)])

    def list_games(
        self,
        status: Annotated[
            Literal["open", "running", "finished"], Field(description="Which of your games.")
        ] = "running",
    ) -> str:
        """List your games, the newest first."""
        games = self._client.get("/v1/games", mine="true", status=status, limit=50)["games"]
        return _marked([*map(table_text.summary, games)] or [f"You have no {status} games."])

    def show_table(
        self,
        game: GameId,
        *,
        free_routes: Annotated[
            bool, Field(description="Whether to list the routes that nobody has claimed.")
        ] = True,
    ) -> str:
        """Show a game as your seat sees it: players, hands, tickets, market, board and result.

        What is hidden from you is only counted.
        """
        document = self._client.get(game_path(game))
        shown = table_text.table_text(document, self._board(document), free=free_routes)
        return _marked([shown])

    def read_menu(self, game: GameId) -> str:
        """List every move that you can make now in a game, with the version to answer to."""
        decision = self._client.get(game_path(game, "/decision"))
        if not decision:
            return "You have nothing to decide in this game now; it waits for others or is over."
        return _marked([decision_text.menu_text(decision)])

    def read_events(self, game: GameId, after: After = 0) -> str:
        """Tell what has happened in a game, in sentences, as your seat may know it."""
        page = self._client.get(game_path(game, "/events"), after=after)
        lines = decision_text.events_text(page["events"])
        more = [f"There are more: call again with after={page['last']}."] if page["more"] else []
        return _marked([*(lines or ["Nothing has happened since."]), *more])

    def explain_rule(
        self,
        query: Annotated[
            str,
            Field(
                description="The id of a rule, such as R-CLAIM-6, or a question in a few words.",
                min_length=1,
                max_length=200,
            ),
        ],
        game: Annotated[
            str | None, Field(description="A game whose board may have help on the question.")
        ] = None,
    ) -> str:
        """Explain rules by id, or find those about something."""
        rules = list(rules_text.rules_in(self._client.text("/docs/rules.md")))
        if game:
            board = self._board(self._client.get(game_path(game)))
            about = f"help on {plain(board['name'])}"
            texts = [rules_text.Rule(row["title"], about, row["text"]) for row in board["help"]]
            rules = texts + rules
        lines = [plain(rule.line()) for rule in rules_text.matching(rules, query)]
        return "\n\n".join(lines) or "No rule has this id or these words; try other words."

    def make_move(  # noqa: PLR0913  # an agent sees each of them as an argument of the tool
        self,
        game: GameId,
        version: Annotated[
            int, Field(description="The version that read_menu shows; the move is made in it.")
        ],
        *,
        entry: Annotated[int | None, Field(description="The number of a menu entry.")] = None,
        way: Annotated[str | None, Field(description="One of the entry's ways.")] = None,
        locomotives: Annotated[
            int | None, Field(description="With how many locomotives to pay; else the fewest.")
        ] = None,
        things: Annotated[
            list[str | int] | None,
            Field(description="The values of chosen things, for an entry with things to choose."),
        ] = None,
        text: Annotated[
            str | None, Field(description="The move as text instead of an entry.", max_length=400)
        ] = None,
        idempotency_key: Key = None,
    ) -> str:
        """Make a move: an entry of the menu, or text such as “claim dieppe-paris with 2 green”.

        A refused move changes nothing. Repeating the same call is safe: it moves once.
        Only accounts of the kind “bot” may do this.
        """
        self._require_bot()
        chosen = {"entry": entry, "way": way, "locomotives": locomotives, "things": things}
        body = _move({name: value for name, value in chosen.items() if value is not None}, text)
        key = idempotency_key or _key(game, version, body)
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": key}
        receipt = self._client.post(game_path(game, "/moves"), body, headers)
        lines = [f"Your move was made. The game is at version {receipt['version']}."]
        lines += decision_text.events_text(receipt["events"])
        if decision := receipt["decision"]:
            lines += ["", "You have another decision:", decision_text.menu_text(decision)]
        else:
            lines.append("You have nothing else to decide in this game now.")
        return _marked(lines)

    def talk(
        self,
        game: GameId,
        text: Annotated[
            str, Field(description="What to say to everybody at the table.", max_length=2000)
        ],
        idempotency_key: Key = None,
    ) -> str:
        """Say something at the table of a game in which you play; everybody there is told.

        Only accounts of the kind “bot” may do this.
        """
        self._require_bot()
        headers = {"Idempotency-Key": idempotency_key or secrets.token_hex(16)}
        message = self._client.post(game_path(game, "/messages"), {"text": text}, headers)
        return f"Your message was sent; it has the number {message['number']}."

    def read_talk(self, game: GameId, after: After = 0) -> str:
        """Read what was said at the table of a game, oldest first."""
        query = {"after": after, "limit": 100}
        messages = self._client.get(game_path(game, "/messages"), **query)["messages"]
        lines = [*map(decision_text.message_line, messages)]
        if len(messages) == query["limit"]:
            lines.append(f"There may be more: call again with after={messages[-1]['number']}.")
        return _marked(lines or ["Nothing was said."])

    def _require_bot(self) -> None:
        """Refuse to play for a person."""
        if self._client.account["kind"] != "bot":
            raise ServiceError(NOT_A_BOT)

    def _board(self, game: Json) -> Json:
        """Read the board of a game, each once."""
        chosen = (game["board"], *game["variants"])
        if chosen not in self._boards:
            path = f"/v1/boards/{game['board']}"
            self._boards[chosen] = self._client.get(path, variant=game["variants"])
        return self._boards[chosen]


def build(client: ServiceClient) -> MCPServer[Any]:
    """Return a server with all tools."""
    server: MCPServer[Any] = MCPServer(
        "nightmail",
        title="Nightmail",
        instructions=INSTRUCTIONS,
        version=version_of("nightmail"),
        log_level="ERROR",
    )
    tools = Tools(client)
    reading: list[Callable[..., str]] = [
        tools.list_decisions,
        tools.list_games,
        tools.show_table,
        tools.read_menu,
        tools.read_events,
        tools.explain_rule,
        tools.read_talk,
    ]
    for tool in reading:
        server.add_tool(tool, annotations=READING, structured_output=False)
    server.add_tool(tools.make_move, annotations=MOVING, structured_output=False)
    server.add_tool(tools.talk, annotations=TALKING, structured_output=False)
    return server


def _marked(lines: list[str]) -> str:
    """Return the lines, after the sentence about marks if they have some."""
    text = "\n".join(lines)
    return f"{WARNING}\n\n{text}" if OPENING in text else text


def _move(choose: Json, text: str | None) -> Json:
    """Return the body of a move; refuse one that is both a choice and text, or neither."""
    if text is not None and not choose:
        return {"text": text}
    if text is None and "entry" in choose:
        return {"choose": choose}
    raise ServiceError(
        "Give either `entry`, perhaps with `way`, `locomotives` or `things`, or `text` alone; "
        "nothing was played."
    )


def _key(game: str, version: int, body: Json) -> str:
    """Return a key that is the same for the same move in the same position."""
    return f"mcp-{sha256(repr((game, version, sorted(body.items()))).encode()).hexdigest()}"
