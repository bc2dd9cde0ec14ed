"""Letters about positions of random games, which are put into a database as they are."""

import base64
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from engine import Move, State, replay
from service.desk import Desk
from service.notify.outbox import Delivery
from store.tables import accounts, seats
from tests.api.test_secrets import AT, Service
from tests.random_games import Table, played
from tests.workers.correspondence import part, read
from workers.channels.mail.letters.compose import Composer

DUE = "2026-01-04T12:00:00.000Z"
HOARDED = 1
"""The number of the random game in which everybody hoards."""


class Letters:
    """Writes turn letters about positions of random games at one table."""

    def __init__(self, folder: Path, table: Table) -> None:
        self.table = table
        self._service = Service(folder, table)
        with self._service.desk.database.writing() as tx:
            tx.execute(accounts.update().values(email=accounts.c.id + "@example.org"))
            tx.execute(accounts.update().values(email_confirmed=AT, time_zone="Europe/Paris"))

    def about(
        self,
        log: list[Move],
        seat: int,
        kind: str = "decision_opened",
        data: dict[str, Any] | None = None,
        *,
        pictures: bool = False,
    ) -> EmailMessage:
        """The letter to a seat that has an open decision after these moves."""
        service, version = self._service, log[-1].number
        state = replay(self.table.rules, [event for move in log for event in move.events])
        awaited = [decision.seat for decision in state.awaiting]
        service.put(log, awaited)
        desk: Desk = service.app.extensions["nightmail"]._replace(now=lambda: AT)
        with desk.database.writing() as tx:
            tx.execute(seats.update().where(seats.c.number.in_(awaited)).values(deadline=DUE))
            here = seats.c.game == service.game, seats.c.number == seat
            account = tx.scalar(seats.select().with_only_columns(seats.c.account).where(*here))
        about = Delivery(
            id=kind,
            account=str(account),
            channel="mail",
            hook=None,
            kind=kind,
            game=service.game,
            seat=seat,
            version=version,
            data=data,
            at=AT,
            attempts=1,
            not_before=AT,
        )
        composed = Composer(desk, pictures=pictures).composed([about])
        assert composed is not None
        return read(composed.message)


def cards_held(state: State, seat: int) -> int:
    """How many train cards a seat holds."""
    number: int = sum(state.parts["cards"].hands[seat])
    return number


def tickets_held(state: State, seat: int) -> int:
    """How many tickets a seat holds."""
    return len(state.parts["tickets"].held[seat])


def turn_with_cards(table: Table, number: int) -> tuple[list[Move], int]:
    """A log after which a hoarder has a turn with this many cards, and the seat."""
    game = played(table, HOARDED)
    for at, step in enumerate(game.steps):
        kind = step.state.awaiting[0].kind
        if at > 40 and kind == "take_turn" and cards_held(step.state, step.seat) == number:
            return list(game.game.moves[: at + 1]), step.seat
    raise AssertionError("no such turn")


def turn_with_most_tickets(table: Table) -> tuple[list[Move], int]:
    """A log after which a hoarder has a turn with more tickets than ever before, and the seat."""
    game = played(table, HOARDED)
    turns = [
        (tickets_held(step.state, step.seat), at)
        for at, step in enumerate(game.steps)
        if step.state.awaiting[0].kind == "take_turn"
    ]
    at = max(turns)[1]
    return list(game.game.moves[: at + 1]), game.steps[at].seat


def shown_html(message: EmailMessage, *, pictures: bool = True) -> str:
    """The HTML of a letter, with its pictures inside, or as when they are blocked."""
    html = part(message, "html")
    for image in message.walk():
        if pictures and image.get_content_type() == "image/png":
            data = base64.b64encode(image.get_content()).decode()
            cid = image["Content-ID"].strip("<>")
            html = html.replace(f"cid:{cid}", f"data:image/png;base64,{data}")
    return html
