"""Ratings: which games count, for whom, and that each counts once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select, update

from bots.player import HOUSE
from engine.rules.turns import GameEnded
from engine.values import Result
from service import account_deletion
from service.desk import Desk
from service.games import lobby
from service.games.bots import ratings
from service.people import accounts
from service.people.tokens import SCOPES, Caller
from service.refusals import Refused
from store.games import games
from store.tables import ratings as ratings_table
from store.tables import seats
from tests.service.games.test_lobby import finish
from tests.service.support.tables import let_house_play
from tests.service.support.timing import table_at


def bot(desk: Desk, name: str, kind: str = "bot") -> str:
    """Create an account, by default of a bot; return its id."""
    id: str = accounts.create(desk, {"name": name, "kind": kind}, None)["account"]["id"]
    return id


def begun(desk: Desk, *players: str, pace: str = "live", rated: bool = True, **bots: int) -> str:
    """Start a game of these accounts and house bots, by default rated; return its id."""
    seats = len(players) + sum(bots.values())
    new_game = lobby.NewGame("usa", (), seats, pace, bots=bots, rated=rated)
    game: str = lobby.open_game(desk, players[0], new_game, None)["id"]
    for player in players[1:]:
        lobby.join(desk, player, game, "", None)
    return game


def over(desk: Desk, game: str, *ranks: int) -> None:
    """End a game with these ranks, by seat."""
    results = tuple(Result(seat, (), 0, (), (), 0, rank) for seat, rank in enumerate(ranks))
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
    with desk.database.writing() as tx:
        table = games.lock(tx, game)
        assert table is not None
        ratings.settle(tx, table, GameEnded("last_round", winners, results))


def seated(desk: Desk, game: str) -> list[str]:
    """The account or the house bot's strength at each seat."""
    return [str(seat.account or seat.house) for seat in table_at(desk, game).seated]


def ladder(desk: Desk, board: str | None = None) -> list[dict[str, Any]]:
    """The whole ladder."""
    return ratings.ladder(desk, board, None, 100)[1]


@pytest.mark.parametrize("rated", [True, False])
def test_only_games_that_were_opened_as_rated_count(desk: Desk, *, rated: bool) -> None:
    """Only a game that was opened as rated puts players on the ladder."""
    game = begun(desk, bot(desk, "Owl"), rated=rated, easy=2, hard=1)
    assert rated is bool(table_at(desk, game).rated)
    over(desk, game, 1, 2, 3, 4)

    assert rated is bool(ladder(desk))


def test_a_game_that_is_opened_alone_is_not_rated(desk: Desk) -> None:
    """A game is not rated by default."""
    made = lobby.open_game(desk, bot(desk, "Owl"), lobby.NewGame("usa", (), 2, "live"), None)

    assert made["rated"] is False


@pytest.mark.parametrize(("kind", "pace"), [("person", "live"), ("bot", "none")])
def test_what_cannot_be_rated_is_refused(desk: Desk, kind: str, pace: str) -> None:
    """A rated game with a person, or without a clock, is refused."""
    owl = bot(desk, "Owl", kind)
    with pytest.raises(Refused) as refusal:
        begun(desk, owl, pace=pace, easy=1)

    assert ("unreadable", "rated") == (
        refusal.value.code,
        refusal.value.more["errors"][0]["at"],
    )


def test_only_bots_sit_down_at_a_rated_table(each_desk: Desk) -> None:
    """A person cannot join a rated table, and a bot still can."""
    owl, ada = bot(each_desk, "Owl"), bot(each_desk, "Ada", "person")
    new_game = lobby.NewGame("usa", (), 2, "live", rated=True)
    game = lobby.open_game(each_desk, owl, new_game, None)["id"]
    with pytest.raises(Refused) as refusal:
        lobby.join(each_desk, ada, game, "", None)
    assert "forbidden" == refusal.value.code

    assert lobby.join(each_desk, bot(each_desk, "Rook"), game, "", None)["rated"]


