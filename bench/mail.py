"""Compare the delivery of waiting turn emails with a bare loop that sends the same messages."""

import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

from sqlalchemy import update

from bench import stock
from bench.stock import Shelf
from bench.table import Goal, comparison, row, verdict
from service.desk import Desk
from service.games import moves
from service.games.move_requests import MoveRequest
from service.ids import new_id
from service.memory.positions import Positions
from service.notify.channels import Lane
from service.notify.outbox import Delivery, Outcome
from store import tables
from store.games import games
from store.notify import deliveries
from tests.support.child_servers import free_port
from workers.background.deliverer import Deliverer
from workers.channels.mail.channel import MailChannel
from workers.channels.mail.letters.compose import Composed, Composer
from workers.channels.mail.sender import Mail
from workers.lanes.in_order import InOrder

LETTERS = 1_000
GAMES = 20
"""Number of different games; the length of a letter depends on the cards dealt."""
EVENTS = 105
SEATS = 4
ROUNDS = 3
ONE_LETTER = 25.0
"""Limit for composing one turn email, in milliseconds."""
SERVERS = {
    "bench.receivers.post": Goal("1,000 turn emails drained into aiosmtpd", "letters/s", 0.5, 0.7),
    "bench.receivers.sink": Goal("the same into a server that does nothing", "letters/s"),
}
"""SMTP servers, and the goal for each against a bare loop that sends to the same server."""


def run() -> Iterator[str]:
    """Run all mail benchmarks."""
    yield row("mail, pictures apart", "nightmail", "bare", "ratio", "spread", "bar", "aim", "")
    with tempfile.TemporaryDirectory() as folder:
        place = f"sqlite:///{folder}/nightmail.db", Path(folder)
        with stock.shelf(*place) as shelf:
            _address(shelf)
            letters = _waiting(shelf)
            yield _composing(shelf.desk, letters)
            for server, goal in SERVERS.items():
                yield comparison(goal, _draining(shelf.desk, server))


def _address(shelf: Shelf) -> None:
    """Give every player a confirmed email address."""
    with shelf.desk.database.writing() as tx:
        for player in shelf.players:
            owner = tables.accounts.c.id == player.account
            address = {"email": f"{player.account.lower()}@example.org", "email_confirmed": "2026"}
            tx.execute(update(tables.accounts).where(owner).values(**address))


def _waiting(shelf: Shelf) -> list[Delivery]:
    """Store one waiting turn email in each of LETTERS games."""
    desk, ids = shelf.desk, []
    for _ in range(GAMES):
        first = stock.dealt(shelf, SEATS)
        _play(desk, first)
        ids += stock.copied(desk, first, LETTERS // GAMES)
    waiting = []
    with desk.database.writing() as tx:
        tx.execute(tables.notices.delete())
        for table in games.tables(tx, ids):
            seat = next(seat for seat in table.seated if seat.decision_version is not None)
            waiting.append(
                Delivery(
                    new_id(), seat.account or "", "mail", None, "decision_opened", table.id,
                    seat.number, seat.decision_version, None, desk.now(), 0, desk.now(),
                )
            )  # fmt: skip
        deliveries.add(tx, waiting)
    stock.settle(desk)
    return waiting


def _play(desk: Desk, game: str) -> None:
    """Play to the middle of a game with players who mostly draw cards."""
    rng = Random(EVENTS)
    table, position = stock.position_of(desk, game)
    while position.seq < EVENTS:
        seat = position.state.awaiting[0].seat
        action = stock.chosen(rng, position, position.state, seat)
        account = table.seated[seat].account or ""
        moves.submit(desk, account, game, MoveRequest(action))
        table, position = stock.position_of(desk, game)


def _composing(desk: Desk, letters: list[Delivery]) -> str:
    """Measure the time to compose one letter about a game that is not in the cache."""
    composer = Composer(desk, pictures=False)
    composer.composed(letters[:1])
    began = time.perf_counter()
    for letter in letters[1:101]:
        composer.composed([letter])
    taken = (time.perf_counter() - began) / 100 * 1000
    goal = Goal("composing one turn email", "ms", ONE_LETTER, least=False)
    return row(f"{goal.what}, {goal.unit}", f"{taken:.1f}", "", "", "", f"{ONE_LETTER:.0f}", "",
               verdict(goal, taken))  # fmt: skip


def _draining(desk: Desk, server: str) -> list[tuple[float, float]]:
    """Measure letters per second: from our outbox, and ready messages in a bare loop."""
    pairs = []
    with _served(server) as port:
        desk = desk._replace(settings=replace(desk.settings, smtp_url=f"smtp://127.0.0.1:{port}"))
        _again(desk)
        ready = _ready(desk)
        for _ in range(ROUNDS):
            seconds = _bare(port, ready)
            _again(desk)
            pairs.append((LETTERS / _drained(desk), LETTERS / seconds))
    return pairs


def _ready(desk: Desk) -> list[tuple[str, str, bytes]]:
    composer = Composer(desk, pictures=False)
    with desk.database.writing() as tx:
        waiting = deliveries.claim(tx, "mail", desk.now(), desk.now(), LETTERS)
    letters = [composer.composed([delivery]) for delivery in waiting]
    return [(letter.sender, letter.recipient, letter.message) for letter in letters if letter]


def _bare(port: int, ready: list[tuple[str, str, bytes]]) -> float:
    began = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port, local_hostname="bench") as smtp:
        for sender, recipient, message in ready:
            smtp.sendmail(sender, [recipient], message)
    return time.perf_counter() - began


def _again(desk: Desk) -> None:
    """Set all deliveries back to waiting."""
    fresh = {"state": "waiting", "attempts": 0, "not_before": desk.now(), "done": None}
    with desk.database.writing() as tx:
        tx.execute(update(tables.deliveries).values(**fresh))


def _drained(desk: Desk) -> float:
    """Measure the seconds until a newly started deliverer has sent all letters."""
    desk = desk._replace(positions=Positions())
    mail = _Counting(desk, pictures=False)
    deliverer = Deliverer(desk, [_MailOnly(mail)])
    began = time.perf_counter()
    deliverer.start()
    mail.done.wait()
    taken = time.perf_counter() - began
    deliverer.stop()
    return taken


class _Counting(Mail):
    """A mail sender that sets `done` after the last letter."""

    def __init__(self, desk: Desk, *, pictures: bool) -> None:
        super().__init__(desk, pictures=pictures)
        self.done = Event()
        self._sent = 0

    def deliver(self, deliveries: Sequence[Delivery], message: Composed) -> Outcome:
        outcome = super().deliver(deliveries, message)
        self._sent += outcome.state == "sent"
        if self._sent == LETTERS:
            self.done.set()
        return outcome


class _MailOnly(MailChannel):
    """A mail channel that uses the counting sender."""

    def __init__(self, sender: _Counting) -> None:
        self._sender = sender

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        return InOrder(desk, stopping, self, self._sender)


@contextmanager
def _served(program: str) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", program, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        process.stdout.readline()
        try:
            yield port
        finally:
            process.kill()
