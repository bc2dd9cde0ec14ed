"""Games between bots, opened in bulk."""

from dataclasses import replace
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.games.bots import bot_games, house
from service.games.bots.bot_games import BotGamesRequest
from service.people import accounts
from service.people.tokens import SCOPES, Caller
from service.refusals import Refused
from tests.service.games.bots.test_ratings import begun, bot
from tests.service.support.timing import table_at


def ask(desk: Desk, account: str, key: str | None = None, **more: Any) -> list[str]:
    """Open games in bulk; return their ids."""
    body = {"board": "usa", "variants": (), "games": 2, **more}
    games: list[str] = bot_games.open_games(desk, account, BotGamesRequest(**body), key)["games"]
    return games


def code(desk: Desk, account: str, **more: Any) -> str:
    """The code with which opening these games is refused."""
    with pytest.raises(Refusal) as refusal:
        ask(desk, account, **more)
    return refusal.value.code


def open_to_all(desk: Desk, name: str) -> str:
    """Create a bot that others may challenge."""
    id = bot(desk, name)
    accounts.change(desk, Caller(id, "", frozenset(SCOPES)), {"challenges": True})
    return id


def test_games_begin_at_once(each_desk: Desk) -> None:
    """All games run at once, rated, with the same players, deadlines and own commitments."""
    owl, rook = bot(each_desk, "Owl"), open_to_all(each_desk, "Rook")
    games = [
        table_at(each_desk, game)
        for game in ask(each_desk, owl, opponents=("Rook",), bots={"easy": 1})
    ]

    assert 2 == len({table.commitment for table in games})
    for table in games:
        assert ("running", 1, 3) == (table.status, table.rated, table.seats)
        assert {owl, rook, None} == {seat.account for seat in table.seated}
        assert all(seat.deadline for seat in table.seated)
    assert house.play_next(each_desk)


def test_nobody_gives_a_title_to_the_games_of_others(desk: Desk) -> None:
    """A title is refused in games against other bots, and accepted against the house alone."""
    owl = bot(desk, "Owl")
    open_to_all(desk, "Rook")

    assert "unreadable" == code(desk, owl, title="Buy this", opponents=("Rook",))
    assert ask(desk, owl, title="Buy this", bots={"easy": 1})


def test_a_repeated_request_begins_nothing_more(each_desk: Desk) -> None:
    """The same key gives the same games, and is refused with another body."""
    owl = bot(each_desk, "Owl")

    assert ask(each_desk, owl, "k", bots={"easy": 1}) == ask(each_desk, owl, "k", bots={"easy": 1})
    with pytest.raises(Refusal) as refusal:
        ask(each_desk, owl, "k", bots={"hard": 1})
    assert "idempotency_mismatch" == refusal.value.code


def test_only_bots_ask(desk: Desk) -> None:
    """The account of a person is refused."""
    assert "forbidden" == code(desk, bot(desk, "Ada", "person"), bots={"easy": 1})


@pytest.mark.parametrize("opponents", [("Shy",), ("Ada",), ("Nobody",), ("Owl",), ("Rook", "Rook")])
def test_opponents_are_bots_that_let_themselves_be_challenged(
    desk: Desk, opponents: tuple[str, ...]
) -> None:
    """Bots that allow no challenges, people, unknown names, oneself and repeats are refused."""
    owl = open_to_all(desk, "Owl")
    open_to_all(desk, "Rook")
    bot(desk, "Shy")
    bot(desk, "Ada", "person")

    assert "unreadable" == code(desk, owl, opponents=opponents)


@pytest.mark.parametrize(
    ("at", "more"),
    [
        ("bots", {}),
        ("bots", {"bots": {"easy": 5}}),
        ("opponents", {"opponents": ("Rook",), "bots": {"easy": 4}}),
        ("board", {"board": "mars", "bots": {"easy": 1}}),
    ],
)
def test_a_table_that_cannot_be_is_refused(desk: Desk, at: str, more: dict[str, Any]) -> None:
    """The refusal of a wrong number of seats or an unknown board names the field."""
    with pytest.raises(Refused) as refusal:
        ask(desk, bot(desk, "Owl"), **more)

    assert "unreadable" == refusal.value.code
    assert [at] == [error["at"] for error in refusal.value.more["errors"]]


def few(desk: Desk, most: int) -> Desk:
    """The same desk with this limit of running rated games for each bot."""
    return desk._replace(settings=replace(desk.settings, bot_games=most))


def test_no_bot_has_too_many(each_desk: Desk) -> None:
    """The limit counts for challenger and challenged; a game that is over makes room."""
    desk = few(each_desk, 3)
    owl, crow, rook = bot(desk, "Owl"), bot(desk, "Crow"), open_to_all(desk, "Rook")
    (game,) = ask(desk, owl, games=1, opponents=("Rook",))
    ask(desk, rook, bots={"easy": 1})
    assert "too_many_open" == code(desk, owl, games=3, bots={"easy": 1})
    assert "too_many_open" == code(desk, crow, games=1, opponents=("Rook",))
    assert 3 == len(ask(desk, crow, games=3, bots={"easy": 1}))
    lobby.leave(desk, owl, game)
    lobby.leave(desk, rook, game)

    assert 1 == len(ask(desk, owl, games=1, opponents=("Rook",)))


def test_one_challenger_leaves_room_for_others(desk: Desk) -> None:
    """At most a quarter of the limit may be games with the same other bot."""
    desk = few(desk, 8)
    owl, crow = bot(desk, "Owl"), bot(desk, "Crow")
    open_to_all(desk, "Rook")
    assert "too_many_open" == code(desk, owl, games=3, opponents=("Rook",))
    ask(desk, owl, opponents=("Rook",))
    assert "too_many_open" == code(desk, owl, games=1, opponents=("Rook",))

    assert 2 == len(ask(desk, crow, opponents=("Rook",)))


def test_tables_lead_past_no_limit(each_desk: Desk) -> None:
    """The limit also counts for rated games that start at a table, for every bot there."""
    desk = few(each_desk, 1)
    owl, crow, ada = bot(desk, "Owl"), bot(desk, "Crow"), bot(desk, "Ada", "person")
    begun(desk, owl, easy=1)
    for players, easy in (((owl,), 1), ((owl, crow), 0), ((crow, owl), 0)):
        with pytest.raises(Refusal) as refusal:
            begun(desk, *players, easy=easy)
        assert "too_many_open" == refusal.value.code

    assert "running" == table_at(desk, begun(desk, owl, ada, rated=False)).status
    assert "running" == table_at(desk, begun(desk, crow, easy=1)).status
