"""A player's whole life by mail, over real sockets: from signing on to the rematch."""

import smtplib
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import NamedTuple

import pytest
from sqlalchemy import select

from store.tables import games
from tests.e2e.late_start import advance
from tests.e2e.reader import MX, entries_in, reply, text_of
from tests.e2e.test_game_by_mail import Mailed, answer_of, best_of, mailed
from tests.promises.support.web_server import open_database
from tests.support.servers import Cluster
from tests.support.smtp_server import Letter
from tests.support.waiting import until

SERVICE = "nightmail@nightmail.localhost"
TALK_PATIENCE = 200
"""Seconds; a letter about table talk waits for two minutes."""
ANSWER, INVITATION = "what your mail did", "an invitation to a game"
"""What subjects contain."""
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

    def find(self, subject: str) -> Letter:
        """Wait for any letter whose subject contains this; table talk is collected for a while."""
        until(lambda: bool(self.letters(subject)), f"a letter: {subject}", TALK_PATIENCE)
        return self.letters(subject)[-1]

    def letters(self, subject: str) -> list[Letter]:
        """All letters so far whose subject contains this."""
        letters = self.there.office.to(self.address)
        return [letter for letter in letters if subject in str(letter.message["Subject"])]

    def is_answered(self, sentence: str) -> None:
        """Wait for an answer to a mail that contains this."""
        until(
            lambda: any(sentence in text_of(answer) for answer in self.letters(ANSWER)),
            f"an answer: {sentence}",
        )

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
        _talk(ben)
        _go_away(ada)
        _play_to_the_end(there, _last_moves(there))
        over = ada.find("the game is over")
        _answer_talk(ada)
        ada.answer(over, "rematch")
        ada.is_answered("Invited: Ben.")
        until(lambda: len(ben.letters(INVITATION)) == 2, "an invitation to the rematch")
        again = ben.letters(INVITATION)[-1]
        ben.answer(again, _line(again, "join "))
        ben.is_answered("which begins now")
        until(lambda: len(ada.letters("the game has begun")) == 2, "the next game")


def _line(letter: Letter, begins: str) -> str:
    """The line of a letter that can be written back, from its first word on."""
    text = " ".join(text_of(letter).split())
    words = text.partition(begins)[2].split()
    return f"{begins}{words[0]}"


def _sign_on(ada: Correspondent) -> None:
    ada.write("help")
    assert "sign on Ada" in text_of(ada.next(ANSWER))
    ada.write("sign on Ada")
    ada.answer(ada.next("please confirm your address"), "Yes")
    assert "You play here as Ada." in text_of(ada.next(ANSWER))


def _open(ada: Correspondent) -> str:
    ada.write("zone Europe/Paris", "open usa 2")
    answer = " ".join(text_of(ada.next(ANSWER)).split())
    return answer.partition("“join ")[2].partition("”")[0]


def _accept(ben: Correspondent, ada: Correspondent, code: str) -> None:
    ada.write(f"invite {code} {BEN}")
    assert "is invited" in text_of(ada.next(ANSWER))
    invitation = ben.next(INVITATION)
    ben.answer(invitation, f"{_line(invitation, 'join ')} as Ben")
    assert "You have a seat" in text_of(ben.next(ANSWER))


def _talk(ben: Correspondent) -> None:
    begun = ben.find("the game has begun")
    ben.answer(begun, "say Good evening, Ada!", "board", "hand")
    answer = text_of(ben.next(ANSWER))
    assert "Posted to the table." in answer
    assert "Your hand" in answer


def _go_away(ada: Correspondent) -> None:
    begun = ada.find("the game has begun")
    ada.answer(begun, "Hello,", "status", "absence 3 July - 10 July", "", "Cheers", "Ada")
    answer = text_of(ada.next(ANSWER))
    assert "You are away from" in answer


def _last_moves(there: Mailed) -> int:
    """Play most of the game, and return the index of the letter to answer first."""
    with open_database(there.web.url) as database, database.reading() as tx:
        (game,) = tx.scalars(select(games.c.id))
    return advance(there.web.url, there.redis, game, there.office).letter


def _play_to_the_end(there: Mailed, seen: int) -> None:
    """Answer each letter that lists moves, until both are told that the game is over."""
    answered: set[str] = set()
    over = 0
    while over < 2:
        letter = there.office.nth(seen)
        seen += 1
        over += "the game is over" in str(letter.message["Subject"])
        listed, to = entries_in(letter), str(letter.message["Reply-To"])
        if listed and to not in answered:
            answered.add(to)
            chosen = answer_of(best_of(listed), in_words=not len(answered) % 3)
            reply(letter, chosen, port=there.inbox)


def _answer_talk(ada: Correspondent) -> None:
    """Reply to table talk, which is a message by itself."""
    talk = ada.find("message at the table")
    assert "Good evening, Ada!" in text_of(talk)
    ada.answer(talk, "And to you, Ben.", "That was a good game.")
    ada.is_answered("That was a good game.")
