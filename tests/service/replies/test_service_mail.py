"""Mail to the address of the service: who may write, what is answered, and what is kept."""

from dataclasses import replace

import pytest

from service.people import mail_limits
from service.replies import answer_limits, mailboxes
from service.setting_values import Rate
from store.people import accounts
from tests.service.support.office import FORGED, UNPROVEN, Dead, Office, die_once
from tests.service.support.post import MX, letter


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


@pytest.mark.parametrize("line", ["yes.", "Yes!", "yes please", "YES", "*yes*"])
def test_yes_is_read_like_a_command(office: Office, line: str) -> None:
    """Marks and polite words around “yes” change nothing, and a copy does nothing more."""
    office.write("sign on Ada")
    address = office.confirmation_address("Ada", "ada@example.org")
    raw = letter(line, **{"from": "Ada <ada+games@example.org>"})
    assert ["answered", "seen"] == [office.deliver(raw, address) for _ in range(2)]
    ada = office.account("Ada")
    assert ada is not None
    assert ada.email_confirmed
    assert 1 == len(office.answers())


def test_other_claimants_of_an_address_lose_nothing(office: Office) -> None:
    """“yes” confirms the address of one account; another can still confirm it for itself."""
    office.write("sign on Ada")
    office.write("sign on Ben")
    for name in ("Ada", "Ben"):
        address = office.confirmation_address(name, "ada@example.org")
        office.deliver(letter("yes", **{"from": "ada@example.org"}), address)
        account = office.account(name)
        assert account is not None
        assert account.email_confirmed
    office.write("games")
    assert "Several players have this address: Ada, Ben." in office.results()[0][0]


def test_confirming_and_answering_are_one_step(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies before it answers has not confirmed the address either."""
    office.write("sign on Ada")
    address = office.confirmation_address("Ada", "ada@example.org")
    raw = letter("yes", **{"from": "ada@example.org"})
    die_once(monkeypatch)
    with pytest.raises(Dead):
        office.deliver(raw, address)
    ada = office.account("Ada")
    assert ada is not None
    assert ada.email_confirmed is None
    assert "answered" == office.deliver(raw, address)
    assert 1 == len(office.answers())


def test_unproven_mail_beyond_the_limit_is_held(office: Office) -> None:
    """The last letter that asks says so; later mail is kept, and carried out once it is proven."""
    ada = office.player("Ada", "ada@example.org")
    most = answer_limits.MOST_QUESTIONS_TO_SERVICE
    became = [office.write("open usa 2", **UNPROVEN) for _ in range(most)]
    assert ["unsure"] * most == became
    notes = [question["note"] for question in office.answers("commands_unsure")]
    assert [None] * (most - 1) == notes[:-1]
    assert "in your settings" in notes[-1]
    again = {"message_id": "<late@example.org>"}
    assert "held" == office.write("open usa 2", **UNPROVEN, **again)
    assert "seen" == office.write("open usa 2", **UNPROVEN, **again)
    assert most == len(office.answers("commands_unsure"))
    assert ["dmarc_missing"] * (most + 1) == office.held(ada)
    assert "answered" == office.write("open usa 2", **again)
    assert (1, most) == (office.tables(), len(office.held(ada)))


def test_unproven_mail_without_commands_is_held(office: Office) -> None:
    """Mail in a player's name never vanishes, whatever its first line is."""
    ada = office.player("Ada", "ada@example.org")
    assert "held" == office.write("How do I begin?", **UNPROVEN)
    assert "held" == office.write("How do I begin?", **FORGED)
    assert ["no_commands", "dmarc_missing"] == office.held(ada)
    assert [] == office.answers("commands_unsure")


def test_answers_that_change_nothing_end_with_a_note(office: Office) -> None:
    """The last answer of a day says so, and mail after it is held; a change is always answered.

    Questions that were understood have a larger limit of their own.
    """
    ada = office.player("Ada", "ada@example.org")
    lines = ["dance", "opne usa 2", "open mars", "join"]
    most = answer_limits.MOST_ANSWERS_A_DAY
    became = [office.write(lines[number % len(lines)]) for number in range(most + 1)]
    assert ["answered"] * most + ["held"] == became
    notes = [answer["note"] for answer in office.answers()]
    assert [None] * (most - 1) == notes[:-1]
    assert "last answer today to mail to this address" in notes[-1]
    assert ["answered_enough"] == office.held(ada)
    questions = ["help", "games", "as Ada", "sign on Ada", "absence"]
    assert {"answered"} == {office.write(line) for line in (*questions, "open usa 2")}


def test_commands_of_a_bouncing_address_are_carried_out(office: Office) -> None:
    """What changed something is reported as unanswered; what did not is held."""
    ada = office.player("Ada", "ada@example.org")
    with office.desk.database.writing() as tx:
        accounts.change(tx, ada, {"bounced": office.desk.now()})
    assert ("unanswered", 1) == (office.write("open usa 2"), office.tables())
    assert "held" == office.write("games")
    assert "held" == office.write("open usa 2", **UNPROVEN)
    assert ["bouncing", "unreachable"] == office.held(ada)
    assert [] == office.answers()


def test_forged_mail_does_not_keep_a_domain_out(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unproven mail has one limit of its own, whatever domain its senders have."""
    monkeypatch.setattr(mail_limits, "FROM_UNPROVEN_MAIL", (Rate(2, mail_limits.DAY),))
    mails = [(f"sign on {name}", f"{name}@example.org") for name in ("One", "Two", "Three")]
    became = [office.write(line, sender=sender, **UNPROVEN) for line, sender in mails]
    assert ["answered", "answered", "ignored"] == became
    elsewhere = office.write("sign on Eve", sender="eve@example.com", **UNPROVEN)
    assert ("ignored", None) == (elsewhere, office.account("Eve"))
    assert "answered" == office.write("sign on Ada")
    assert office.account("Ada") is not None


def test_proven_mail_is_counted_by_mailbox(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for too many letters is told so; neighbours are not, until their domain is over."""
    settings = replace(office.desk.settings, rate_limit_letters=(Rate(1, mail_limits.DAY),))
    office = Office(office.desk._replace(settings=settings))
    monkeypatch.setattr(mail_limits, "FROM_ONE_DOMAIN", (Rate(2, mail_limits.DAY),))
    office.write("sign on Ada")
    office.write("sign on Ada Second", sender="ada+2@example.org")
    [answer] = office.to_strangers()
    assert "too many emails" in answer["lines"][0]["result"]
    office.write("sign on Ben", sender="ben@example.org")
    office.write("sign on Cem", sender="cem@example.org")
    assert [True, False] == [office.account(name) is not None for name in ("Ben", "Cem")]
