"""From deliveries to a letter that is ready to go."""

from collections.abc import Iterator, Sequence
from email.utils import format_datetime
from typing import NamedTuple

from pictures import png
from service.desk import Desk
from service.i18n import times
from service.i18n.catalogue import current_language, speaking_to
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.notify.recipients import Reader
from service.replies import mailboxes
from workers.channels.mail.letters import mime, render
from workers.channels.mail.letters.blocks import Block, Picture, Said
from workers.channels.mail.letters.games import TOGETHER, WRITERS
from workers.channels.mail.letters.mime import Address, Head, Image
from workers.channels.mail.letters.turns import Draft, Page

FROM = "Nightmail"


class Composed(NamedTuple):
    """A letter that is ready to go."""

    sender: str
    """Where it comes back to if it cannot be delivered."""
    recipient: str
    account: str | None
    message: bytes


class Composer:
    """Writes letters; what it needs to know it asks the service for, as the reader may see it."""

    def __init__(self, desk: Desk, *, pictures: bool = True) -> None:
        self._desk = desk
        self._pictures = pictures

    def composed(self, letter: Sequence[Delivery]) -> Composed | None:
        """A letter that tells of these; None if nobody is to be told of them any more."""
        with self._desk.database.reading():  # all questions by one connection
            return self._composed(letter)

    def _composed(self, letter: Sequence[Delivery]) -> Composed | None:
        desk, first = self._desk, letter[0]
        reader = recipients.reader_for(desk, first)
        if reader is None:
            return None
        page = Page(desk, reader, times.read(desk.now()))
        with speaking_to(reader.locale):
            together = TOGETHER.get(first.kind)
            draft = together(page, letter) if together else WRITERS[first.kind](page, first)
            return None if draft is None else self._finished(first, page, draft)

    def _finished(self, first: Delivery, page: Page, draft: Draft) -> Composed:
        desk, reader = self._desk, page.reader
        written = render.written(
            self._blocks(draft), draft.subject, answers=draft.reply_to is not None
        )
        heads = [*_letter_heads(first, page, draft), *_list_heads(desk, reader, draft)]
        message = mime.assembled(heads, written, self._images(draft), f"nm-{first.id}")
        if reader.stranger:
            # What comes back from there says nothing about anybody's account.
            return Composed(desk.settings.mail_from, reader.email, None, message)
        sender = mailboxes.bounce_address(desk, reader.account, reader.email)
        return Composed(sender, reader.email, reader.account, message)

    def _blocks(self, draft: Draft) -> list[Block]:
        if self._pictures:
            return draft.blocks
        return [Said(one.text) if isinstance(one, Picture) else one for one in draft.blocks]

    def _images(self, draft: Draft) -> list[Image]:
        if not self._pictures:
            return []
        return [
            Image(cid, png(story.board, story.scene, last=story.fresh, tickets=story.goals))
            for cid, story in draft.stories
        ]


def _letter_heads(first: Delivery, page: Page, draft: Draft) -> Iterator[Head]:
    settings = page.desk.settings
    yield Head("From", mime.mailbox(Address(FROM, settings.mail_from)))
    yield Head("To", page.reader.email)
    if draft.reply_to:
        yield Head("Reply-To", draft.reply_to)
    yield Head("Subject", draft.subject, words=True)
    yield Head("Content-Language", current_language())
    yield Head("Date", format_datetime(page.now))
    yield Head("Message-ID", f"<{first.id}@{settings.mail_domain}>")
    if draft.game is not None and draft.seat is not None:
        root = f"<{draft.game}.{draft.seat}@{settings.mail_domain}>"
        yield Head("In-Reply-To", draft.answers or root)
        yield Head("References", f"{root} {draft.answers}" if draft.answers else root)
    yield Head("Auto-Submitted", "auto-generated")
    yield Head("X-Auto-Response-Suppress", "All")


def _list_heads(desk: Desk, reader: Reader, draft: Draft) -> Iterator[Head]:
    """So that mail programs can file what we send, and stop it with one click (RFC 8058)."""
    if draft.opt_out is not None:
        yield Head("List-Unsubscribe", f"<{draft.opt_out}>")
        yield Head("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
    if not draft.listed:
        return
    name = f"{draft.game}.games" if draft.game else "turns"
    yield Head("List-Id", f"<{name}.{desk.settings.mail_domain}>")
    yield Head(
        "List-Unsubscribe", f"<{signed_links.unsubscribe(desk, reader.account, draft.game)}>"
    )
    yield Head("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
