from contextlib import suppress
from dataclasses import replace

import pytest

from engine import GameOver, Refusal, commitment
from service import account_deletion
from service.desk import Desk
from service.games import lobby, reading, table_lookup
from service.games.log_files import checked
from service.people.tokens import Caller
from store.games import game_lists
from tests.service.support.tables import keep_tickets, let_house_play, owed, play, player, table
from tests.service.support.threads import at_once


def test_a_game_begins_with_its_last_seat(each_desk: Desk) -> None:
    """With the last seat the game starts, and all players are awaited and notified."""
    ada, ben = player(each_desk, "Ada"), player(each_desk, "Ben")
    opened = lobby.open_game(each_desk, ada, lobby.NewGame("usa", (), 2), None)
    assert ("open", 0, None) == (opened["status"], opened["version"], opened["started"])
    assert [] == owed(each_desk)

    joined = lobby.join(each_desk, ben, opened["id"], "", None)

    assert "running" == joined["status"]
    assert [0, 1] == [seat["seat"] for seat in joined["awaited"]]
    kinds = [(kind, account) for kind, account, _ in owed(each_desk)]
    expected = [(kind, seat) for kind in ("decision_opened", "game_started") for seat in (ada, ben)]
    assert sorted(expected) == sorted(kinds)


def test_the_seed_is_committed_to_before_anybody_joins(desk: Desk) -> None:
    """The commitment of the open game is that of the seed it is played with."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    opened = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)
    lobby.join(desk, ben, opened["id"], "a nonce", None)
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, opened["id"], ada)

    assert opened["commitment"] == commitment(table.seed)
    assert 32 == len(table.seed)


def test_everybody_sits_where_the_lot_put_them(desk: Desk) -> None:
    """R-DIG-1: over many games each player sometimes gets the first seat."""
    first = set()
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    for _ in range(20):
        opened = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)
        first.add(lobby.join(desk, ben, opened["id"], "", None)["me"])

    assert {0, 1} == first


def test_only_one_takes_the_last_seat(each_desk: Desk) -> None:
    """Of seven concurrent requests for the last seat one succeeds, and the others are refused."""
    ada = player(each_desk, "Ada")
    others = [player(each_desk, f"Player {n}") for n in "bcdefgh"]
    game = lobby.open_game(each_desk, ada, lobby.NewGame("usa", (), 2), None)["id"]

    def sit(n: int) -> str:
        try:
            return str(lobby.join(each_desk, others[n], game, "", None)["status"])
        except Refusal as refusal:
            return refusal.code

    assert ["already_started"] * 6 + ["running"] == sorted(at_once(7, sit))


def test_nobody_sits_twice(desk: Desk) -> None:
    """An account with a seat at a table cannot take another seat there."""
    ada = player(desk, "Ada")
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3), None)["id"]
    with pytest.raises(Refusal) as refusal:
        lobby.join(desk, ada, game, "", None)

    assert "seat_taken" == refusal.value.code


@pytest.mark.parametrize(
    ("new_game", "place"),
    [
        (lobby.NewGame("mars", (), 2), "board"),
        (lobby.NewGame("usa", ("nothing",), 2), "variants"),
        (lobby.NewGame("uk", (), 5), "seats"),
        (lobby.NewGame("usa", (), 2, pace="never"), "pace"),
        (lobby.NewGame("usa", (), 2, visibility="secret"), "visibility"),
        (lobby.NewGame("usa", (), 2, bots={"easy": 2}), "bots"),
        (lobby.NewGame("usa", (), 2, bots={"cruel": 1}), "bots"),
        (lobby.NewGame("usa", (), 2, title="\u202eevil"), "title"),
        (lobby.NewGame("usa", (), 2, nonce=" x"), "nonce"),
    ],
    ids=repr,
)
def test_a_game_that_cannot_be_is_refused(desk: Desk, new_game: lobby.NewGame, place: str) -> None:
    """The refusal names the wrong field, and no game is stored."""
    ada = player(desk, "Ada")
    with pytest.raises(Refusal) as refusal:
        lobby.open_game(desk, ada, new_game, None)

    assert "unreadable" == refusal.value.code
    assert place in refusal.value.sentence
    assert [] == reading.listed(
        desk, game_lists.GameFilter(ada, mine=True, status=None, board=None, after=None, limit=10)
    )


def test_too_many_open_games_are_refused(desk: Desk) -> None:
    """An account may wait at no more open tables than `open_games` allows."""
    desk = desk._replace(settings=replace(desk.settings, open_games=2))
    ada = player(desk, "Ada")
    for _ in range(2):
        lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)
    with pytest.raises(Refusal) as refusal:
        lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)

    assert "too_many_open" == refusal.value.code


def test_leaving_before_the_start_frees_the_seat(desk: Desk) -> None:
    """A seat that was left can be taken again; a table without players is deleted."""
    ada, ben, cem = (player(desk, name) for name in ("Ada", "Ben", "Cem"))
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2, bots={}), None)["id"]
    lobby.leave(desk, ada, game)
    with pytest.raises(Refusal) as refusal:
        lobby.join(desk, ben, game, "", None)
    assert "not_found" == refusal.value.code

    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3), None)["id"]
    lobby.join(desk, ben, game, "", None)
    lobby.leave(desk, ada, game)
    lobby.join(desk, cem, game, "", None)

    assert "running" == lobby.join(desk, ada, game, "", None)["status"]


def test_the_house_plays_where_somebody_has_resigned(each_desk: Desk) -> None:
    """The house decides for a seat that has resigned, and the other player is notified."""
    game, (first, second) = table(each_desk, "Ada", "Ben")
    keep_tickets(each_desk, game, [first, second])
    lobby.leave(each_desk, first, game)
    assert [second] == [account for _, account, _ in owed(each_desk, "seat_resigned")]
    assert reading.decision(each_desk, game, second) is None

    let_house_play(each_desk, game)
    assert reading.decision(each_desk, game, second) is not None
    play(each_desk, game, second, "draw")
    play(each_desk, game, second, "draw")
    assert reading.decision(each_desk, game, second) is not None


def test_a_resigned_seat_can_do_nothing_more(desk: Desk) -> None:
    """A player who has resigned can neither move nor resign again, and has no decision."""
    game, (first, second) = table(desk, "Ada", "Ben")
    lobby.leave(desk, first, game)
    for act in (
        lambda: play(desk, game, first, "keep all"),
        lambda: lobby.leave(desk, first, game),
    ):
        with pytest.raises(Refusal) as refusal:
            act()
        assert "forbidden" == refusal.value.code
    assert reading.decision(desk, game, first) is None
    assert reading.decision(desk, game, second) is not None


def test_a_game_without_players_is_abandoned(each_desk: Desk) -> None:
    """When the last player resigns, the game is abandoned and nobody is awaited."""
    game, (first, second) = table(each_desk, "Ada", "Ben")
    lobby.leave(each_desk, first, game)
    lobby.leave(each_desk, second, game)
    with each_desk.database.reading() as tx:
        row = table_lookup.table_of(tx, game, first)
    assert "abandoned" == row.status
    assert [] == reading.summary(row)["awaited"]


def test_an_abandoned_game_reveals_its_seed(each_desk: Desk) -> None:
    """The log of an abandoned game can be checked, has the seed, and has no result."""
    game, (first, second) = table(each_desk, "Ada", "Ben")
    keep_tickets(each_desk, game, [first, second])
    lobby.leave(each_desk, first, game)
    with pytest.raises(Refusal) as refusal:
        reading.log(each_desk, game, first)
    assert "not_over" == refusal.value.code
    lobby.leave(each_desk, second, game)

    report = checked("\n".join(reading.log(each_desk, game, first)).encode())

    assert (True, None) == (report.log.abandoned, report.ended)
    assert 3 == len(report.log.moves)
    with each_desk.database.reading() as tx:
        assert table_lookup.table_of(tx, game, first).seed == report.log.seed


def test_a_game_that_never_began_reveals_nothing(desk: Desk) -> None:
    """An open table has no log, and is deleted when its last player leaves."""
    ada = player(desk, "Ada")
    game = lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"]
    codes = []
    for _ in range(2):
        with pytest.raises(Refusal) as refusal:
            reading.log(desk, game, ada)
        codes.append(refusal.value.code)
        with suppress(Refusal):
            lobby.leave(desk, ada, game)

    assert ["not_over", "not_found"] == codes


def test_nobody_resigns_from_a_finished_game(desk: Desk) -> None:
    """Leaving a finished game is refused."""
    game, players = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, players[0])
    with pytest.raises(GameOver):
        lobby.leave(desk, players[0], game)


def finish(desk: Desk, game: str, player: str) -> None:
    """Play the default until the game is over."""
    while (decision := reading.decision(desk, game, player)) is not None:
        play(desk, game, player, decision["default"]["text"])


def test_everybody_is_told_when_the_game_is_over(desk: Desk) -> None:
    """The account at the table gets a notice of the end."""
    game, players = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, players[0])

    assert [players[0]] == [account for _, account, _ in owed(desk, "game_finished")]


def test_a_deleted_account_leaves_its_seats_to_the_house(each_desk: Desk) -> None:
    """The seat of a deleted account has no account and no name, and the house plays it."""
    game, (first, second) = table(each_desk, "Ada", "Ben")
    account_deletion.delete(each_desk, Caller(first, "", frozenset({"manage"})))
    with each_desk.database.reading() as tx:
        row = table_lookup.table_of(tx, game, second)

    gone = row.seated[0]
    assert (None, None, "caretaker") == (gone.account, gone.name, gone.house)
    let_house_play(each_desk, game)
    with each_desk.database.reading() as tx:
        row = table_lookup.table_of(tx, game, second)
    assert [1] == [decision["seat"] for decision in reading.summary(row)["awaited"]]
