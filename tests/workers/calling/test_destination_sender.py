"""What holds on every channel with destinations: one message an event, nothing hidden, no SSRF."""

import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.notify import outbox
from service.notify.destinations import destination_channel, managing
from service.notify.destinations.announcements import announcement
from tests.service.support.tables import table
from tests.support.destinations import (
    EVERYTHING,
    add,
    base,
    begin_turns,
    caller,
    deliver,
    posting,
    read,
    room_url,
    states,
)
from tests.support.hook_receiver import Call, Receiver, Reply
from tests.support.hooks import after, owe, spread
from workers.calling.connector import Connector, anywhere
from workers.calling.destination_sender import DestinationSender
from workers.lanes.sender import send


def test_two_workers_tell_a_room_once(each_desk: Desk, receiver: Receiver) -> None:
    """Two players have the same room; two workers send at the same moment, and one message goes.

    The receiver answers only when both workers have claimed their delivery.
    """
    here = each_desk._replace(settings=replace(each_desk.settings, webhook_targets="any"))
    game, players = table(here, "Ada", "Ben")
    spread(here)
    for account in players:
        add(here, account, "slack", {"url": f"{base(receiver)}/services/T/B/x"}, types=EVERYTHING)
    for seat, account in enumerate(players):
        owe(here, account, "game_finished", game=game, seat=seat, version=9)
    spread(here)
    waiting = [m for m in outbox.claim(here, posting("slack"), 20) if m[0].version == 9]
    assert 4 == len(waiting)  # each of both rooms hears of each player

    barrier = threading.Barrier(len(waiting))
    results: list[str] = []

    def work(message: Any) -> None:
        sender = DestinationSender(here, posting("slack"))
        composed = sender.compose(message)
        assert composed is not None
        barrier.wait(30)
        results.append(sender.deliver(message, composed).state)
        sender.close()

    workers = [threading.Thread(target=work, args=(message,)) for message in waiting]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert 1 == len(receiver.calls)
    assert 1 == results.count("sent")
    assert {"again", "superseded"} >= set(results) - {"sent"}


def test_who_could_not_tell_is_replaced(lite: Desk, receiver: Receiver) -> None:
    """If the delivery that tells a room is deleted or fails, another one tells it."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    made = [
        add(lite, account, "slack", {"url": f"{base(receiver)}/services/T/B/x"}, types=EVERYTHING)
        for account in players
    ]
    owe(lite, players[0], "game_finished", game=game, seat=0, version=9)
    receiver.reply(500)
    assert ["again", "again"] == states(deliver(lite, "slack"))
    managing.delete(lite, caller(players[0]), made[0]["id"])
    done = deliver(after(lite, minutes=3), "slack")

    assert ["sent"] == states(done)
    assert read(lite, players[1], made[1])["last_success"]


def test_two_worlds_give_the_same_message(lite: Desk, receiver: Receiver) -> None:
    """What a room is told does not depend on hands, tickets or anything that was drawn unseen."""
    texts = set()
    for _ in range(4):
        title = f"World {random.randrange(10**9)}"
        game, players = table(lite, f"A {title}", f"B {title}", title=title)
        turn = begin_turns(lite, game, players)
        spread(lite)
        made = add(lite, players[0], "discord", {"url": room_url(receiver)}, game=game)
        seat = players.index(turn)
        owe(lite, turn, "decision_opened", game=game, seat=seat, version=2)
        (message,) = [
            claimed
            for claimed in outbox.claim(lite, posting("discord"), 20)
            if claimed[0].destination == made["id"]
        ]
        said = announcement(lite, message, "en", is_shared=True)
        assert said is not None
        texts.add(
            said.text.replace(f"A {title}", "X").replace(f"B {title}", "X").replace(title, "T")
        )
        managing.delete(lite, caller(players[0]), made["id"])
    assert {"T: It is the move of X. 3 days left."} == {
        text.replace("2 days and 23 hours", "3 days") for text in texts
    }


@pytest.mark.parametrize("channel", ["discord", "slack", "ntfy", "web_push"])
def test_no_private_address_is_called(lite: Desk, receiver: Receiver, channel: str) -> None:
    """A destination that was added while any address was allowed is not called later (SSRF)."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    made = add(lite, players[0], channel, addresses(receiver)[channel])
    owe(lite, players[0], "game_finished", game=game, seat=0, version=9)
    strict = lite._replace(settings=replace(lite.settings, webhook_targets="public"))
    deliver(strict, channel)

    assert [] == receiver.calls
    assert "The address cannot be called." == read(lite, players[0], made)["off_reason"]


