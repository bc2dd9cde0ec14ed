"""The bodies of webhook messages: what each kind tells, and when nothing is left to tell."""

from typing import Any

import orjson
import pytest

from service import account_deletion
from service.desk import Desk
from service.games import lobby, reading, talk
from service.memory.positions import Positions
from service.notify import hook_bodies
from service.notify.hook_deliveries import REDELIVER
from service.notify.hook_types import HOOK_TYPES, PING
from service.notify.outbox import Delivery
from service.people.tokens import Caller
from tests.service.games.test_lobby import finish
from tests.service.support.tables import keep_tickets, play, player, table

AT = "2026-01-01T12:00:00.000Z"


def _delivery(
    account: str,
    kind: str,
    game: str | None = None,
    version: int | None = None,
    data: dict[str, Any] | None = None,
) -> Delivery:
    return Delivery("id", account, "webhook", "hook", kind, game, None, version, data, AT, 1, AT)


def _data(desk: Desk, delivery: Delivery) -> Any:
    """The data in the body; None if there is no body."""
    body = hook_bodies.body(desk, delivery)
    return None if body is None else orjson.loads(body)["data"]


def test_every_type_has_a_body() -> None:
    """Every kind that is sent to hooks has a function that builds its data."""
    assert HOOK_TYPES.keys() == hook_bodies.DATA.keys()


def test_a_body_is_compact_json(desk: Desk) -> None:
    """The body is compact JSON with its fields in a fixed order, since its bytes are signed."""
    expected = f'{{"type":"webhook.ping","timestamp":"{AT}","data":{{"hook":"hook"}}}}'

    assert expected.encode() == hook_bodies.body(desk, _delivery("ada", PING))


@pytest.mark.parametrize("kind", ["decision_opened", "decision_reminder"])
def test_a_decision_is_told_while_it_is_open(desk: Desk, kind: str) -> None:
    """The data is the decision as the API returns it; once it is made there is no body."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    about = _delivery(ada, kind, game, 0)
    assert reading.decision(desk, game, ada) == _data(desk, about)

    play(desk, game, ada, "keep all")
    assert hook_bodies.body(desk, about) is None


def test_a_decision_that_is_made_is_told_if_the_owner_asks(desk: Desk) -> None:
    """A redelivery contains the old decision with its options, but no deadline."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    before = reading.decision(desk, game, ada)
    assert before is not None
    play(desk, game, ada, "keep all")

    again = _data(desk, _delivery(ada, "decision_opened", game, 0, {REDELIVER: True}))
    assert before | {"since": AT, "deadline": None} == again


def test_whoever_has_resigned_is_told_no_decision(desk: Desk) -> None:
    """A decision of a player who has resigned has no body, even if a redelivery is requested."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    lobby.leave(desk, ada, game)

    again = _delivery(ada, "decision_opened", game, 0, {REDELIVER: True})
    assert hook_bodies.body(desk, again) is None


def test_a_move_is_told_as_the_seat_sees_it(desk: Desk) -> None:
    """The body has the events of one move as the seat sees them; later moves do not change it."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    about = _delivery(ben, "game_moved", game, 1)
    body = hook_bodies.body(desk, about)
    events = _data(desk, about)["events"]
    assert events
    assert [
        event for event in reading.events(desk, game, ben, 0)["events"] if event["version"]
    ] == (events)

    play(desk, game, ben, "keep all")
    assert body == hook_bodies.body(desk._replace(positions=Positions()), about)


def test_a_start_names_the_seat(desk: Desk) -> None:
    """`game_started` has the game, its title, the version and the seat of the account."""
    game, (_, ben) = table(desk, "Ada", "Ben", title="Evening train")

    assert {"game": game, "title": "Evening train", "version": 0, "seat": 1} == _data(
        desk, _delivery(ben, "game_started", game, 0)
    )


def test_an_expired_decision_says_what_was_played(desk: Desk) -> None:
    """`decision_expired` has the deadline, and the move that was played by the clock."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    stored = {"deadline": AT, "text": "keep all", "label": "Keep all tickets"}
    data = _data(desk, _delivery(ada, "decision_expired", game, 1, stored))

    assert AT == data["deadline"]
    assert {"text": "keep all", "label": "Keep all tickets"} == data["played"]


def test_an_end_has_the_result(desk: Desk) -> None:
    """`game_finished` has the result as in the game's document."""
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, ada)
    result = orjson.loads(reading.game(desk, game, ada)[1])["result"]

    assert result["winners"]
    assert result == _data(desk, _delivery(ada, "game_finished", game, 2))["result"]


def test_a_message_is_told_while_it_is_there(desk: Desk) -> None:
    """A message has no body once its author has deleted the account."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    ada, ben = players
    posted = talk.say(desk, ben, game, "Hello", None)
    about = _delivery(ada, "message_posted", game, posted["number"])
    assert {"game": game, "message": posted} == _data(desk, about)

    account_deletion.delete(desk, Caller(ben, "", frozenset()))
    assert hook_bodies.body(desk, about) is None


def test_a_stranger_is_told_nothing_of_a_private_game(desk: Desk) -> None:
    """There is no body for an account that may not see the game, or without a game."""
    game, _ = table(desk, "Ada", bots={"easy": 1}, visibility="private")
    eve = player(desk, "Eve")

    assert hook_bodies.body(desk, _delivery(eve, "game_moved", game, 0)) is None
    assert hook_bodies.body(desk, _delivery(eve, "decision_opened", "nowhere", 0)) is None


def test_a_delivery_about_no_game_is_a_mistake(desk: Desk) -> None:
    """A delivery of any kind but a ping raises an error if it names no game."""
    with pytest.raises(ValueError, match="of the kind game_moved is about no game"):
        hook_bodies.body(desk, _delivery("ada", "game_moved"))
