"""Promise 10 on channels: what a destination is sent does not depend on what is hidden."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from engine import Move, replay
from service.notify.destinations import announcements
from service.notify.destinations.announcements import Context
from service.notify.destinations.message_types import MESSAGE_TYPES
from service.notify.outbox import Delivery
from store.tables import seats
from tests.amounts import amount
from tests.api.test_secrets import AT, TABLES, Service
from tests.random_games import Table, played
from tests.support.destinations import posting
from tests.worlds import another_world
from workers.channels.web_push.channel import payload

PAIRS = amount(6, soak=40)
OPERATOR: dict[str, Any] = {
    "webhook_targets": "any",
    "telegram_bot": "bot",
    "telegram_token": "token-of-nobody",
    "matrix_homeserver": "http://127.0.0.1:1",
    "matrix_token": "token-of-nobody",
    "matrix_user": "@us:example.org",
}
PARTS = {
    "discord": {"url": "http://127.0.0.1:1/api/webhooks/1/token"},
    "slack": {"url": "http://127.0.0.1:1/services/x"},
    "ntfy": {"url": "http://127.0.0.1:1/topic"},
    "telegram": {"chat": "-5"},
    "matrix": {"room": "!room:example.org"},
}


def messages(service: Service, log: list[Move], *, is_shared: bool) -> Iterator[bytes]:
    """Every byte that a room, or a device of a player, could be sent in this position."""
    events = [event for move in log for event in move.events]
    awaited = [decision.seat for decision in replay(service.table.rules, events).awaiting]
    service.put(log, awaited)
    settings = replace(service.desk.settings, **OPERATOR)
    desk = service.desk._replace(settings=settings, now=lambda: AT)
    with desk.database.reading() as tx:
        owner = str(tx.scalar(select(seats.c.account).where(seats.c.number == 0)))
    for seat in range(service.table.seats):
        for kind in MESSAGE_TYPES:
            version = log[-1].number
            about = owner, "any", None, kind, service.game, seat, version, None, AT, 1, AT
            told = announcements.announcement(
                desk, [Delivery("id", *about)], "en", is_shared=is_shared
            )
            if told is None:
                yield b"nothing"
                continue
            yield payload(told)
            for channel, parts in PARTS.items():
                request = posting(channel).request(desk, parts, told)
                yield repr((request.target, request.headers)).encode() + request.body


def differences(service: Service, pairs: int) -> Iterator[tuple[bytes, bytes]]:
    """Compare worlds that spectators cannot tell apart, and yield the messages that differ."""
    rules, game = service.table.rules, played(service.table, 0).game
    rng = random.Random(f"{service.table} in rooms")
    changed = lines = 0
    for pair in range(pairs):
        log = game.moves[: rng.randrange(1, len(game.moves))]
        events = [event for move in log for event in move.events]
        left = iter(another_world(rules, events, None, rng))
        other = [move._replace(events=tuple(next(left) for _ in move.events)) for move in log]
        changed += log != other
        here, there = (
            list(messages(service, world, is_shared=pair % 2 == 0)) for world in (log, other)
        )
        lines += sum(text != b"nothing" for text in here)
        yield from ((a, b) for a, b in zip(here, there, strict=True) if a != b)
    assert changed, "no pair is of two worlds"
    assert lines, "nothing was told"


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_cannot_be_told_apart_in_a_room(table: Table, tmp_path: Path) -> None:
    """10: What rooms and devices are sent is the same in worlds that look alike to spectators."""
    assert [] == list(differences(Service(tmp_path, table), PAIRS))


def test_a_hand_in_a_message_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a message that counts the cards of a colour tells the worlds apart."""

    def leaky(context: Context) -> str:
        position = context.desk.positions.of(context.tx, context.table)
        hand = position.state.parts["cards"].hands[context.delivery.seat or 0]
        return f"It is your move, with {hand}."

    monkeypatch.setattr(
        announcements, "WRITERS", {**announcements.WRITERS, "decision_opened": leaky}
    )

    assert any(differences(Service(tmp_path, TABLES[0]), 12))
