"""Promise 10 in letters: what a seat is sent does not depend on what is hidden from it."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Move, replay
from engine.display import Fact
from service.desk import Desk
from service.links import signed_links
from service.notify.outbox import Delivery
from service.views import retelling, story
from service.views.retelling import open_to_all
from service.views.story import Story
from store.tables import accounts, seats
from tests.amounts import amount
from tests.api.test_secrets import AT, TABLES, Service
from tests.random_games import Table, played
from tests.support.mail_links import action_link, path
from tests.worlds import another_world
from workers.channels.mail.letters import shown_parts
from workers.channels.mail.letters.compose import Composer

PAIRS = amount(6, soak=40)
KINDS = ("decision_opened", "decision_expired", "seat_caretaken", "letter_answered")
SHOWN = ["help", "status", "board", "hand", "my tickets", "history", "history all"]
"""Every part that a reply can ask for."""
DATA = {"label": "Draw", "deadline": AT, "away": 0, "lines": [], "shows": SHOWN}


def letters(service: Service, log: list[Move], seat: int) -> Iterator[bytes]:
    """Every letter that this seat could get here, with a picture at every fourth version.

    The page with all moves, behind the link of a turn letter, comes last.
    """
    events = [event for move in log for event in move.events]
    awaited = [decision.seat for decision in replay(service.table.rules, events).awaiting]
    service.put(log, awaited)
    version = log[-1].number
    desk: Desk = service.app.extensions["nightmail"]._replace(now=lambda: AT)
    with desk.database.writing() as tx:
        tx.execute(accounts.update().values(email=accounts.c.id + "@example.org"))
        tx.execute(accounts.update().values(email_confirmed=AT))
        tx.execute(seats.update().values(decision_version=None))
        tx.execute(
            seats.update().where(seats.c.number.in_(awaited)).values(decision_version=version)
        )
        account = tx.scalar(seats.select().with_only_columns(seats.c.account).where(
            seats.c.game == service.game, seats.c.number == seat))  # fmt: skip
    composer = Composer(desk, pictures=version % 4 == 0)
    for kind in KINDS:
        about = Delivery(
            kind, str(account), "mail", None, kind, service.game, seat, version, DATA, AT, 1, AT
        )
        made = composer.composed([about])
        yield b"" if made is None else made.message
    if seat in awaited:
        yield menu_page(service, desk, seat, version)


def menu_page(service: Service, desk: Desk, seat: int, version: int) -> bytes:
    """The page that lists all moves of a seat."""
    with desk.database.writing() as tx:
        tx.execute(seats.update().values(deadline=None))
    link = action_link(desk, service.game, seat, version, signed_links.WHOLE_MENU)
    service.app.extensions["nightmail"] = desk
    page: bytes = service.web.get(path(link)).data
    assert b"All your moves" in page
    return page


def differences(service: Service, pairs: int) -> Iterator[tuple[bytes, bytes]]:
    """Letters that differ between two worlds, over this many pairs, half of them late in a game."""
    table = service.table
    rules, game = table.rules, played(table, 0).game
    rng = random.Random(f"{table} by mail")
    written = 0
    for pair in range(pairs):
        first = len(game.moves) * 4 // 5 if pair % 2 else 1
        log = game.moves[: rng.randrange(first, len(game.moves))]
        seat = rng.randrange(table.seats)
        events = [event for move in log for event in move.events]
        left = iter(another_world(rules, events, seat, rng))
        other = [move._replace(events=tuple(next(left) for _ in move.events)) for move in log]
        here, there = list(letters(service, log, seat)), list(letters(service, other, seat))
        written += sum(map(bool, here)) if log != other else 0
        yield from ((a, b) for a, b in zip(here, there, strict=True) if a != b)
    assert written, "no letter was written in two worlds"


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_cannot_be_told_apart_by_mail(table: Table, tmp_path: Path) -> None:
    """Every letter is the same in both worlds, to the byte, with headers and picture."""
    assert [] == list(differences(Service(tmp_path, table), PAIRS))


def leaking(for_seat: Callable[..., Story], look: Callable[[Any], object]) -> Callable[..., Story]:
    """A story that also tells something from the full state."""

    def leaky(desk: Desk, tx: Any, table: Any, seat: int) -> Story:
        position = desk.positions.of(tx, table)
        honest = for_seat(desk, tx, table, seat)
        return honest._replace(
            table=(*honest.table, Fact("more", "More", str(look(position.state))))
        )

    return leaky


LEAKS: dict[str, Callable[[Any], object]] = {
    "others' cards": lambda state: hash(state.parts["cards"].hands),
    "an aggregate of the deck": lambda state: max(state.parts["cards"].deck) % 2,
    "others' tickets": lambda state: state.parts["tickets"].held,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_in_a_letter_is_found(
    leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a line that depends on the full state makes the worlds differ."""
    leaky = leaking(story.for_seat, LEAKS[leak])
    monkeypatch.setattr(story, "for_seat", leaky)
    assert any(differences(Service(tmp_path, TABLES[0]), 40))


def test_a_sentence_that_is_not_redacted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: events that are not redacted make the worlds differ."""
    monkeypatch.setattr(story, "as_seen_by", lambda _: open_to_all)
    assert any(differences(Service(tmp_path, TABLES[0]), 40))


def test_a_history_that_is_not_redacted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a history that is told with everything open makes the worlds differ."""
    monkeypatch.setattr(retelling, "as_seen_by", lambda _: open_to_all)
    assert any(differences(Service(tmp_path, TABLES[0]), 40))


def test_every_part_is_compared() -> None:
    """The letters that are compared show every part that a reply can ask for."""
    assert {*shown_parts._PARTS} == {*SHOWN}
