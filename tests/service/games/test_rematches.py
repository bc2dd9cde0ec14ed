"""Rematches: the same people and bots at one new table, whoever asks first."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine import LogError, Refusal
from service.desk import Desk
from service.games import lobby, log_files, reading, rematches
from service.games.inviting import invitations
from store import tables
from store.games import games
from store.games.games import Table
from tests.service.support.newcomers import rows
from tests.service.support.tables import player, table


def _over(desk: Desk) -> tuple[str, list[str]]:
    """A game of three people and a bot that is over, because they have all left it."""
    people = [player(desk, name) for name in ("Ada", "Ben", "Cem")]
    new = lobby.NewGame("europe", ("dice",), 4, "week", "public", "Again", {"hard": 1})
    game = str(lobby.open_game(desk, people[0], new, None)["id"])
    for person in people[1:]:
        lobby.join(desk, person, game, "", None)
    for person in people:
        lobby.leave(desk, person, game)
    return game, people


def _table(desk: Desk, game: str) -> Table:
    with desk.database.reading() as tx:
        stored = games.table(tx, game)
    assert stored is not None
    return stored


def _refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def test_a_rematch_has_the_same_people_and_bots(each_desk: Desk) -> None:
    """Board, variants, pace and bots are the same, and a seat is reserved for each player."""
    desk = each_desk
    game, (ada, ben, cem) = _over(desk)
    opened = rematches.open_rematch(desk, ada, game, None)
    new = _table(desk, opened.game)

    assert (new.board, new.variants, new.seats) == ("europe", ("dice",), 4)
    assert (new.pace, new.visibility, new.title) == ("week", "public", "Again")
    assert [None, "hard"] == [seat.house for seat in new.seated]
    assert ["Ben", "Cem"] == sorted(opened.invited)
    guests = invitations.listed(desk, ada, opened.game)
    assert all(guest["reserved_until"] for guest in guests)
    for person in (ben, cem):
        lobby.join(desk, person, opened.game, "", None)
    assert "running" == _table(desk, opened.game).status


def test_the_second_player_finds_the_table_of_the_first(desk: Desk) -> None:
    """Whoever asks later takes a seat at the rematch that is open, and asking twice is one seat."""
    game, (ada, ben, cem) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, None)
    for person in (ben, ben, ada, cem):
        again = rematches.open_rematch(desk, person, game, None)
        assert (first.game, False) == (again.game, again.is_new)

    assert "running" == _table(desk, first.game).status
    assert 2 == len(rows(desk, tables.games, "id"))


def test_two_players_at_once_open_one_table(each_desk: Desk) -> None:
    """Two players who ask at the same moment sit at the same table."""
    desk = each_desk
    game, (ada, ben, _) = _over(desk)
    with ThreadPoolExecutor(2) as pool:
        opened = list(
            pool.map(lambda who: rematches.open_rematch(desk, who, game, None), (ada, ben))
        )

    assert 1 == len({rematch.game for rematch in opened})
    assert {ada, ben} == {
        seat.account for seat in _table(desk, opened[0].game).seated if seat.account
    }


def test_a_repeated_request_invites_nobody_twice(desk: Desk) -> None:
    """The same request with the same key has the same answer."""
    game, (ada, _, _) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, "k" * 20)
    assert first == rematches.open_rematch(desk, ada, game, "k" * 20)
    assert 2 == len(rows(desk, tables.invitations, "id"))


def test_only_players_of_a_game_that_is_over_play_again(desk: Desk) -> None:
    """A running game has no rematch, and a stranger cannot open one."""
    game, _ = _over(desk)
    eve = player(desk, "Eve")
    assert "forbidden" == _refused(lambda: rematches.open_rematch(desk, eve, game, None))
    running, (fay, _) = table(desk, "Fay", "Gil")
    assert "not_over" == _refused(lambda: rematches.open_rematch(desk, fay, running, None))


def test_a_rematch_that_is_over_can_be_played_again(desk: Desk) -> None:
    """When the rematch has been deleted or is over, another one can be opened."""
    game, (ada, _, _) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, None)
    lobby.leave(desk, ada, first.game)
    second = rematches.open_rematch(desk, ada, game, None)
    assert (True, True) == (second.is_new, second.game != first.game)


def _order(desk: Desk, game: str) -> list[str]:
    return [str(seat.account or seat.house) for seat in _table(desk, game).seated]


def _next(desk: Desk, game: str) -> str:
    """A rematch that everybody joins, in another order; it begins at once and is left again."""
    people = [account for account in _order(desk, game) if account != "hard"]
    opened = rematches.open_rematch(desk, people[-1], game, None)
    for person in people[:-1]:
        rematches.open_rematch(desk, person, game, None)
    for person in people:
        lobby.leave(desk, person, opened.game)
    return opened.game


def test_seats_are_rotated(each_desk: Desk) -> None:
    """Everybody begins in turn: whoever was second begins, and whoever began comes last."""
    game, _ = _over(each_desk)
    order = _order(each_desk, game)
    for _ in range(4):
        game = _next(each_desk, game)
        order = [*order[1:], order[0]]
        assert order == _order(each_desk, game)


def test_a_substitute_takes_the_place_of_who_is_missing(desk: Desk) -> None:
    """If somebody else plays instead of an old player, all others keep the rotated order."""
    game, people = _over(desk)
    order = _order(desk, game)
    eve = player(desk, "Eve")
    opened = rematches.open_rematch(desk, people[0], game, None)
    for invitation in invitations.listed(desk, people[0], opened.game):
        invitations.withdraw(desk, people[0], opened.game, invitation["id"])
    lobby.join(desk, eve, opened.game, "", None)
    lobby.join(desk, people[1], opened.game, "", None)

    rotated = [*order[1:], order[0]]
    assert [eve if who == people[2] else who for who in rotated] == _order(desk, opened.game)


def test_the_log_of_a_rematch_says_that_no_lot_was_drawn(desk: Desk) -> None:
    """Its first line says that the seats were kept, and the log can be checked like any other."""
    first, _ = _over(desk)
    second = _next(desk, first)
    lines = reading.log(desk, second, _table(desk, second).seated[0].account)
    opening, dealt = json.loads(lines[0]), json.loads(lines[1])
    assert "kept" == opening["seating"]
    assert [0, 1, 2, 3] == dealt["events"][0]["seating"]
    assert log_files.checked("\n".join(lines).encode()).log.opening.keeps_seats
    by_lot = reading.log(desk, first, _table(desk, first).seated[0].account)
    assert "seating" not in json.loads(by_lot[0])


def test_a_log_that_claims_to_have_kept_its_seats_is_found_out(desk: Desk) -> None:
    """Adding or removing the word breaks the check of the log."""
    first, _ = _over(desk)
    lines = reading.log(desk, _next(desk, first), None)
    opening = json.loads(lines[0])
    del opening["seating"]
    with pytest.raises(LogError):
        log_files.checked("\n".join([json.dumps(opening), *lines[1:]]).encode())
    opening["seating"] = "bought"
    with pytest.raises(LogError):
        log_files.checked("\n".join([json.dumps(opening), *lines[1:]]).encode())


def test_nonces_follow_the_places_of_a_rematch(desk: Desk) -> None:
    """The nonces of a rematch are in the order of its seats, so that players find their own."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    lobby.join(desk, ben, game, "", None)
    for person in (ada, ben):
        lobby.leave(desk, person, game)
    first, second = _order(desk, game)
    opened = rematches.open_rematch(desk, first, game, None)
    lobby.join(desk, second, opened.game, "of the second", None)
    for person in (ada, ben):
        lobby.leave(desk, person, opened.game)
    dealt = json.loads(reading.log(desk, opened.game, first)[1])
    assert ["of the second", ""] == dealt["nonces"]


def test_a_chosen_colour_stays(desk: Desk) -> None:
    """Players who have chosen a colour have it in the rematch, too, unless it is taken."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    new = lobby.NewGame("usa", (), 2, colour="pink")
    game = str(lobby.open_game(desk, ada, new, None)["id"])
    lobby.take_seat(desk, ben, game, lobby.NewSeat(colour="turquoise"), None)
    lobby.leave(desk, ada, game)
    lobby.leave(desk, ben, game)
    opened = rematches.open_rematch(desk, ben, game, None)
    rematches.open_rematch(desk, ada, game, None)
    colours = {seat.account: seat.colour for seat in _table(desk, opened.game).seated}
    assert {ada: "pink", ben: "turquoise"} == colours
