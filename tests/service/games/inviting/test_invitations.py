"""Invitations: creating, listing, declining and accepting them."""

from collections.abc import Mapping
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitation_letters, invitations
from store import tables
from tests.service.support.newcomers import rows
from tests.service.support.tables import owed, player

EMAIL = "dan@example.org"


@pytest.fixture
def opened(desk: Desk) -> tuple[str, str]:
    """A table with three seats, and the account that has opened it."""
    ada = player(desk, "Ada")
    new = lobby.NewGame(
        "usa", (), 3, pace={"per_decision": 7200}, visibility="public", title="Evening train"
    )
    return str(lobby.open_game(desk, ada, new, None)["id"]), ada


def _payload(desk: Desk) -> Mapping[str, Any]:
    """The payload of the link of the only invitation, which does not expire."""
    ((id,),) = rows(desk, tables.invitations, "id")
    return {"invitation": id, "until": "9999-01-01T00:00:00.000Z"}


def test_an_account_is_invited_once(desk: Desk, opened: tuple[str, str]) -> None:
    """Inviting an account twice gives the same invitation and causes one notice."""
    game, ada = opened
    ben = player(desk, "Ben")
    first = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    second = invitations.invite(desk, ada, game, {"name": "ben"}, None)

    assert first == second
    assert ("open", "Ben", "Ada") == (first["state"], first["name"], first["host"])
    assert [("invited", ben, None)] == owed(desk, "invited")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "unreadable"),
        ({"name": "Ben", "email": EMAIL}, "unreadable"),
        ({"name": "Nobody"}, "not_found"),
        ({"name": "Ada"}, "seat_taken"),
    ],
)
def test_not_everybody_can_be_invited(
    desk: Desk, opened: tuple[str, str], body: dict[str, str], code: str
) -> None:
    """An invitation names one account or one address, and an account without a seat there."""
    game, ada = opened
    with pytest.raises(Refusal) as refusal:
        invitations.invite(desk, ada, game, body, None)
    assert code == refusal.value.code


def test_an_address_is_shown_to_its_host_alone(desk: Desk, opened: tuple[str, str]) -> None:
    """Only the host sees an invited address; players see the invitation, strangers nothing."""
    game, ada = opened
    ben = player(desk, "Ben")
    lobby.join(desk, ben, game, "", None)
    invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    seen = [invitations.listed(desk, account, game) for account in (ada, ben)]

    assert [[EMAIL], [None]] == [[invitation["email"] for invitation in listed] for listed in seen]
    with pytest.raises(Refusal) as refusal:
        invitations.listed(desk, player(desk, "Eve"), game)
    assert "forbidden" == refusal.value.code


def test_a_table_takes_only_so_many_invitations(
    desk: Desk, opened: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table takes at most `MOST_A_SEAT` invitations for each of its seats."""
    game, ada = opened
    monkeypatch.setattr(invitations, "MOST_A_SEAT", 1)
    for name in ("Ben", "Cem", "Dan", "Eve"):
        player(desk, name)
    for name in ("Ben", "Cem", "Dan"):
        invitations.invite(desk, ada, game, {"name": name}, None)
    with pytest.raises(Refusal) as refusal:
        invitations.invite(desk, ada, game, {"name": "Eve"}, None)

    assert "too_many_open" == refusal.value.code
    assert 3 == len(invitations.listed(desk, ada, game))


def test_a_letter_says_what_is_played(desk: Desk, opened: tuple[str, str]) -> None:
    """The letter describes the table; after the invitation is withdrawn there is no letter."""
    game, ada = opened
    invitation = invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    letter = invitation_letters.letter(desk, invitation["id"])
    assert letter is not None

    assert (EMAIL, "Ada", None) == (letter.email, letter.host, letter.guest)
    assert ("Evening train", 3, 2) == tuple(
        letter.table[name] for name in ("title", "seats", "free")
    )
    assert "2 hours for each decision" == letter.table["pace"]
    invitations.withdraw(desk, ada, game, invitation["id"])
    assert invitation_letters.letter(desk, invitation["id"]) is None
    assert "withdrawn" == invitations.listed(desk, ada, game)[0]["state"]


def test_an_address_that_has_declined_is_not_invited_again(
    desk: Desk, opened: tuple[str, str]
) -> None:
    """A declined invitation stores no address, and inviting the address again is refused."""
    game, ada = opened
    invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    page = invitations.decline(desk, _payload(desk), never=True)

    assert "declined" == page["stands"]
    assert [("declined", None)] == [
        (invitation["state"], invitation["email"])
        for invitation in invitations.listed(desk, ada, game)
    ]
    ((email,),) = rows(desk, tables.invitations, "email")
    assert EMAIL not in str(email)
    with pytest.raises(Refusal) as refusal:
        invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    assert "forbidden" == refusal.value.code


def test_a_newcomer_takes_the_seat(desk: Desk, opened: tuple[str, str]) -> None:
    """A new account takes the seat; the second time the invitation is done."""
    game, ada = opened
    invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    payload = _payload(desk)
    page = invitations.accept_as_new(desk, payload, "Dan")

    assert "seated" == page["stands"]
    assert [] == rows(desk, tables.tokens, "label")[1:]  # the host's is the only one
    assert ["Ada", "Dan"] == page["table"]["players"]
    assert "done" == invitations.accept_as_new(desk, payload, "Dan")["stands"]
    assert ["accepted"] == [
        invitation["state"] for invitation in invitations.listed(desk, ada, game)
    ]


def test_only_the_invited_account_takes_the_seat(desk: Desk, opened: tuple[str, str]) -> None:
    """Another account is not seated, the invited one is."""
    game, ada = opened
    ben, eve = player(desk, "Ben"), player(desk, "Eve")
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    payload = _payload(desk)

    assert "unchosen" == invitations.accept(desk, payload, eve)["stands"]
    assert "seated" == invitations.accept(desk, payload, ben)["stands"]
    assert "gone" == invitations.page(desk, {**payload, "invitation": "x" * 22})["stands"]
