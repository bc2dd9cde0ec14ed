"""Games whose players have mail addresses, and the letters they get."""

import random
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, NamedTuple

from engine import options
from service.desk import Desk
from service.games import lobby, moves
from service.games.move_requests import MoveRequest
from service.ids import new_id
from service.notify.outbox import Delivery
from service.replies import mailboxes
from store.games import games
from store.games.games import Table
from tests.service.support.owing import reachable
from workers.channels.mail.letters.compose import Composed, Composer

NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")


class Room(NamedTuple):
    """A running game, and its players by seat."""

    desk: Desk
    game: str
    players: list[str]

    @property
    def table(self) -> Table:
        """The game as it stands."""
        with self.desk.database.reading() as tx:
            row = games.table(tx, self.game)
        assert row is not None
        return row

    @property
    def awaited(self) -> int:
        """A seat with an open decision."""
        return next(seat.number for seat in self.table.seated if seat.decision_version is not None)

    def play(self, steps: int, seed: int = 0) -> None:
        """Let random players make this many moves, or fewer if the game ends."""
        rng = random.Random(seed)
        for _ in range(steps):
            table = self.table
            if table.status != "running":
                return
            with self.desk.database.reading() as tx:
                position = self.desk.positions.of(tx, table)
            seat = position.state.awaiting[0].seat
            account = table.seated[seat].account
            assert account is not None
            action = rng.choice(options(position.rules, position.state, seat))
            moves.submit(self.desk, account, self.game, MoveRequest(action.text))

    def about(self, kind: str, seat: int | None = None, **more: Any) -> Delivery:
        """A delivery about this game to one of its players."""
        seat = self.awaited if seat is None else seat
        seated = self.table.seated[seat]
        version = more.pop("version", seated.decision_version)
        data = more.pop("data", None)
        return delivery(self.players[seat], kind, self.game, seat, version, data, **more)


def room(desk: Desk, board: str = "usa", variants: tuple[str, ...] = (), **more: Any) -> Room:
    """A game that has just begun; its players have confirmed their addresses."""
    seats = more.pop("seats", 3)
    people = [reachable(desk, name) for name in NAMES[:seats]]
    return sat_down(desk, people, board, variants, **more)


def sat_down(
    desk: Desk, people: list[str], board: str = "usa", variants: tuple[str, ...] = (), **more: Any
) -> Room:
    """A game with these players."""
    new_game = lobby.NewGame(board, variants, len(people), **more)
    game = lobby.open_game(desk, people[0], new_game, None)["id"]
    for person in people[1:]:
        lobby.join(desk, person, game, "", None)
    made = Room(desk, game, [])
    return made._replace(players=[seat.account or "" for seat in made.table.seated])


def delivery(
    account: str,
    kind: str,
    game: str | None = None,
    seat: int | None = None,
    version: int | None = None,
    data: dict[str, Any] | None = None,
    *,
    at: str = "2026-01-01T12:00:00.000Z",
) -> Delivery:
    """A delivery by mail."""
    return Delivery(new_id(), account, "mail", None, kind, game, seat, version, data, at, 1, at)


def composed(desk: Desk, *letter: Delivery, pictures: bool = False) -> Composed | None:
    """Compose a letter, and store its reply addresses as sending does."""
    made = Composer(desk, pictures=pictures).composed(letter)
    mailboxes.store(desk, made.addresses if made else ())
    return made


def mail(desk: Desk, *letter: Delivery, pictures: bool = False) -> EmailMessage:
    """Compose a letter and parse it; fails if there is none or if it has defects."""
    made = composed(desk, *letter, pictures=pictures)
    assert made is not None, "there is no letter"
    return read(made.message)


def read(message: bytes) -> EmailMessage:
    """Parse a letter; fails if it has defects."""
    parsed = message_from_bytes(message, policy=policy.default)
    assert [] == [defect for part in parsed.walk() for defect in part.defects]
    return parsed


def part(message: EmailMessage, kind: str) -> str:
    """The plain text or the HTML of a letter."""
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")
