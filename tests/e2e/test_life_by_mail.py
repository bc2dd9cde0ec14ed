"""A player's whole life by mail, over real sockets: from signing on to the rematch."""

import smtplib
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import NamedTuple

import pytest

from tests.e2e.reader import MX, reply, text_of
from tests.e2e.test_game_by_mail import Mailed, mailed
from tests.support.servers import Cluster
from tests.support.smtp_server import Letter

SERVICE = "nightmail@nightmail.localhost"
ADA, BEN = "ada@example.org", "ben@example.org"


class Correspondent(NamedTuple):
    """Somebody who has an address, and nothing else."""

    there: Mailed
    address: str
    seen: list[int]
    """How many letters have been read."""

    def write(self, *lines: str) -> None:
        """Write to the service."""
        message = EmailMessage()
        message["Authentication-Results"] = f"{MX}; dmarc=pass header.from=example.org"
        message["Received"] = (
            f"from mail.example.org by {MX} with ESMTPS; {localtime():%a, %d %b %Y %T %z}"
        )
        message["From"], message["To"] = self.address, SERVICE
        message["Subject"] = "Nightmail"
        message["Message-ID"] = make_msgid(domain="example.org")
        message.set_content("\n".join(lines) + "\n")
        with smtplib.SMTP("127.0.0.1", self.there.inbox, timeout=30) as server:
            server.send_message(message, self.address, [SERVICE])

    def answer(self, letter: Letter, *lines: str) -> None:
        """Reply to a letter."""
        reply(letter, *lines, port=self.there.inbox)

    def next(self, subject: str) -> Letter:
        """Wait for the next letter whose subject contains this, and skip the others."""
        while True:
            letter = self.there.office.nth_to(self.address, self.seen[0])
            self.seen[0] += 1
            if subject in str(letter.message["Subject"]):
                return letter


@pytest.mark.long
def test_a_life_by_mail(postgres_cluster: Cluster) -> None:
    """Two people sign on, play, talk, go away, end a game and begin the next, only by mail."""
    with mailed(postgres_cluster) as there:
        ada, ben = Correspondent(there, ADA, [0]), Correspondent(there, BEN, [0])
        _sign_on(ada)
        code = _open(ada)
        _accept(ben, ada, code)
        _talk(ada, ben)
        _go_away(ada)
        _play_to_the_end(there)
        over = ada.next("the game is over")
        ada.answer(over, "rematch")
        assert "Invited: Ben." in text_of(ada.next("what your mail did"))
        again = ben.next("an invitation to a game")
        ben.answer(again, _line(again, "join "))
        assert "which begins now" in text_of(ben.next("what your mail did"))
        assert "the game has begun" in str(ada.next("the game has begun").message["Subject"])


def _line(letter: Letter, begins: str) -> str:
    """The line of a letter that can be written back, from its first word on."""
    text = " ".join(text_of(letter).split())
    words = text.partition(begins)[2].split()
    return f"{begins}{words[0]}"


def _sign_on(ada: Correspondent) -> None:
    ada.write("help")
    assert "sign on Ada" in text_of(ada.next("what your mail did"))
    ada.write("sign on Ada")
    ada.answer(ada.next("please confirm your address"), "Yes")
    assert "You play here as Ada." in text_of(ada.next("what your mail did"))


def _open(ada: Correspondent) -> str:
    ada.write("zone Europe/Paris", "open usa 2")
    answer = " ".join(text_of(ada.next("what your mail did")).split())
    return answer.partition("“join ")[2].partition("”")[0]


def _accept(ben: Correspondent, ada: Correspondent, code: str) -> None:
    ada.write(f"invite {code} {BEN}")
    invitation = ben.next("an invitation to a game")
    ben.answer(invitation, f"{_line(invitation, 'join ')} as Ben")
    assert "You have a seat" in text_of(ben.next("what your mail did"))


def _talk(ada: Correspondent, ben: Correspondent) -> None:
    begun = ben.next("the game has begun")
    ben.answer(begun, "say Good evening, Ada!")
    assert ben.next("what your mail did")
