"""The mail channel: outcomes of sending letters."""

from datetime import timedelta

import pytest
import structlog
from sqlalchemy import select

from service.desk import Desk
from service.notify import bounce_kinds, mail_folder, mail_providers, outbox
from service.notify.outbox import Outcome
from service.people import addresses
from store.errors import Away
from store.tables import accounts
from tests.service.support.owing import change, claim_mail
from tests.workers.correspondence import composed, delivery, read, room
from workers.channels.mail.sender import Mail
from workers.channels.mail.transport import Posted
from workers.lanes.sender import send


class Answering:
    """A transport that returns a given result."""

    def __init__(self, posted: Posted) -> None:
        self.posted = posted
        self.sent: list[tuple[str, str, str, bytes]] = []

    def post(self, id: str, sender: str, recipient: str, message: bytes) -> Posted:
        """Keep the letter, and return the result."""
        self.sent.append((id, sender, recipient, message))
        return self.posted

    def close(self) -> None:
        """Do nothing: no connection is held."""


def bounced(desk: Desk, account: str) -> bool:
    """Whether mail to this account has bounced."""
    with desk.database.reading() as tx:
        return tx.scalar(select(accounts.c.bounced).where(accounts.c.id == account)) is not None


def test_a_letter_that_goes_out_is_sent(each_desk: Desk) -> None:
    """The transport gets the letter under the delivery's id, and the outcome has its size."""
    here = room(each_desk)
    about = here.about("decision_opened")
    transport = Answering(Posted("sent", 250))
    outcome = send(Mail(each_desk, transport, pictures=False), [about])
    ((id, sender, recipient, message),) = transport.sent
    made = composed(each_desk, about)
    assert made is not None
    assert (about.id, made.sender, made.recipient) == (id, sender, recipient)
    assert Outcome("sent", 250, None, len(message)) == outcome


def test_what_is_out_of_date_is_not_sent(each_desk: Desk) -> None:
    """A decision that was made meanwhile is superseded, and the transport gets nothing."""
    here = room(each_desk)
    about = here.about("decision_opened")
    here.play(1)
    transport = Answering(Posted("sent"))
    assert Outcome("superseded") == send(Mail(each_desk, transport), [about])
    assert [] == transport.sent


GONE = Posted("failed", 550, "recipient: 550 5.1.1", bounce_kinds.GONE)
POLICY = Posted("again", 550, "recipient: 550 5.7.1", bounce_kinds.POLICY)
NOON = "2026-03-01T12:00:00.000Z"


def at(desk: Desk, moment: str) -> Desk:
    """The same desk at this moment."""
    return desk._replace(now=lambda: moment)


def test_nobody_at_an_address_stops_mail_to_it(each_desk: Desk) -> None:
    """Two letters that find no mailbox, an hour apart, mark the address; the next is superseded."""
    here = room(each_desk)
    about, mail = here.about("decision_opened"), Mail(each_desk, pictures=False)
    for number, moment in enumerate((NOON, "2026-03-01T13:00:00.000Z")):
        assert not bounced(each_desk, about.account)
        mail = Mail(at(each_desk, moment), Answering(GONE), pictures=False)
        assert "failed" == send(mail, [about._replace(id=f"letter-{number}")]).state
    assert bounced(each_desk, about.account)
    assert "superseded" == send(mail, [about]).state


