"""Commands about the player: signing on, invitations, settings."""

import pytest

from service.desk import Desk
from service.games import lobby
from service.games.inviting import invitation_codes, invitations
from service.games.lobby import NewGame
from service.people import mail_limits
from store.database import Transaction
from store.people import accounts
from tests.service.support.office import UNPROVEN, Dead, Office, die_once


def test_settings_are_changed_by_mail(office: Office) -> None:
    """`digest`, `zone` and `language` change the account, one line each."""
    id = office.player("Ada", "ada@example.org")
    office.write("digest daily", "zone Europe/Paris", "language en-GB")
    assert [True] * 3 == [ok for _, ok in office.results()]
    with office.desk.database.reading() as tx:
        ada = accounts.account(tx, id)
    assert ada is not None
    assert ("digest", "Europe/Paris", "en-GB") == (
        ada.settings["notifications"]["mode"],
        ada.time_zone,
        ada.locale,
    )


def test_two_players_with_one_address_say_who_writes(office: Office) -> None:
    """With several accounts at one address, commands need `as NAME` first."""
    office.player("Ada", "ada@example.org")
    office.player("Ben", "ada@example.org")
    office.write("open usa 2")
    assert "Several players have this address: Ada, Ben." in office.results()[0][0]
    office.write("as Ben", "open usa 2")
    assert [True, True] == [ok for _, ok in office.results()]
    office.write("as Eve", "open usa 2")
    assert [("No player with that name has this address.", False)] == office.results()
    assert 1 == office.tables()


def test_a_name_that_is_taken_is_answered(office: Office) -> None:
    """A stranger learns that a name is taken, and no account is made."""
    office.player("Ada", "other@example.org")
    assert "answered" == office.write("sign on Ada")
    [answer] = office.to_strangers()
    assert "ada@example.org" == answer["email"]
    assert not answer["lines"][0]["ok"]


def test_an_invitation_is_accepted_by_mail(office: Office) -> None:
    """The code in the letter seats a newcomer at the table, with the address confirmed."""
    host = office.player("Ada", "ada@example.org")
    game = lobby.open_game(office.desk, host, NewGame("usa", (), 2), None)
    made = invitations.invite(office.desk, host, game["id"], {"email": "ben@example.org"}, None)
    code = invitation_codes.code_of(office.desk, made["id"])
    assert "ignored" == office.write(
        f"join {code[:-1]}x as Ben", sender="ben@example.org", **UNPROVEN
    )
    eve = office.write(f"join {code} as Eve", sender="eve@example.org")
    assert ("answered", None) == (eve, office.account("Eve"))
    assert "answered" == office.write(f"join {code} as Ben", sender="ben@example.org", **UNPROVEN)
    ben = office.account("Ben")
    assert ben is not None
    assert ben.email_confirmed
    assert [("You have a seat at “USA”.", True)] == office.results()


@pytest.mark.parametrize("line", ["SIGN ON Ada", "sign on Ada", "Sign  on   Ada!", "sign on: Ada"])
def test_the_case_of_a_command_is_no_part_of_the_name(office: Office, line: str) -> None:
    """However “sign on” is written, the name is what follows."""
    office.write(line)
    ada = office.account("Ada")
    assert ada is not None
    assert "Ada" == ada.name


def test_signing_on_again_is_the_same_account(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail that signs on and is read again, after the process died, makes one account."""
    mail = {"message_id": "<1@example.org>"}
    may_send = mail_limits.may_send
    deaths = iter([Dead()])

    def die(desk: Desk, tx: Transaction, kind: str, email: str) -> bool:
        for death in deaths if kind == "stranger_answered" else ():
            raise death
        return may_send(desk, tx, kind, email)

    monkeypatch.setattr(mail_limits, "may_send", die)
    with pytest.raises(Dead):
        office.write("sign on Ada", "help", **mail)
    assert "answered" == office.write("sign on Ada", "help", **mail)
    [answer] = office.to_strangers()
    assert [True, True] == [line["ok"] for line in answer["lines"]]


def _invited(office: Office, guest: str) -> str:
    """The code of an invitation of this address to a new table."""
    host = office.player("Host", "host@example.org")
    game = lobby.open_game(office.desk, host, NewGame("usa", (), 3), None)
    made = invitations.invite(office.desk, host, game["id"], {"email": guest}, None)
    return invitation_codes.code_of(office.desk, made["id"])


@pytest.mark.parametrize("words", ["As Ada", "as Ada", "AS  Ada", "Ada"])
def test_a_guest_gives_a_name(office: Office, words: str) -> None:
    """However “as” is written, the name is what follows."""
    office.write(f"join {_invited(office, 'ada@example.org')} {words}")
    ada = office.account("Ada")
    assert ada is not None
    assert "Ada" == ada.name


@pytest.mark.parametrize("proof", [{}, UNPROVEN])
def test_a_guest_whose_mail_is_read_again_is_answered(
    office: Office, monkeypatch: pytest.MonkeyPatch, proof: dict[str, str]
) -> None:
    """The code proves who writes, also when the first reading has already made the account."""
    code = _invited(office, "ada@example.org")
    mail = {"message_id": "<1@example.org>", **proof}
    die_once(monkeypatch)
    with pytest.raises(Dead):
        office.write(f"join {code} as Ada", **mail)
    assert "answered" == office.write(f"join {code} as Ada", **mail)
    assert [("You have a seat at “USA”.", True)] == office.results()
    assert "seen" == office.write(f"join {code} as Ada", **mail)


def test_the_code_of_another_guest_gives_no_seat(office: Office) -> None:
    """After a guest has taken the seat, the code tells nobody else that they have one."""
    code = _invited(office, "ada@example.org")
    office.write(f"join {code} as Ada")
    office.player("Eve", "eve@example.org")
    office.write(f"join {code}", sender="eve@example.org")
    assert [("This invitation is no longer open.", False)] == office.results()
