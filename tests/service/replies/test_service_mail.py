"""Mail to the address of the service: signing on, games, and who may write."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.games import invitation_codes, invitations, lobby
from service.games.lobby import NewGame
from service.people import accounts as account_service
from service.replies import mailboxes, receive
from service.views import game_lists
from store.people import accounts
from store.tables import deliveries, games, notices
from tests.service.support.post import MX, confirm, letter, opened

SERVICE = "nightmail@localhost"


class Office(NamedTuple):
    """A desk at whose service address mail arrives."""

    desk: Desk

    def write(self, *lines: str, sender: str = "ada@example.org", **headers: str | None) -> str:
        """Receive a mail to the service; return what became of it."""
        raw = letter(*lines, **{"from": sender, **headers})
        return self.deliver(raw, self.desk.settings.service_address, sender)

    def deliver(self, raw: bytes, recipient: str, sender: str = "ada@example.org") -> str:
        """Receive these bytes."""
        return receive.receive(self.desk, receive.IncomingMail(raw, sender, recipient))

    def player(self, name: str, email: str) -> str:
        """The id of a new account with a confirmed address."""
        id: str = account_service.create(self.desk, {"name": name}, None)["account"]["id"]
        confirm(self.desk, id, email)
        return id

    def answers(self, kind: str = "commands_answered") -> list[dict[str, Any]]:
        """The data of each notice of this kind, the oldest first."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(select(notices).where(notices.c.kind == kind).order_by(notices.c.id))
            return [json.loads(row.data) for row in rows]

    def results(self) -> list[tuple[str, bool]]:
        """Each line of the last answer: what came of it, and whether it was carried out."""
        return [(line["result"], line["ok"]) for line in self.answers()[-1]["lines"]]

    def to_strangers(self) -> list[dict[str, Any]]:
        """The data of each answer to an address without an account."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(select(deliveries).where(deliveries.c.account.is_(None)))
            return [json.loads(row.data) for row in rows]

    def tables(self) -> int:
        """How many games are stored."""
        with self.desk.database.reading() as tx:
            return len(tx.execute(select(games.c.id)).all())

    def account(self, name: str) -> accounts.Account | None:
        """The account with this name."""
        with self.desk.database.reading() as tx:
            id = accounts.id_by_name(tx, name.lower())
            return accounts.account(tx, id) if id else None


@pytest.fixture
def office(desk: Desk) -> Office:
    """A desk whose mail server checks senders."""
    return Office(desk._replace(settings=replace(desk.settings, mail_authserv=MX)))


UNPROVEN: dict[str, str] = {"authentication_results": f"{MX}; dmarc=none"}


def test_a_stranger_signs_on_and_confirms_by_reply(office: Office) -> None:
    """`sign on` leads to a letter, and the reply “yes” to its address confirms the account."""
    assert "answered" == office.write("sign on Ada")
    ada = office.account("Ada")
    assert ada is not None
    assert ("ada@example.org", None) == (ada.email, ada.email_confirmed)

    address = mailboxes.confirmation(office.desk, ada.id, "ada@example.org")
    mailboxes.store(office.desk, [address])
    assert "answered" == office.deliver(letter("yes", **{"from": "ada@example.org"}), address.email)
    ada = office.account("Ada")
    assert ada is not None
    assert ada.email_confirmed
    assert office.results()[0] == ("Your address is confirmed. You play here as Ada.", True)


@pytest.mark.parametrize(
    ("lines", "sender"), [(["no"], "ada@example.org"), (["yes"], "eve@example.org")]
)
def test_only_yes_from_the_address_confirms_it(
    office: Office, lines: list[str], sender: str
) -> None:
    """Another word, or another sender, leaves an address unconfirmed."""
    office.write("sign on Ada")
    ada = office.account("Ada")
    assert ada is not None
    address = mailboxes.confirmation(office.desk, ada.id, "ada@example.org")
    mailboxes.store(office.desk, [address])
    office.deliver(letter(*lines, **{"from": sender}), address.email)
    ada = office.account("Ada")
    assert ada is not None
    assert ada.email_confirmed is None


def test_a_name_that_is_taken_is_answered(office: Office) -> None:
    """A stranger learns that a name is taken, and no account is made."""
    office.player("Ada", "other@example.org")
    assert "answered" == office.write("sign on Ada")
    [answer] = office.to_strangers()
    assert "ada@example.org" == answer["email"]
    assert not answer["lines"][0]["ok"]


def test_a_stranger_gets_help_five_times_a_day(office: Office) -> None:
    """Answers to an address without an account are limited, which ends a loop of machines."""
    became = [office.write("help") for _ in range(7)]
    assert ["answered"] * 5 + ["ignored"] * 2 == became
    assert 5 == len(office.to_strangers())


def test_a_copy_is_not_answered_again(office: Office) -> None:
    """The same mail, delivered twice, is answered once, with and without an account."""
    office.write("help", message_id="<1@example.org>")
    assert "seen" == office.write("help", message_id="<1@example.org>")
    office.player("Ben", "ben@example.org")
    sender = {"sender": "ben@example.org", "message_id": "<2@example.org>"}
    assert "answered" == office.write("open usa 2", **sender)
    assert "seen" == office.write("open usa 2", **sender)
    assert 1 == office.tables()


def test_an_unproven_stranger_is_not_answered(office: Office) -> None:
    """Without proof of the sender only `sign on` works, because its letter asks the address."""
    assert "ignored" == office.write("help", **UNPROVEN)
    assert [] == office.to_strangers()
    assert "answered" == office.write("sign on Ada", **UNPROVEN)
    assert office.account("Ada") is not None


def test_a_forged_sign_on_is_dropped(office: Office) -> None:
    """A mail whose DMARC check failed makes no account, and asks nobody."""
    forged = {"authentication_results": f"{MX}; dmarc=fail header.from=example.org"}
    assert "ignored" == office.write("sign on Ada", **forged)
    assert office.account("Ada") is None


def test_what_was_not_read_is_shown(office: Office) -> None:
    """After a line that is refused, the answer lists those that were not read."""
    office.player("Ada", "ada@example.org")
    office.write("opne usa 2", "games")
    assert ["games"] == office.answers()[-1]["unread"]
    office.write("open usa 2", "no wait, europe")
    assert (0, ["open usa 2"]) == (office.tables(), office.answers()[-1]["unread"])


def test_an_unproven_player_is_asked_to_confirm(office: Office) -> None:
    """Commands in a player's name without proof of the sender do nothing; a letter asks."""
    office.player("Ada", "ada@example.org")
    assert "unsure" == office.write("open usa 2", **UNPROVEN)
    assert 0 == office.tables()
    [question] = office.answers("commands_unsure")
    assert ["open usa 2"] == question["lines"]
    fake = {"authentication_results": f"{MX}; dmarc=fail header.from=example.org"}
    assert ["unsure", "held"] == [office.write("open usa 2", **fake) for _ in range(2)]
    assert "unsure" == office.write("open usa 2", **UNPROVEN)


