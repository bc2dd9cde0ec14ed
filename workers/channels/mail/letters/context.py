"""What the writers of a letter share: for whom it is, and what they have looked up or made."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from service.desk import Desk
from service.i18n import times
from service.links import signed_links
from service.links.signed_links import SeatLinks
from service.notify.recipients import Reader
from service.replies import mailboxes
from service.replies.mailboxes import Address, LetteredDecision
from service.views.story import OpenDecision, Story
from workers.channels.mail.letters.blocks import Block


class Draft(NamedTuple):
    """A letter before it is rendered."""

    subject: str
    blocks: list[Block]
    game: str | None = None
    """The game that it is about, if it is one."""
    seat: int | None = None
    reply_to: str | None = None
    stories: tuple[tuple[str, Story], ...] = ()
    """The stories whose board is shown, by the content id of the picture."""
    answers: str | None = None
    """The Message-ID of the mail that it answers."""
    listed: bool = True
    """Whether it belongs to a stream of mail from which the reader can unsubscribe."""
    opt_out: str | None = None
    """The link with which a mail program stops letters from strangers with one click."""
    preheader: str = ""
    """What lists of letters show after the subject; empty for the first sentence."""


class LetterContext:
    """For whom a letter is written, and when."""

    def __init__(self, desk: Desk, reader: Reader) -> None:
        self.desk = desk
        self.reader = reader
        self.now: datetime = times.read(desk.now())
        self.addresses: list[Address] = []
        """Addresses of ours that the letter names; stored when it is sent, not before."""
        self._seat_links: dict[tuple[str, int], SeatLinks] = {}

    def seat_links(self, story: Story) -> SeatLinks:
        """Return what the links of a seat are made of, read once for a letter."""
        return self._links_of(story.game, story.seat)

    def _links_of(self, game: str, seat: int) -> SeatLinks:
        if (game, seat) not in self._seat_links:
            self._seat_links[game, seat] = signed_links.seat_links(self.desk, game, seat)
        return self._seat_links[game, seat]

    def turn_link(self, story: Story, decision: OpenDecision) -> str:
        """Return the link “Open my turn”."""
        links = self.seat_links(story)
        return signed_links.turn(self.desk, story.game, story.seat, decision.version, links)

    def reply_to(self, story: Story, decision: OpenDecision) -> str:
        """Return the address at which a decision is answered by mail."""
        links, seat = self.seat_links(story).links, (story.game, story.seat)
        address = mailboxes.reply(self.desk, self.reader.account, *seat, decision.version, links)
        return self._named(address)

    def lasting_address(self, game: str, seat: int) -> str:
        """Return the address at which a seat can write at any time, also when nothing is asked."""
        links = self._links_of(game, seat).links
        return self._named(mailboxes.lasting(self.desk, self.reader.account, game, seat, links))

    def talk_address(self, story: Story) -> str:
        """Return the address at which replies are posted to the table."""
        links, seat = self.seat_links(story).links, (story.game, story.seat)
        return self._named(mailboxes.talk(self.desk, self.reader.account, *seat, links))

    def table_url(self, game: str) -> str:
        """Return the address of a game's page."""
        return f"{self.desk.settings.public_url}/games/{game}"

    def reply_to_several(self, decisions: Sequence[tuple[str, Story, OpenDecision]]) -> str:
        """Return the address for answers to several decisions, each by its letter."""
        lettered = [
            LetteredDecision(letter, story.game, story.seat, decision.version)
            for letter, story, decision in decisions
        ]
        links = [self.seat_links(story).links for _, story, _ in decisions]
        account = self.reader.account
        return self._named(mailboxes.reply_to_several(self.desk, account, lettered, links))

    def confirmation_to(self) -> str:
        """Return the address at which “yes” confirms the reader's address."""
        return self._named(
            mailboxes.confirmation(self.desk, self.reader.account, self.reader.email)
        )

    def bounce_to(self) -> str:
        """Return the address to which the letter comes back if it cannot be delivered."""
        return self._named(mailboxes.bounce(self.desk, self.reader.account, self.reader.email))

    def _named(self, address: Address) -> str:
        if address not in self.addresses:
            self.addresses.append(address)
        return address.email