def test_games_do_not_move_the_house(each_desk: Desk) -> None:
    """The rating of a house bot stays the same, however often it wins."""
    medium = begun(each_desk, bot(each_desk, "Rook"), medium=1)
    over(each_desk, medium, 1, 2)
    weak = bot(each_desk, "Weak")
    for _ in range(10):
        game = begun(each_desk, weak, easy=1)
        over(each_desk, game, *[1 if who == "easy" else 2 for who in seated(each_desk, game)])
    by_house = {entry["house"]: entry for entry in ladder(each_desk, "usa")}

    assert (1110, 25, 10, 10) == tuple(
        by_house["easy"][name] for name in ("rating", "deviation", "games", "wins")
    )
    assert 1500 == by_house["medium"]["rating"]
    assert by_house[None]["rating"] != 1500


def test_a_house_bot_that_is_not_measured_counts_like_a_newcomer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands where every bot begins, with a great deviation, and stays there."""
    monkeypatch.setitem(HOUSE, "brutal", HOUSE["easy"])
    monkeypatch.setattr(lobby, "STRENGTHS", tuple(HOUSE))
    game = begun(desk, bot(desk, "Owl"), brutal=1)
    over(desk, game, *[1 if who == "brutal" else 2 for who in seated(desk, game)])
    by_house = {entry["house"]: entry for entry in ladder(desk, "usa")}

    assert (1500, 250, 1) == tuple(
        by_house["brutal"][name] for name in ("rating", "deviation", "games")
    )
    assert by_house[None]["rating"] < 1500


def test_a_game_that_ends_is_weighed(each_desk: Desk) -> None:
    """A game that ends counts once for bot and house, on its board and overall."""
    owl = bot(each_desk, "Owl")
    game = begun(each_desk, owl, easy=1)
    let_house_play(each_desk, game)
    finish(each_desk, game, owl)
    assert "finished" == table_at(each_desk, game).status

    assert {"Owl", "House (easy)"} == {entry["name"] for entry in ladder(each_desk)}
    assert {"Owl", "House (easy)"} == {entry["name"] for entry in ladder(each_desk, "usa")}
    assert [] == ladder(each_desk, "europe")
    assert [1, 1] == [entry["games"] for entry in ladder(each_desk)]
    assert 1 == sum(entry["wins"] for entry in ladder(each_desk))


def test_whoever_wins_stands_higher(desk: Desk) -> None:
    """A better rank gives a higher rating, and games reduce the deviation."""
    owl = bot(desk, "Owl")
    games = [begun(desk, owl, easy=1, hard=1) for _ in range(5)]
    places = {"hard": 1, owl: 2, "easy": 3}
    for game in games:
        over(desk, game, *[places[who] for who in seated(desk, game)])
    bots = ladder(desk)

    assert ["House (hard)", "Owl", "House (easy)"] == [entry["name"] for entry in bots]
    assert ["hard", None, "easy"] == [entry["house"] for entry in bots]
    assert [5, 0, 0] == [entry["wins"] for entry in bots]
    assert bots[0]["rating"] > 1600 > bots[1]["rating"] > 1400 > bots[2]["rating"]
    assert all(entry["deviation"] < 245 for entry in bots)


def test_a_shared_victory_changes_little(desk: Desk) -> None:
    """After a shared victory two equal players keep their ratings, and both have won."""
    game = begun(desk, bot(desk, "Owl"), medium=1)
    over(desk, game, 1, 1)

    assert [(1500, 1), (1500, 1)] == [(entry["rating"], entry["wins"]) for entry in ladder(desk)]


@pytest.mark.parametrize("best", [0, 1])
def test_a_house_bot_at_two_seats_counts_once(desk: Desk, best: int) -> None:
    """A house bot at two seats counts once, by its better rank."""
    owl = bot(desk, "Owl")
    game = begun(desk, owl, easy=2)
    who = seated(desk, game)
    ranks = [2 if player == owl else 3 for player in who]
    ranks[[seat for seat, player in enumerate(who) if player == "easy"][best]] = 1
    over(desk, game, *ranks)

    assert [("House (easy)", 1), ("Owl", 0)] == [
        (player["name"], player["wins"]) for player in ladder(desk)
    ]


def test_who_resigns_has_lost(each_desk: Desk) -> None:
    """A bot that resigns against the house loses rating, and nobody has won."""
    owl = bot(each_desk, "Owl")
    game = begun(each_desk, owl, medium=1)
    lobby.leave(each_desk, owl, game)

    assert "abandoned" == table_at(each_desk, game).status
    bots = ladder(each_desk)
    assert [("House (medium)", 0), ("Owl", 0)] == [(entry["name"], entry["wins"]) for entry in bots]
    assert 1500 == bots[0]["rating"] > bots[1]["rating"]


def test_a_game_that_everybody_leaves_says_nothing(desk: Desk) -> None:
    """A game that all its bots leave is not rated; otherwise two accounts could take turns."""
    owl, rook = bot(desk, "Owl"), bot(desk, "Rook")
    game = begun(desk, owl, rook)
    lobby.leave(desk, owl, game)
    lobby.leave(desk._replace(now=lambda: "2999-01-01T00:00:00.000Z"), rook, game)

    assert "abandoned" == table_at(desk, game).status
    assert [] == ladder(desk)


def test_all_who_resign_share_the_last_place(desk: Desk) -> None:
    """Bots that resign get the same rating, below the house, whoever leaves first."""
    owl, rook = bot(desk, "Owl"), bot(desk, "Rook")
    game = begun(desk, owl, rook, medium=1)
    lobby.leave(desk, owl, game)
    lobby.leave(desk._replace(now=lambda: "2999-01-01T00:00:00.000Z"), rook, game)
    ratings_by_name = {entry["name"]: entry["rating"] for entry in ladder(desk)}

    assert (
        1500
        == ratings_by_name["House (medium)"]
        > ratings_by_name["Owl"]
        == ratings_by_name["Rook"]
    )


def missing(desk: Desk, game: str, account: str) -> None:
    """Store that an account has missed three deadlines in a row."""
    with desk.database.writing() as tx:
        here = seats.c.game == game, seats.c.account == account
        tx.execute(update(seats).where(*here).values(missed=3))


def test_nobody_is_rated_for_what_a_caretaker_has_played(desk: Desk) -> None:
    """A bot that is away at the end is last even if its seat has won, and nobody has won."""
    owl, rook = bot(desk, "Owl"), bot(desk, "Rook")
    game = begun(desk, owl, rook)
    missing(desk, game, owl)
    over(desk, game, *[1 if who == owl else 2 for who in seated(desk, game)])

    assert [("Rook", 0), ("Owl", 0)] == [(entry["name"], entry["wins"]) for entry in ladder(desk)]


def test_games_that_end_together_all_count(each_desk: Desk) -> None:
    """Six games of the same players that end concurrently all count."""
    owl = bot(each_desk, "Owl")
    games = [begun(each_desk, owl, easy=1, hard=1) for _ in range(6)]
    with ThreadPoolExecutor(6) as crew:
        list(crew.map(lambda game: over(each_desk, game, 1, 2, 3), games))

    assert [6, 6, 6] == [entry["games"] for entry in ladder(each_desk)]


def test_a_deleted_bot_leaves_the_ladder(each_desk: Desk) -> None:
    """Deleting a bot's account deletes its ratings, but not those of the house."""
    owl = bot(each_desk, "Owl")
    over(each_desk, begun(each_desk, owl, easy=1), 1, 2)
    account_deletion.delete(each_desk, Caller(owl, "", frozenset(SCOPES)))

    assert ["House (easy)"] == [entry["name"] for entry in ladder(each_desk)]
    with each_desk.database.reading() as tx:
        assert {"easy"} == set(tx.scalars(select(ratings_table.c.player)))


def test_the_ladder_is_read_in_parts(each_desk: Desk) -> None:
    """The ladder read in parts lists every player once, in order."""
    owls = [bot(each_desk, f"Owl {number}") for number in range(5)]
    for owl in owls:
        over(each_desk, begun(each_desk, owl, easy=1), 1, 1)
    names, after = [], None
    while part := ratings.ladder(each_desk, None, after, 2)[0]:
        names += part
        after = part[-1]

    assert 6 == len(set(names)) == len(names)
    assert sorted(names, reverse=True) == names
