"""The service as one account sees it."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, Unpack

import httpx

from nightmail_client import models
from nightmail_client._async.connection import WAIT, AsyncConnection
from nightmail_client._async.game import AsyncGame
from nightmail_client.streams import StreamEvent
from nightmail_client.tokens import Tokens

LOCAL = "http://127.0.0.1:8000"
PATIENCE = 300.0
"""Seconds for which requests are sent again, unless told otherwise."""
NONCE_BYTES = 24


class AsyncNightmail:
    """A client of the service at `url`, with a token or the tokens of a sign-in.

    Requests that may be sent again are, for up to `patience` seconds: when a limit is reached, the
    service restarts or the connection breaks. `on_renewal` gets tokens that replace expired ones,
    to be kept.
    """

    def __init__(
        self,
        url: str = LOCAL,
        token: str | Tokens | None = None,
        *,
        patience: float = PATIENCE,
        on_renewal: Callable[[Tokens], None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.connection = AsyncConnection(
            url, token, patience=patience, on_renewal=on_renewal, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all sockets."""
        await self.connection.aclose()

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> Any:
        """Call any operation of the API, such as `GET /v1/me/webhooks`, and return its JSON.

        `key` is the `Idempotency-Key` of a POST, if you want to repeat it yourself.
        """
        return await self.connection.json(
            method, path, json=json, params=params, headers=headers, key=key
        )

    async def create_account(self, **account: Unpack[models.AccountRequest]) -> models.NewAccount:
        """Create an account; its token is shown only here, and used from now on."""
        made: models.NewAccount = await self.call("POST", "/v1/accounts", json=account)
        self.connection.tokens = Tokens(made["token"]["token"])
        return made

    async def me(self) -> models.Account:
        """Return the account of the token."""
        account: models.Account = await self.call("GET", "/v1/me")
        return account

    async def boards(self) -> list[models.BoardSummary]:
        """List the boards with their variants."""
        listed: models.BoardList = await self.call("GET", "/v1/boards")
        return listed["boards"]

    async def board(self, board: str, variants: Sequence[str] = ()) -> models.Board:
        """Return a board: cities, routes, tickets and technologies."""
        params = {"variant": ",".join(variants)} if variants else {}
        made: models.Board = await self.call("GET", f"/v1/boards/{board}", params=params)
        return made

    def game(self, id: str) -> AsyncGame:
        """Return the game with this id; sends nothing."""
        return AsyncGame(self.connection, id)

    async def games(self, **wanted: Any) -> AsyncIterator[models.GameSummary]:
        """Yield games, newest first, such as those with `mine="true"` and `status="running"`."""
        async for page in self.connection.pages("/v1/games", wanted):
            for game in page.json()["games"]:
                yield game

    async def open_game(self, **game: Unpack[models.GameRequest]) -> AsyncGame:
        """Open a game and take a seat in it, with a commitment and a nonce of your own.

        So `verify` of the game can prove later that nobody chose the cards.
        """
        if "commitment" not in game and "nonce" not in game:
            kept: models.Commitment = await self.call("POST", "/v1/commitments")
            game["commitment"] = kept["commitment"]
            game["nonce"] = secrets.token_hex(NONCE_BYTES)
        made: models.JoinedGame = await self.call("POST", "/v1/games", json=game)
        return AsyncGame(self.connection, made["id"], made["commitment"], game.get("nonce"))

    async def open_bot_games(self, **games: Unpack[models.BotGamesRequest]) -> models.BotGames:
        """Start games between bots."""
        made: models.BotGames = await self.call("POST", "/v1/bot-games", json=games)
        return made

    async def ladder(self, **wanted: Any) -> AsyncIterator[models.LadderEntry]:
        """Yield the rated bots, the best first; `board="usa"` for one board."""
        async for page in self.connection.pages("/v1/ladder", wanted):
            for entry in page.json()["bots"]:
                yield entry

    async def open_decisions(self) -> list[models.Decision]:
        """Return what this account has to decide now, the most urgent first."""
        return [
            decision
            async for page in self.connection.pages("/v1/me/decisions", {})
            for decision in page.json()["decisions"]
        ]

    async def decisions(self, *, forever: bool = False) -> AsyncIterator[models.Decision]:
        """Yield decisions as they open, waiting for them, until no game of yours is left.

        With `forever` it waits for new games as well. A decision that you leave open comes again
        when another opens or closes.
        """
        tag = ""
        while True:
            response = await self.connection.request(
                "GET",
                "/v1/me/decisions",
                params={"wait": WAIT if tag else 0},
                headers={"If-None-Match": tag} if tag else {},
            )
            tag = response.headers.get("ETag", tag)
            is_same = response.status_code == HTTPStatus.NOT_MODIFIED
            listed = [] if is_same else response.json()["decisions"]
            for decision in listed:
                yield decision
            if not listed and not forever and not await self.has_games():
                return

    async def has_games(self) -> bool:
        """Whether a game of this account is running, or waits for players."""
        for status in ("running", "open"):
            params = {"mine": "true", "status": status, "limit": 1}
            if (await self.call("GET", "/v1/games", params=params))["games"]:
                return True
        return False

    def stream(self, last_id: str = "") -> AsyncIterator[StreamEvent]:
        """Yield what is new in all your games, without end, and go on after breaks.

        `decision` has a decision, `decision_gone` the `game` that waits for you no more, `message`
        a message, `game_started` and `game_finished` a game. After a break some come twice.
        """
        return self.connection.stream("/v1/me/stream", last_id)
