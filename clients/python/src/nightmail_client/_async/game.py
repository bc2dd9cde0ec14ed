"""One game, as one account sees it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Unpack

from nightmail_client import models
from nightmail_client._async.connection import AsyncConnection
from nightmail_client.choosing import answer, is_same
from nightmail_client.errors import Stale
from nightmail_client.streams import StreamEvent
from nightmail_client.verification import VerifiedLog, verify_log


class AsyncGame:
    """A game by its id, with what is kept for `verify` if it was opened or joined here."""

    def __init__(
        self,
        connection: AsyncConnection,
        id: str,
        commitment: str | None = None,
        nonce: str | None = None,
    ) -> None:
        self.id = id
        self.commitment = commitment
        self.nonce = nonce
        self._connection = connection
        self._path = f"/v1/games/{id}"

    async def read(self) -> models.Game:
        """Return the game as this account may see it."""
        game: models.Game = await self._connection.json("GET", self._path)
        return game

    async def join(self, **seat: Unpack[models.SeatRequest]) -> models.JoinedGame:
        """Take a free seat; `nonce` adds a text of yours to the shuffle."""
        game = await self.read()
        joined: models.JoinedGame = await self._post("seats", dict(seat))
        self.commitment, self.nonce = game["commitment"], seat.get("nonce")
        return joined

    async def leave(self) -> None:
        """Give up the seat; in a running game this means resigning."""
        await self._connection.json("DELETE", f"{self._path}/seats/mine")

    async def rematch(self) -> models.JoinedGame:
        """Open a game like this one, with the same players."""
        game: models.JoinedGame = await self._post("rematch")
        return game

    async def decision(self, *, every_option: bool = False) -> models.Decision | None:
        """Return what this account has to decide here; None if nothing."""
        decision: models.Decision | None = await self._connection.json(
            "GET", f"{self._path}/decision", params={"options": "all"} if every_option else {}
        )
        return decision

    async def choose(
        self,
        decision: models.Decision,
        entry: models.Entry,
        *,
        way: str | None = None,
        locomotives: int | None = None,
        things: Sequence[Any] | None = None,
    ) -> models.MoveReceipt:
        """Make the move of an entry of the decision's menu.

        Without `way` the entry is paid in the first, thriftiest one; without `things` as few of its
        things as possible are chosen, the first ones. Raises `Stale` if another decision is open.
        """
        body = answer(entry, way=way, locomotives=locomotives, things=things)
        return await self._move({"choose": body}, decision)

    async def play(
        self, move: str | models.Action, decision: models.Decision | None = None
    ) -> models.MoveReceipt:
        """Make a move: a text such as `claim paris-dieppe with 1 purple`, or an action.

        With a `decision`, raises `Stale` if that is not open any more.
        """
        field = "text" if isinstance(move, str) else "action"
        return await self._move({field: move}, decision)

    async def events(self, after: int = 0) -> AsyncIterator[models.EventRecord]:
        """Yield what has happened so far, after an event."""
        pages = self._connection.pages(f"{self._path}/events", {"after": after})
        async for page in pages:
            for record in page.json()["events"]:
                yield record

    async def stream(self, after: int = 0) -> AsyncIterator[StreamEvent]:
        """Yield events as they happen, and decisions as they open, until the game is over.

        The `data` of a `message` is a record as `events` yields it, that of a `decision` what
        `decision` returns; the last event is `over`.
        """
        last_id = str(after) if after else ""
        async for event in self._connection.stream(f"{self._path}/events", last_id):
            yield event
            if event.name == "over":
                return

    async def say(self, text: str) -> models.Message:
        """Write a message to the table."""
        message: models.Message = await self._post("messages", {"text": text})
        return message

    async def messages(self, after: int = 0) -> AsyncIterator[models.Message]:
        """Yield the messages at the table, after one of them."""
        async for page in self._connection.pages(f"{self._path}/messages", {"after": after}):
            for message in page.json()["messages"]:
                yield message

    async def log(self) -> bytes:
        """Return the log of a finished game, with its seed."""
        response = await self._connection.request("GET", f"{self._path}/log")
        return response.content

    async def verify(self, head: str | None = None) -> VerifiedLog:
        """Verify the log of the finished game; raises `InvalidLog`.

        It must be the log of this game, with the commitment and the nonce that are kept here, and
        with `head`, if you pass one that a move has returned.
        """
        return verify_log(
            await self.log(),
            game=self.id,
            commitment=self.commitment,
            nonce=self.nonce,
            head=head,
        )

    async def _move(
        self, body: dict[str, Any], decision: models.Decision | None
    ) -> models.MoveReceipt:
        """Make a move; again if the game has moved on, but the decision is the same.

        At the start all players choose at the same time, so the version changes meanwhile.
        """
        while True:
            try:
                return await self._send_move(body, decision)
            except Stale:
                newer = await self.decision()
                if decision is None or newer is None or not is_same(decision, newer):
                    raise
                decision = newer

    async def _send_move(
        self, body: dict[str, Any], decision: models.Decision | None
    ) -> models.MoveReceipt:
        headers = {"If-Match": f'"{decision["version"]}"'} if decision else {}
        receipt: models.MoveReceipt = await self._connection.json(
            "POST", f"{self._path}/moves", json=body, headers=headers
        )
        return receipt

    async def _post(self, name: str, body: dict[str, Any] | None = None) -> Any:
        return await self._connection.json("POST", f"{self._path}/{name}", json=body)
