"""Composes the bytes of a letter from deliveries."""

from collections.abc import Iterator, Sequence
from email.utils import format_datetime
from typing import NamedTuple

from pictures import png
from service.desk import Desk
from service.i18n.catalogue import current_language, speaking_to
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.notify.recipients import Reader
from service.replies.mailboxes import Address
from workers.channels.mail.letters import mime, render
from workers.channels.mail.letters.blocks import Block, Paragraph, Picture, Strong
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.mime import Head, Image
from workers.channels.mail.letters.writers import TOGETHER, WRITERS

FROM = "Nightmail"


class Composed(NamedTuple):
    """A letter that is ready to go."""

    sender: str
    """The address to which it comes back if it cannot be delivered."""
    recipient: str
    account: str | None
    message: bytes
    addresses: tuple[Address, ...] = ()
    """Addresses of ours that it names, to be stored before it is sent."""


class Composer:
    """Composes letters from what the service says the reader may see; writes no rows."""

    def __init__(self, desk: Desk, *, pictures: bool = True) -> None:
        self._desk = desk
        self._pictures = pictures

    def composed(self, letter: Sequence[Delivery]) -> Composed | None:
        """Return a letter about these; None if nothing is left to tell, or nobody to write to."""
        with self._desk.database.reading():  # all statements on one connection
            return self._composed(letter)

    def _composed(self, letter: Sequence[Delivery]) -> Composed | None:
        desk, first = self._desk, letter[0]
        reader = recipients.reader_for(desk, first)
        if reader is None:
            return None
        context = LetterContext(desk, reader)
        with speaking_to(reader.locale):
            together = TOGETHER.get(first.kind)
            draft = together(context, letter) if together else WRITERS[first.kind](context, first)
            return None if draft is None else self._finished(first, context, draft)

    def _finished(self, first: Delivery, context: LetterContext, draft: Draft) -> Composed:
        desk, reader = self._desk, context.reader
        written = render.written(
            self._blocks(draft),
            draft.subject,
            draft.preheader or _first_sentence(draft.blocks),
            answers=draft.reply_to is not None,
        )
        heads = [*_letter_heads(first, context, draft), *_list_heads(desk, reader, draft)]
        message = mime.assembled(heads, written, self._images(draft), f"nm-{first.id}")
        if reader.stranger:
            # What comes back from a stranger's address says nothing about the host's account.
            return Composed(desk.settings.mail_from, reader.email, None, message)
        sender = context.bounce_to()
        addresses = tuple(context.addresses)
        return Composed(sender, reader.email, reader.account, message, addresses)

    def _blocks(self, draft: Draft) -> list[Block]:
        if self._pictures:
            return draft.blocks
        return [
            Paragraph(block.text) if isinstance(block, Picture) else block for block in draft.blocks
        ]

    def _images(self, draft: Draft) -> list[Image]:
        if not self._pictures:
            return []
        return [
            Image(cid, png(story.board, story.scene, last=story.fresh, tickets=story.goals))
            for cid, story in draft.stories
        ]


def _first_sentence(blocks: Sequence[Block]) -> str:
    """Return what a letter says first, below its title."""
    spoken = (block.text for block in blocks if isinstance(block, Strong | Paragraph))
    return next(spoken, "")


def _letter_heads(first: Delivery, context: LetterContext, draft: Draft) -> Iterator[Head]:
    settings = context.desk.settings
    yield Head("From", mime.mailbox(mime.Address(FROM, settings.mail_from)))
    yield Head("To", context.reader.email)
    yield Head("Reply-To", draft.reply_to or settings.service_address)
    yield Head("Subject", draft.subject, words=True)
    yield Head("Content-Language", current_language())
    yield Head("Date", format_datetime(context.now))
    yield Head("Message-ID", f"<{first.id}@{settings.mail_domain}>")
    if draft.game is not None and draft.seat is not None:
        root = f"<{draft.game}.{draft.seat}@{settings.mail_domain}>"
        yield Head("In-Reply-To", draft.answers or root)
        yield Head("References", f"{root} {draft.answers}" if draft.answers else root)
    elif draft.answers:
        yield Head("In-Reply-To", draft.answers)
        yield Head("References", draft.answers)
    yield Head("Auto-Submitted", "auto-generated")
    yield Head("X-Auto-Response-Suppress", "All")


def _list_heads(desk: Desk, reader: Reader, draft: Draft) -> Iterator[Head]:
    """Yield headers with which mail programs file letters and unsubscribe (RFC 8058)."""
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
