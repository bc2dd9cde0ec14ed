"""The state of a signed link for a seat."""

from typing import Any
from unittest.mock import Mock

import pytest

from service.desk import Desk
from service.links import link_state
from service.refusals import Refused
from store.people.signed_links import void_links
from tests.service.support.tables import play, table
from tests.service.support.timing import by_hand, seat_at


def _payload(desk: Desk, game: str, player: str, **more: Any) -> dict[str, Any]:
    """The payload of an action link for the open decision of a player."""
    seat = seat_at(desk, game, player)
    fields = {
        "game": game,
        "seat": seat.number,
        "asked": seat.decision_version,
        "links": seat.links,
    }
    return {**fields, "entry": "keep", "until": "9999", **more}


def _state(desk: Desk, payload: dict[str, Any]) -> str:
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        return link_state.state_of(desk, tx, payload, place)


def _void(desk: Desk, payload: dict[str, Any]) -> bool:
    with desk.database.writing() as tx:
        return void_links(tx, payload["game"], payload["seat"], payload["links"])


def test_a_link_is_open_while_its_decision_is(each_desk: Desk) -> None:
    """A move made elsewhere makes a link stale; a move with the link's key makes it done."""
    game, (ada, ben) = table(each_desk, "Ada", "Ben")
    mine, theirs = (_payload(each_desk, game, player) for player in (ada, ben))
    assert ["open", "open"] == [_state(each_desk, payload) for payload in (mine, theirs)]

    play(each_desk, game, ada, "keep all", key=link_state.idempotency_key(mine))
    play(each_desk, game, ben, "keep all")

    assert ["done", "stale"] == [_state(each_desk, payload) for payload in (mine, theirs)]


def test_a_link_ends_with_its_time_and_its_deadline(desk: Desk) -> None:
    """A link is late after its own expiry, and after the deadline of its decision."""
    desk, hands = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    payload = _payload(desk, game, ada)

    assert "late" == _state(desk, payload | {"until": "2030-01-01"})
    hands.on(days=1)
    assert "late" == _state(desk, payload)


def test_a_void_link_shows_nothing(desk: Desk) -> None:
    """A link that is done and void counts as void; links can be voided once in a generation."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada)
    play(desk, game, ada, "keep all", key=link_state.idempotency_key(payload))

    assert [True, False] == [_void(desk, payload), _void(desk, payload)]
    assert "void" == _state(desk, payload)


def test_a_move_is_refused_when_its_link_was_voided(desk: Desk) -> None:
    """The check in the move's transaction fails once the link was voided."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada)
    check = link_state.refuse_if_void(payload)
    with desk.database.writing() as tx:
        check(tx, Mock())
    _void(desk, payload)

    with pytest.raises(Refused, match="no longer valid"), desk.database.writing() as tx:
        check(tx, Mock())


def test_a_link_without_a_seat_is_gone(desk: Desk) -> None:
    """A link whose game or seat does not exist is gone."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada)

    assert "gone" == _state(desk, payload | {"game": "nothing"})
    assert "gone" == _state(desk, payload | {"seat": 7})


def test_the_key_is_that_of_the_choice(desk: Desk) -> None:
    """Links for different entries, replies or generations have different idempotency keys."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payload = _payload(desk, game, ada)
    letter = {name: value for name, value in payload.items() if name != "entry"}
    keys = {
        link_state.idempotency_key(payload_of_link)
        for payload_of_link in (
            payload,
            payload | {"entry": "draw"},
            payload | {"links": 1},
            letter | {"lines": ["status"]},
            letter | {"lines": ["status", "draw"]},
        )
    }

    assert 5 == len(keys)


def test_the_locale_is_that_of_the_reader(desk: Desk) -> None:
    """The locale is that of the link's account, or None if there is no account."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    payloads: list[dict[str, Any]] = [
        _payload(desk, game, ada),
        {"account": ada},
        {"mailbox": "0" * 64},
        {"account": "nobody"},
        {"invitation": "none"},
    ]

    assert ["en", "en", None, None, None] == [
        link_state.reader_locale(desk, payload) for payload in payloads
    ]
