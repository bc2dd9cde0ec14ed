"""Logs of games played through the service, checked by the independent verifier."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.desk import Desk
from service.games import commitments, lobby, reading
from tests.engine.test_fairness import Facts
from tests.random_games import Table
from tests.service.support.tables import keep_tickets, let_house_play, player
from tests.service.support.timing import table_at
from tests.verifier import verify


def holds(lines: list[str], seats: int) -> dict[str, Any]:
    """Check a log of the USA board with the independent verifier; return its set-up."""
    facts = Facts(Table("usa", (), seats))
    verify(lines, facts.deck, facts.tickets, facts.more)
    set_up: dict[str, Any] = json.loads(lines[1])
    return set_up


def abandoned_log(desk: Desk, game: str, players: list[str]) -> list[str]:
    """Let all players choose tickets and leave; return the log."""
    let_house_play(desk, game)
    keep_tickets(desk, game, players)
    for account in players:
        lobby.leave(desk, account, game)
    return reading.log(desk, game, players[0])


def nonce_of(set_up: dict[str, Any], seat: int) -> str:
    """The nonce of the player at a seat, found as docs/fairness.md describes."""
    seating = set_up["events"][0]["seating"]
    nonce: str = set_up["nonces"][seating[seat]]
    return nonce


def by_opener(desk: Desk, accounts: list[str]) -> str:
    """Fill a table whose opener stays while another player leaves and comes back last."""
    ada, ben, cem, dan = accounts
    made = commitments.create(desk, ada, None)["commitment"]
    new_game = lobby.NewGame("usa", (), 5, bots={"easy": 1}, commitment=made, nonce="of Ada")
    game: str = lobby.open_game(desk, ada, new_game, None)["id"]
    lobby.join(desk, ben, game, "of Ben", None)
    lobby.join(desk, cem, game, "of Cem", None)
    lobby.leave(desk, ben, game)
    lobby.join(desk, dan, game, "of Dan", None)
    lobby.join(desk, ben, game, "of Ben, once more", None)
    return game


def without_opener(desk: Desk, accounts: list[str]) -> str:
    """Fill a table whose opener leaves and comes back last."""
    ada, _, cem, dan = accounts
    game: str = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 4, bots={"easy": 1}), None)[
        "id"
    ]
    lobby.join(desk, cem, game, "of Cem", None)
    lobby.leave(desk, ada, game)
    lobby.join(desk, dan, game, "of Dan", None)
    lobby.join(desk, ada, game, "of Ada", None)
    return game


@pytest.mark.parametrize(
    ("fill", "places"),
    [
        (by_opener, ["of Ada", "", "of Dan", "of Cem", "of Ben, once more"]),
        (without_opener, ["of Dan", "", "of Cem", "of Ada"]),
    ],
)
def test_nonces_stand_in_the_order_of_places(
    each_desk: Desk, fill: Callable[[Desk, list[str]], str], places: list[str]
) -> None:
    """Nonces are in the order of places; a player who joins takes the lowest free place.

    The seating says at which seat each place plays, so that players find their own nonces.
    """
    accounts = [player(each_desk, name) for name in ("Ada", "Ben", "Cem", "Dan")]
    game = fill(each_desk, accounts)
    seated = table_at(each_desk, game).seated
    players = [seat.account for seat in seated if seat.account]

    set_up = holds(abandoned_log(each_desk, game, players), len(places))

    assert places == set_up["nonces"]
    assert [seat.nonce for seat in seated] == [
        nonce_of(set_up, seat) for seat in range(len(places))
    ]


def test_an_abandoned_game_holds_by_anothers_code(desk: Desk) -> None:
    """The verifier accepts the log of an abandoned game, but not with a changed last line."""
    ada = player(desk, "Ada")
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2, bots={"hard": 1}), None)["id"]
    lines = abandoned_log(desk, game, [ada])

    holds(lines, 2)
    last = json.loads(lines[-1])
    assert {"seed", "abandoned", "hash"} == set(last)
    with pytest.raises(AssertionError):
        holds([*lines[:-1], json.dumps(last | {"abandoned": False})], 2)
