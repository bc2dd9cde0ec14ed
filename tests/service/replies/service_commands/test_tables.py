"""Commands about games: opening, joining, leaving, inviting and rematches."""

from typing import Any

import pytest

from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitations
from service.games.lobby import NewGame
from service.views import game_lists
from tests.service.support.office import Dead, Office, die_once
from tests.service.support.post import opened


def test_a_game_is_opened_and_joined(office: Office) -> None:
    """One player opens a table by mail, another joins it with its code, and it begins."""
    office.player("Ada", "ada@example.org")
    ben = office.player("Ben", "ben@example.org")
    office.write("open europe 2 daily")
    assert office.results()[0][1]
    [waiting] = game_lists.open_to(office.desk, ben, 5)
    assert ("europe", "daily", 2) == (waiting["board"], waiting["pace"], waiting["seats"])
    office.write("games", sender="ben@example.org")
    [listed] = office.answers()[-1]["lines"][0]["items"]
    assert f"join {waiting['id'][:8]}" in listed
    office.write(f"join {waiting['id'][:8].lower()}", sender="ben@example.org")
    assert office.results() == [("You have a seat at “Europe” (Europe), which begins now.", True)]


def test_a_rematch_invites_the_others(desk: Desk) -> None:
    """`rematch` opens a table like that of the last game, and invites who played there."""
    post = opened(desk)
    lobby.leave(post.desk, post.players[0], post.game)
    lobby.leave(post.desk, post.players[1], post.game)
    office = Office(post.desk)
    office.write("rematch", sender="seat0@example.org")
    [(sentence, ok)] = office.results()
    assert ok
    assert sentence.startswith("The rematch “USA” is open. Invited: ")
    own = game_lists.own_games(post.desk, post.players[0])
    [waiting] = invitations.listed(post.desk, post.players[0], own.waiting[0]["id"])
    assert waiting["name"] in sentence
    assert "open" == waiting["state"]


def _table(office: Office, host: str, seats: int = 3) -> str:
    id: str = lobby.open_game(office.desk, host, NewGame("usa", (), seats), None)["id"]
    return id


def _over(office: Office, *players: str) -> str:
    """A game of these players that was abandoned."""
    game = _table(office, players[0], len(players))
    for player in players[1:]:
        lobby.join(office.desk, player, game, "", None)
    for player in players:
        lobby.leave(office.desk, player, game)
    return game


@pytest.mark.parametrize(
    ("line", "answer", "tables"),
    [
        ("open europe 2", "Your table “Europe” (Europe) is open.", 3),
        ("join {bens}", "It begins when one more player has joined.", 2),
        ("invite {own} Ben", "Ben is invited.", 2),
        ("invite {own} cem@example.org", "cem@example.org is invited.", 2),
        ("leave {own} yes", "You have left the table “USA” (USA).", 1),
        ("digest daily", "You get one email a day", 2),
        ("absence 3 Jul", "You are away", 2),
    ],
)
def test_a_mail_that_is_read_again_is_answered_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch, line: str, answer: str, tables: int
) -> None:
    """A process dies before a mail is marked as received; the next one does nothing twice."""
    ada = office.player("Ada", "ada@example.org")
    ben = office.player("Ben", "ben@example.org")
    codes = {"own": _table(office, ada)[:8], "bens": _table(office, ben)[:8]}
    die_once(monkeypatch)
    mail = {"message_id": "<1@example.org>"}
    with pytest.raises(Dead):
        office.write(line.format(**codes), **mail)
    assert "answered" == office.write(line.format(**codes), **mail)
    [(sentence, ok)] = office.results()
    assert ok
    assert answer in sentence
    assert tables == office.tables()
    assert 1 == len(office.answers())


def test_a_rematch_that_is_read_again_is_the_same(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second reading finds the table and the invitations of the first."""
    ada = office.player("Ada", "ada@example.org")
    _over(office, ada, office.player("Ben", "ben@example.org"))
    die_once(monkeypatch)
    with pytest.raises(Dead):
        office.write("rematch", message_id="<1@example.org>")
    office.write("rematch", message_id="<1@example.org>")
    assert [("The rematch “USA” is open. Invited: Ben.", True)] == office.results()
    assert 2 == office.tables()
    [new] = game_lists.own_games(office.desk, ada).waiting
    assert 1 == len(invitations.listed(office.desk, ada, new["id"]))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("leave", "Write “leave”, the code of the table, and “yes”."),
        ("leave yes", "Write “leave”, the code of the table, and “yes”."),
        ("leave {code}", "leave “USA” (USA), write “leave {code} yes”."),
        ("leave {code} now", "You have no such game"),
        ("leave nothing yes", "You have no such game"),
    ],
)
def test_leaving_needs_the_code_and_yes(office: Office, line: str, reason: str) -> None:
    """Without the code of the table, or without “yes”, nobody leaves."""
    ada = office.player("Ada", "ada@example.org")
    code = _table(office, ada)[:8]
    office.write(line.format(code=code))
    [(sentence, ok)] = office.results()
    assert not ok
    assert reason.format(code=code) in sentence
    assert 1 == office.tables()


def test_leaving_never_resigns(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose game begins at the same moment is not left, and nobody resigns."""
    ada = office.player("Ada", "ada@example.org")
    ben = office.player("Ben", "ben@example.org")
    game = _table(office, ada, 2)
    leave = lobby.leave

    def begin_first(*args: Any, **more: Any) -> None:
        lobby.join(office.desk, ben, game, "", None)
        leave(*args, **more)

    monkeypatch.setattr(lobby, "leave", begin_first)
    office.write(f"leave {game[:8]} yes")
    assert [("The game has begun, so you cannot leave the table.", False)] == office.results()
    [running] = game_lists.own_games(office.desk, ada).your_turn
    assert game == running["id"]


def test_the_players_still_missing_are_counted(office: Office) -> None:
    """A new player reads how many more it takes."""
    game = _table(office, office.player("Ada", "ada@example.org"), 4)
    office.player("Ben", "ben@example.org")
    office.player("Cem", "cem@example.org")
    for sender, rest in (("ben", "2 more players have joined."), ("cem", "one more player has")):
        office.write(f"join {game[:8]}", sender=f"{sender}@example.org")
        assert f"It begins when {rest}" in office.results()[0][0]
