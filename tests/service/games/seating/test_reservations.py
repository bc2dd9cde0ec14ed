"""Reserved seats: who gets one, who waits, who is refused, and when a reservation ends."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitation_letters, invitations
from service.games.seating import reservations
from store import tables, timestamps
from store.games import games
from store.people import accounts
from tests.service.support.newcomers import rows
from tests.service.support.tables import owed, player

EMAIL = "dan@example.org"


def _opened(desk: Desk, seats: int = 2, **more: Any) -> tuple[str, str]:
    """A public table, and the account that has opened it."""
    ada = player(desk, "Ada")
    new = lobby.NewGame("usa", (), seats, visibility="public", **more)
    return str(lobby.open_game(desk, ada, new, None)["id"]), ada


def _payload(id: str) -> dict[str, str]:
    return {"invitation": id, "until": "9999-01-01T00:00:00.000Z"}


def _later(desk: Desk, by: timedelta) -> Desk:
    moment = timestamps.later(desk.now(), by)
    return desk._replace(now=lambda: moment)


def _refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def _status(desk: Desk, game: str) -> str:
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    return table.status


def test_a_stranger_cannot_take_a_reserved_seat(each_desk: Desk) -> None:
    """A stranger is refused with `seat_reserved`, and the guest gets the seat."""
    desk = each_desk
    game, ada = _opened(desk)
    ben, eve = player(desk, "Ben"), player(desk, "Eve")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    with pytest.raises(Refusal) as refusal:
        lobby.join(desk, eve, game, "", None)

    assert "seat_reserved" == refusal.value.code
    assert made["reserved_until"] == getattr(refusal.value, "more", {})["until"]
    assert "running" == lobby.join(desk, ben, game, "", None)["status"]


def test_a_free_seat_that_nobody_keeps_can_be_taken(desk: Desk) -> None:
    """One reservation leaves the other free seat to a stranger, and only that one."""
    game, ada = _opened(desk, 4)
    player(desk, "Ben")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    for name in ("Eve", "Fay"):
        lobby.join(desk, player(desk, name), game, "", None)
    gil = player(desk, "Gil")

    assert "seat_reserved" == _refused(lambda: lobby.join(desk, gil, game, "", None))


def test_more_guests_than_seats_wait(desk: Desk) -> None:
    """The guest for whom no seat is left waits, and gets the seat of one who declines."""
    game, ada = _opened(desk)
    ben, cem = player(desk, "Ben"), player(desk, "Cem")
    first = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    second = invitations.invite(desk, ada, game, {"name": "Cem"}, None)
    assert (True, False) == (first["reserved_until"] is not None, first["waits"])
    assert (None, True) == (second["reserved_until"], second["waits"])
    assert "seat_reserved" == _refused(lambda: lobby.join(desk, cem, game, "", None))

    invitations.decline(desk, _payload(first["id"]), never=False)
    _, after = invitations.listed(desk, ada, game)
    assert (True, False) == (after["reserved_until"] is not None, after["waits"])
    letters = [account for _, account, _ in owed(desk, "invited")]
    assert [ben, cem, cem] == sorted(letters, key=[ben, cem].index)
    assert "running" == lobby.join(desk, cem, game, "", None)["status"]


@pytest.mark.parametrize("way", ["withdraw", "leave", "tidy"])
def test_a_freed_seat_goes_to_who_waits(desk: Desk, way: str) -> None:
    """A seat that is freed by withdrawing, leaving or expiry is reserved for who waits."""
    game, ada = _opened(desk, 3)
    ben = player(desk, "Ben")
    lobby.join(desk, ben, game, "", None)
    player(desk, "Cem"), player(desk, "Dan")
    first = invitations.invite(desk, ada, game, {"name": "Cem"}, None)
    invitations.invite(desk, ada, game, {"name": "Dan"}, None)
    if way == "withdraw":
        invitations.withdraw(desk, ada, game, first["id"])
    elif way == "leave":
        lobby.leave(desk, ben, game)
    else:
        desk = _later(desk, reservations.FOR_SLOW_GAMES)
        reservations.tidy(desk)

    assert not invitations.listed(desk, ada, game)[1]["waits"]
    assert invitations.listed(desk, ada, game)[1]["reserved_until"] is not None


@pytest.mark.parametrize(("pace", "days"), [("days", 7), ("none", 7), ("live", 1 / 12)])
def test_a_reservation_ends_at_its_time(desk: Desk, pace: str, days: float) -> None:
    """A seat is kept for 7 days, or for 2 hours in a live game, and not a moment longer."""
    game, ada = _opened(desk, pace=pace)
    player(desk, "Ben")
    eve = player(desk, "Eve")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    until = timestamps.later(made["at"], timedelta(days=days))
    assert until == made["reserved_until"]
    before = desk._replace(now=lambda: timestamps.later(until, -timedelta(milliseconds=1)))
    assert "seat_reserved" == _refused(lambda: lobby.join(before, eve, game, "", None))

    at_the_end = desk._replace(now=lambda: until)
    assert "running" == lobby.join(at_the_end, eve, game, "", None)["status"]


def test_the_end_of_a_reservation_starts_no_game(desk: Desk) -> None:
    """When reservations end the table stays open; a guest who comes late still finds the seat."""
    game, ada = _opened(desk)
    ben = player(desk, "Ben")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    late = _later(desk, reservations.FOR_SLOW_GAMES)
    reservations.tidy(late)
    assert "open" == _status(desk, game)
    assert invitations.listed(late, ada, game)[0]["reserved_until"] is None

    assert "seated" == invitations.accept(late, _payload(made["id"]), ben)["stands"]
    assert "running" == _status(desk, game)


def test_who_has_left_keeps_no_seat(desk: Desk) -> None:
    """A guest who has taken the seat and left it again has no reservation any more."""
    game, ada = _opened(desk, 3)
    ben = player(desk, "Ben")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    lobby.join(desk, ben, game, "", None)
    lobby.leave(desk, ben, game)

    assert invitations.listed(desk, ada, game)[0]["reserved_until"] is None


def test_an_invited_address_uses_its_reservation(desk: Desk) -> None:
    """The owner of an invited address who joins by themselves does not leave a reservation."""
    game, ada = _opened(desk, 3)
    dan, eve = player(desk, "Dan"), player(desk, "Eve")
    with desk.database.writing() as tx:
        accounts.change(tx, dan, {"email": EMAIL, "email_confirmed": desk.now()})
    invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    lobby.join(desk, dan, game, "", None)

    assert "accepted" == invitations.listed(desk, ada, game)[0]["state"]
    assert "running" == lobby.join(desk, eve, game, "", None)["status"]


def test_a_waiting_newcomer_gets_no_account(desk: Desk) -> None:
    """Who waits for a seat is told so when accepting, and no account is created."""
    game, ada = _opened(desk)
    player(desk, "Ben")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    made = invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    page = invitations.accept_as_new(desk, _payload(made["id"]), "Dan")

    assert ("reserved", True) == (page["stands"], "reserved" in page["problem"])
    assert [("Ada",), ("Ben",)] == sorted(rows(desk, tables.accounts, "name"))


def test_a_letter_says_until_when(desk: Desk) -> None:
    """The letter has the end of the reservation, or says that the guest waits."""
    game, ada = _opened(desk)
    made = [
        invitations.invite(desk, ada, game, {"email": email}, None)
        for email in (EMAIL, "eve@example.org")
    ]
    first, second = (invitation_letters.letter(desk, invitation["id"]) for invitation in made)
    assert first is not None
    assert second is not None
    assert (made[0]["reserved_until"], False) == (first.reserved_until, first.waits)
    assert (None, True) == (second.reserved_until, second.waits)


@pytest.mark.parametrize("visibility", [None, "public", "unlisted"])
def test_inviting_makes_a_table_private_unless_chosen(desk: Desk, visibility: str | None) -> None:
    """The first invitation makes a table private, unless its visibility was chosen."""
    ada = player(desk, "Ada")
    player(desk, "Ben")
    new = lobby.NewGame("usa", (), 3, visibility=visibility)
    game = str(lobby.open_game(desk, ada, new, None)["id"])
    assert [(visibility or "public",)] == rows(desk, tables.games, "visibility")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)

    assert [(visibility or "private",)] == rows(desk, tables.games, "visibility")


def test_a_withdrawn_invitation_cannot_be_accepted(desk: Desk) -> None:
    """An invitation that is withdrawn while its page is open gives no seat, and stays closed."""
    game, ada = _opened(desk)
    ben = player(desk, "Ben")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    take_seat = lobby.take_seat

    def withdrawn_first(*args: Any) -> dict[str, Any]:
        invitations.withdraw(desk, ada, game, made["id"])
        return take_seat(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby, "take_seat", withdrawn_first)
        page = invitations.accept(desk, _payload(made["id"]), ben)
    assert "withdrawn" == page["stands"]
    assert "withdrawn" == invitations.listed(desk, ada, game)[0]["state"]
    assert "open" == _status(desk, game)


def test_two_guests_of_the_last_seat(each_desk: Desk) -> None:
    """Of two accounts that come for the last seat at once, the one with the reservation sits."""
    desk = each_desk
    game, ada = _opened(desk)
    ben, eve = player(desk, "Ben"), player(desk, "Eve")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)

    def stranger() -> str:
        try:
            return str(lobby.join(desk, eve, game, "", None)["status"])
        except Refusal as refusal:
            return refusal.code

    def guest() -> str:
        return str(invitations.accept(desk, _payload(made["id"]), ben)["stands"])

    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(stranger), pool.submit(guest)]
    assert results[0].result() in ("seat_reserved", "already_started", "not_found")
    assert "seated" == results[1].result()
    assert "running" == _status(desk, game)


def test_withdrawing_while_accepting(each_desk: Desk) -> None:
    """Withdrawing and accepting at once give one consistent result, whichever comes first."""
    desk = each_desk
    game, ada = _opened(desk)
    ben = player(desk, "Ben")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    with ThreadPoolExecutor(2) as pool:
        accepted = pool.submit(invitations.accept, desk, _payload(made["id"]), ben)
        pool.submit(invitations.withdraw, desk, ada, game, made["id"]).exception()
    (invitation,) = invitations.listed(desk, ada, game)
    seated = accepted.result()["stands"] == "seated"

    assert invitation["state"] == ("accepted" if seated else "withdrawn")
    assert _status(desk, game) == ("running" if seated else "open")


def test_bots_leave_reserved_seats_alone(desk: Desk) -> None:
    """The host fills a free seat with a bot, but not one that is reserved."""
    game, ada = _opened(desk, 3)
    ben = player(desk, "Ben")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    assert "open" == lobby.fill_with_bot(desk, ada, game, "easy")["status"]
    assert "seat_reserved" == _refused(lambda: lobby.fill_with_bot(desk, ada, game, "easy"))

    lobby.join(desk, ben, game, "", None)
    assert "running" == _status(desk, game)


def test_only_the_host_fills_seats(desk: Desk) -> None:
    """Another player at the table cannot add a bot, and a bot in the last seat starts the game."""
    game, ada = _opened(desk, 3)
    ben = player(desk, "Ben")
    lobby.join(desk, ben, game, "", None)
    assert "forbidden" == _refused(lambda: lobby.fill_with_bot(desk, ben, game, "easy"))
    assert "unreadable" == _refused(lambda: lobby.fill_with_bot(desk, ada, game, "mighty"))
    assert "running" == lobby.fill_with_bot(desk, ada, game, "hard")["status"]
