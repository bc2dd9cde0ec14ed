"""Letters of invitation: who gets one, and what it says."""

import json
from typing import Any

import pytest
from sqlalchemy import update

from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitation_codes, invitation_letters, invitations
from service.games.inviting.invitation_letters import Letter
from store import tables
from tests.service.support.newcomers import newcomer, rows
from tests.service.support.post import confirm
from tests.service.support.tables import player

EMAIL = "cem@example.org"


def _open(desk: Desk, **more: Any) -> tuple[str, str]:
    ada = player(desk, "Ada")
    return str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3, **more), None)["id"]), ada


def _letter(desk: Desk, game: str, host: str, guest: dict[str, Any]) -> Letter:
    made = invitations.invite(desk, host, game, guest, None)
    letter = invitation_letters.letter(desk, made["id"])
    assert letter is not None
    return letter


def test_a_guest_without_an_account_gets_a_code(desk: Desk) -> None:
    """The letter to an address has the invitation's code; an account writes the game's id."""
    game, ada = _open(desk)
    letter = _letter(desk, game, ada, {"email": EMAIL})
    assert (EMAIL, None, "Ada") == (letter.email, letter.guest, letter.host)
    assert invitation_codes.payload_of(desk, letter.code) is not None

    ben = player(desk, "Ben")
    confirm(desk, ben, "ben@example.org")
    letter = _letter(desk, game, ada, {"name": "Ben"})
    assert ("ben@example.org", game) == (letter.email, letter.code)


@pytest.mark.parametrize(
    ("pace", "text"),
    [
        ({"pace": "none"}, "no time limit"),
        ({"pace": "week"}, "7 days for each decision"),
        ({"clock": {"per_decision": 7200}}, "2 hours for each decision"),
        ({"clock": {"per_decision": 300}}, "5 minutes for each decision"),
        ({"clock": {"per_decision": 90}}, "90 seconds for each decision"),
    ],
)
def test_a_letter_says_how_long_a_decision_may_take(
    desk: Desk, pace: dict[str, Any], text: str
) -> None:
    """The pace is written in the largest unit that fits."""
    game, ada = _open(desk, **pace)
    assert text == _letter(desk, game, ada, {"email": EMAIL}).table["pace"]


@pytest.mark.parametrize("reason", ["bounced", "off", None])
def test_an_unwelcome_letter_is_not_sent(desk: Desk, reason: str | None) -> None:
    """No letter goes to an address that bounces, or whose owner has switched mail off."""
    game, ada = _open(desk)
    cem = newcomer(desk, "Cem").account
    confirm(desk, cem, EMAIL)
    change: dict[str, Any] = {"bounced": desk.now()} if reason == "bounced" else {}
    if reason == "off":
        change = {"settings": json.dumps({"notifications": {"mode": "off"}})}
    if change:
        with desk.database.writing() as tx:
            tx.execute(update(tables.accounts).where(tables.accounts.c.id == cem).values(change))
    before = rows(desk, tables.deliveries, "kind")
    invitations.invite(desk, ada, game, {"email": EMAIL}, None)
    sent = [("invited",)] * (reason is None)
    assert sent == rows(desk, tables.deliveries, "kind")[len(before) :]


def test_a_guest_who_sits_there_gets_no_letter(desk: Desk) -> None:
    """Once the guest has a seat, the invitation has no letter any more."""
    game, ada = _open(desk)
    ben = player(desk, "Ben")
    confirm(desk, ben, "ben@example.org")
    made = invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    assert invitation_letters.letter(desk, made["id"]) is not None
    lobby.join(desk, ben, game, "", None)
    assert invitation_letters.letter(desk, made["id"]) is None