def test_automatic_mail_is_dropped(office: Office) -> None:
    """An automatic mail to the service is neither carried out nor answered."""
    office.player("Ada", "ada@example.org")
    assert "automatic" == office.write("open usa 2", auto_submitted="auto-replied")
    assert (0, []) == (office.tables(), office.answers())


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


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("open atlantis 3", "Name a board first"),
        ("open europe 3 tomorrow", "“tomorrow” is not understood"),
        ("open europe 9", "seats"),
        ("join nowhere", "There is no"),
        ("rematch", "You have no such game"),
        ("invite abcdefgh Ben", "You have no such game"),
        ("digest weekly", "Write one of"),
        ("zone Atlantis", "time zone"),
        ("dance", "We do not know this command"),
        ("sign off", "You play here as Ada"),
    ],
)
def test_bad_commands_are_explained(office: Office, line: str, reason: str) -> None:
    """A command that cannot be carried out is answered with the reason, and changes nothing."""
    office.player("Ada", "ada@example.org")
    office.write(line, "open usa 2" if line != "sign off" else "help")
    result, _ = office.results()[0]
    assert reason in result
    assert 0 == office.tables()


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


@pytest.mark.parametrize(
    ("own", "sender"),
    [
        ("ada@example.org", "Ada+games@example.org"),
        ("ada+games@example.org", "ada@example.org"),
        ("ada+games@example.org", "ada+other@example.org"),
    ],
)
def test_a_tag_in_an_address_does_not_matter(office: Office, own: str, sender: str) -> None:
    """A player is known by the mailbox; a similar address of somebody else is not theirs."""
    office.player("Ada", own)
    office.player("Eve", "adax@example.org")
    office.write("open usa 2", sender=sender)
    assert [True] == [ok for _, ok in office.results()]
    assert 1 == office.tables()


def test_commands_are_forgiven_like_replies(office: Office) -> None:
    """Greetings, closings and polite words around a command change nothing."""
    office.player("Ada", "ada@example.org")
    office.write("Hi Nightmail,", "", "open usa 2, please", "absence 3 Jul", "", "Cheers,", "Ada")
    assert [True, True] == [ok for _, ok in office.results()]


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
    mine = game_lists.mine(post.desk, post.players[0])
    [waiting] = invitations.listed(post.desk, post.players[0], mine.waiting[0]["id"])
    assert waiting["name"] in sentence
    assert "open" == waiting["state"]