def test_one_mistake_of_the_operator_mutes_nobody(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a provider refuses everything for policy, letters wait and the operator is warned."""
    logs = structlog.testing.CapturingLogger()
    monkeypatch.setattr(mail_providers, "log", logs)
    about = room(desk, seats=2).about("decision_opened")
    mail = Mail(desk, Answering(POLICY), pictures=False)
    for number in range(mail_providers.LEAST + 2):
        outcome = send(mail, [about._replace(id=f"letter-{number}")])
        assert ("again", timedelta(hours=1)) == (outcome.state, outcome.retry_after)
    assert not bounced(desk, about.account)
    assert [("example.org", 12, 12)] == mail_providers.refusing(desk)
    (call,) = logs.calls
    assert {"domain": "example.org", "letters": 10, "refused": 10} == call.kwargs


def test_some_refusals_among_many_letters_warn_nobody(desk: Desk) -> None:
    """A provider that refuses some letters, and accepts most, is not reported."""
    about = room(desk).about("decision_opened")
    transport = Answering(Posted("sent", 250))
    mail = Mail(desk, transport, pictures=False)
    for number in range(25):
        transport.posted = POLICY if number % 2 else Posted("sent", 250)
        send(mail, [about._replace(id=f"letter-{number}")])
    assert [] == mail_providers.refusing(desk)


def test_an_address_that_was_changed_meanwhile_is_not_marked(desk: Desk) -> None:
    """A bounce from the old address does not mark the new one."""
    here = room(desk)
    about = here.about("decision_opened")
    mail = Mail(desk, Answering(GONE), pictures=False)
    ready = mail.compose([about])
    assert ready is not None
    change(desk, about.account, email="elsewhere@example.org")
    for moment in (NOON, "2026-03-02T12:00:00.000Z"):
        later = Mail(at(desk, moment), Answering(GONE), pictures=False)
        later.deliver([about._replace(id=moment)], ready)
    assert not bounced(desk, about.account)


def test_a_refusal_of_the_letter_marks_nobody(desk: Desk) -> None:
    """A refusal that is not about the mailbox does not mark the address as bounced."""
    about = room(desk).about("decision_opened")
    mail = Mail(desk, Answering(Posted("failed", 554)), pictures=False)
    assert Outcome("failed", 554) == send(mail, [about])
    assert not bounced(desk, about.account)


def test_mail_goes_from_the_outbox_into_the_folder(desk: Desk) -> None:
    """Without a mail server the letters of a new game are written into the mail folder."""
    room(desk, seats=2)
    while outbox.spread(desk):
        pass
    mail = Mail(desk, pictures=False)
    for letter in claim_mail(desk, 100):
        outbox.settle(desk, [(delivery, send(mail, letter)) for delivery in letter])
    files = mail_folder.listed(desk.settings)
    subjects = sorted(letter.subject for letter in files)
    assert 2 == sum("Keep at least 2" in subject for subject in subjects)
    assert 2 == sum("the game has begun" in subject for subject in subjects)


def test_names_and_titles_cannot_forge_headers(desk: Desk) -> None:
    """Line breaks in a name or title, planted in the database, add no header lines."""
    here = room(desk, title="Sunday")
    evil = "x\r\nBcc: victim@example.org\r\n\r\nbody\0"
    with desk.database.writing() as tx:
        tx.exec_driver_sql("UPDATE games SET title = ?", (evil,))
        tx.exec_driver_sql("UPDATE accounts SET name = id || ?", (evil,))
    for kind in ("decision_opened", "game_started"):
        made = composed(desk, here.about(kind))
        assert made is not None
        message = read(made.message)
        assert message["Bcc"] is None
        assert "Bcc: victim" in message["Subject"]
        head = made.message.partition(b"\r\n\r\n")[0]
        assert b"MIME-Version: 1.0" in head


def test_an_invitation_that_bounces_marks_nobody(desk: Desk) -> None:
    """A bounced letter that belongs to no account, like an invitation, marks no account."""
    about = delivery(room(desk).players[0], "hook_disabled", data={"hook": "h"})
    mail = Mail(desk, Answering(GONE), pictures=False)
    ready = mail.compose([about])
    assert ready is not None
    for moment in (NOON, "2026-03-02T12:00:00.000Z"):
        later = Mail(at(desk, moment), Answering(GONE), pictures=False)
        later.deliver([about._replace(id=moment)], ready._replace(account=None))
    assert not bounced(desk, about.account)


@pytest.mark.parametrize(
    "posted", [Posted("sent", 250), Posted("failed", 550, kind=bounce_kinds.GONE)]
)
def test_the_outcome_stands_when_it_cannot_be_counted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, posted: Posted
) -> None:
    """A letter that the server has answered is not sent again because the database is away."""

    def fail(*_: object, **__: object) -> None:
        raise Away("the database is away")

    monkeypatch.setattr(addresses, "record_missing", fail)
    monkeypatch.setattr(mail_providers.Tally, "add", fail)
    transport = Answering(posted)
    outcome = send(Mail(desk, transport, pictures=False), [room(desk).about("decision_opened")])

    assert (posted.state, 1) == (outcome.state, len(transport.sent))
