"""The recipients of letters, and whether a letter is still current."""

import pytest

from service.desk import Desk
from service.games import lobby, seat_names, talk
from service.games.inviting import invitations
from service.notify import recipients
from service.notify.recipients import TableMessage
from service.people import opt_outs
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import change, reachable
from tests.service.support.tables import keep_tickets, play, player, table
from tests.service.support.timing import by_hand, seat_at, table_at
from tests.workers.correspondence import delivery

EMAIL = "dan@example.org"


def _address(desk: Desk, account: str, kind: str, **data: str) -> str | None:
    """The address to which a letter goes."""
    reader = recipients.reader_for(desk, delivery(account, kind, data=data))
    return reader.email if reader else None


@pytest.fixture
def opened(desk: Desk) -> tuple[str, str]:
    """A table that waits for players, and its host."""
    host = reachable(desk, "Host")
    return str(lobby.open_game(desk, host, lobby.NewGame("usa", (), 3), None)["id"]), host


def test_a_letter_goes_to_its_account(desk: Desk) -> None:
    """A letter goes to the account's address, with its name, time zone and language."""
    ada = reachable(desk)
    change(desk, ada, time_zone="Europe/Paris", locale="fr")
    reader = recipients.reader_for(desk, delivery(ada, "game_finished"))

    assert reader is not None
    assert (ada, "Ada", "ada@example.org", "Europe/Paris", "fr") == reader[:5]
    assert (False, None) == (reader.stranger, reader.invitation)


def test_nobody_is_written_to_who_cannot_be_reached(desk: Desk) -> None:
    """An unknown or bounced address gets no letter, except that a sign-in letter is tried."""
    ada = reachable(desk)
    change(desk, ada, bounced=desk.now())

    assert _address(desk, "nobody", "game_finished") is None
    assert _address(desk, ada, "game_finished") is None
    assert "ada@example.org" == _address(desk, ada, "sign_in")


def test_letters_about_addresses_go_to_those_addresses(desk: Desk) -> None:
    """Only letters about an address go to one that is unconfirmed or was replaced."""
    ada = newcomer(desk, email=EMAIL).account

    assert EMAIL == _address(desk, ada, "confirm_address")
    assert "old@example.org" == _address(desk, ada, "address_replaced", email="old@example.org")
    assert _address(desk, ada, "address_replaced") is None
    assert _address(desk, ada, "game_finished") is None


def test_an_opt_out_stops_a_letter_that_waits(desk: Desk) -> None:
    """An opt-out counts for letters that wait already."""
    ada = newcomer(desk, email=EMAIL).account
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)

    assert _address(desk, ada, "confirm_address") is None


def test_an_invitation_goes_to_the_guest(desk: Desk, opened: tuple[str, str]) -> None:
    """An invitation goes to the guest's address or account, and names the host."""
    game, host = opened
    reachable(desk, "Ben")
    stranger, ben = (
        recipients.reader_for(desk, delivery(host, "invited", data={"invitation": made["id"]}))
        for made in (
            invitations.invite(desk, host, game, guest, None)
            for guest in ({"email": EMAIL}, {"name": "Ben"})
        )
    )

    assert stranger is not None
    assert (host, "", EMAIL, True) == (
        stranger.account,
        stranger.name,
        stranger.email,
        stranger.stranger,
    )
    assert ben is not None
    assert ("Ben", "ben@example.org", False) == (ben.name, ben.email, ben.stranger)
    assert ["Host", "Host"] == [
        reader.invitation.host for reader in (stranger, ben) if reader.invitation
    ]


def test_an_invitation_that_is_gone_goes_to_nobody(desk: Desk, opened: tuple[str, str]) -> None:
    """A withdrawn or missing invitation goes to no one."""
    game, host = opened
    id = invitations.invite(desk, host, game, {"email": EMAIL}, None)["id"]
    invitations.withdraw(desk, host, game, id)

    assert _address(desk, host, "invited", invitation=id) is None
    assert _address(desk, host, "invited") is None


def test_a_story_is_told_while_the_decision_is_open(desk: Desk) -> None:
    """Only the player of the seat gets a story, while the decision of this version is open."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    story = recipients.open_story(desk, game, ada, 0)
    assert story is not None
    assert story.decision is not None
    assert 0 == story.decision.version
    assert recipients.open_story(desk, game, ada, 1) is None
    assert recipients.open_story(desk, game, player(desk, "Eve"), 0) is None
    assert recipients.open_story(desk, "nowhere", ada, 0) is None

    play(desk, game, ada, "keep all")
    assert recipients.open_story(desk, game, ada, 0) is None


def test_only_unread_talk_is_told(desk: Desk) -> None:
    """Messages before the reader's own last one count as read; missing ones are left out."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    talk.say(desk, ada, game, "Hello", None)
    talk.say(desk, ben, game, "Hi", None)
    last = talk.say(desk, ada, game, "Your turn", None)

    assert [TableMessage(last["name"], "Your turn", last["at"])] == recipients.talk(
        desk, game, ben, [1, 3, 99]
    )
    assert ["Hi"] == [message.text for message in recipients.talk(desk, game, "eve", [2])]


def test_the_move_that_was_made_is_named(desk: Desk) -> None:
    """A move is named by the label of its option; an open decision has none."""
    game, players = table(desk, "Ada", "Ben")
    assert recipients.played(desk, game, 0, 0) is None
    keep_tickets(desk, game, players)
    play(desk, game, players[0], "draw")

    assert "Draw a card from the deck" == recipients.played(desk, game, 0, 2)
    assert recipients.played(desk, game, 1, 2) is None
    assert recipients.played(desk, "nowhere", 0, 0) is None


def test_players_who_left_at_a_time_are_named(desk: Desk) -> None:
    """Only players who resigned at exactly this time are named."""
    desk, hands = by_hand(desk)
    game, (ada, ben, _) = table(desk, "Ada", "Ben", "Cem")
    lobby.leave(desk, ada, game)
    hands.on(minutes=1)
    lobby.leave(desk, ben, game)
    name = seat_names.names_of(table_at(desk, game))[seat_at(desk, game, ben).number]

    assert [name] == recipients.resigned(desk, game, desk.now())
    assert [] == recipients.resigned(desk, "nowhere", desk.now())