@pytest.mark.parametrize("channel", ["discord", "slack", "ntfy", "web_push"])
def test_no_private_address_is_added(lite: Desk, receiver: Receiver, channel: str) -> None:
    """A public service takes no address of its own network."""
    _, players = table(lite, "Ada", "Ben")
    strict = lite._replace(settings=replace(lite.settings, webhook_targets="public"))
    with pytest.raises(Refusal):
        add(strict, players[0], channel, addresses(receiver)[channel])
    assert [] == managing.listed(lite, caller(players[0]))


def addresses(receiver: Receiver) -> dict[str, dict[str, str]]:
    """An address on this machine for each channel that players address by URL."""
    point = (
        "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
    )
    keys = {"p256dh": point, "auth": "AAECAwQFBgcICQoLDA0ODw"}
    return {
        "discord": {"url": room_url(receiver)},
        "slack": {"url": f"{base(receiver)}/services/T/B/x"},
        "ntfy": {"url": f"{base(receiver)}/trains"},
        "web_push": {"endpoint": f"{base(receiver)}/push/x", **keys},
    }


def test_a_resolved_private_address_is_not_called(lite: Desk) -> None:
    """A public name that leads to this machine is not called: the connector judges addresses."""
    channel = posting("ntfy")
    strict = lite._replace(settings=replace(lite.settings, webhook_targets="public"))
    judged = channel.connector(strict.settings)
    assert not judged._judge("127.0.0.1")
    assert not judged._judge("10.0.0.1")
    assert not judged._judge("169.254.169.254")


def test_no_channel_quotes_a_hand(lite: Desk, receiver: Receiver) -> None:
    """No byte that any channel sends names a card, a ticket or a signed link."""
    receiver.usually = _pleased
    game, players = table(lite, "Ada", "Ben")
    for account in players:
        for name, address in addresses(receiver).items():
            if name != "web_push":
                add(lite, account, name, address)
    begin_turns(lite, game, players)
    for channel in destination_channel.destination_channels():
        if channel.is_available(lite.settings):
            deliver(lite, channel.name)
    sent = b"".join(call.body for call in receiver.calls).decode().lower()

    assert sent.count("/games/") >= 4
    words = ("red", "blue", "green", "ticket", "locomotive ", "points", "/turn/", "token=", "hand")
    assert [] == [word for word in words if f" {word}" in sent or f"/{word}" in sent]


def _pleased(call: Call) -> Reply:
    is_lookup = call.method == "GET"
    return Reply(200, b'{"channel_id": "42"}') if is_lookup else Reply(200, b"{}")


def test_a_slow_server_costs_no_more_than_the_deadline(lite: Desk, receiver: Receiver) -> None:
    """A server that never answers is a failed attempt, and is tried again."""
    game, players = table(lite, "Ada", "Ben")
    spread(lite)
    made = add(lite, players[0], "ntfy", {"url": f"{base(receiver)}/trains"})
    hold = threading.Event()
    receiver.usually = lambda _: Reply(200) if hold.wait(20) else Reply(500)
    owe(lite, players[0], "game_finished", game=game, seat=0, version=9)
    spread(lite)
    sender = DestinationSender(lite, posting("ntfy"), Connector(anywhere, deadline=0.2))
    try:
        (message,) = outbox.claim(lite, posting("ntfy"), 9)
        assert "again" == send(sender, message).state
    finally:
        hold.set()
        sender.close()
    assert "no complete answer" in read(lite, players[0], made)["last_error"]
