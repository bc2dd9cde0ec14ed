"""Letters that answer mail from players."""

from collections.abc import Mapping
from typing import Any

from engine.translate import say
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.views.story import Story
from workers.channels.mail.letters import merged
from workers.channels.mail.letters.blocks import (
    Block,
    Heading,
    Items,
    Link,
    Paragraph,
    Quote,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.decisions import decision_blocks, latest_news, question
from workers.channels.mail.letters.phrases import subject
from workers.channels.mail.letters.pieces import (
    about_game,
    line_result,
    not_sure,
    note,
    position,
    standing,
    story_of,
    unread_lines,
)
from workers.channels.mail.letters.shown_parts import help_blocks, shown


def answered(context: LetterContext, about: Delivery) -> Draft | None:
    """Write what a reply has done, what it has asked for, and the next decision."""
    if about.game is None:
        return merged.answered(context, about)
    story, data = story_of(context, about), about.data or {}
    if story is None:
        return _answered_without_story(context, about)
    blocks: list[Block] = [
        Heading(say("What we read in your mail, and what happened")),
        *_lines(data),
        *note(data),
        *shown(context, story, data.get("shows", ())),
        *_what_is_next(context, story, needs_moves=data.get("needs_moves", True)),
    ]
    draft = about_game(context, story, say("what your mail did"), blocks)
    draft = draft._replace(preheader=story.awaited, answers=data.get("message_id"))
    if story.decision is None:
        return draft
    preheader = latest_news(context, story, story.decision)
    reply_to = context.reply_to(story, story.decision)
    return draft._replace(reply_to=reply_to, preheader=preheader)


def _what_is_next(context: LetterContext, story: Story, *, needs_moves: bool) -> list[Block]:
    """Return the decision that is open, or that there is none; in brief after mere questions."""
    if story.decision is None:
        blocks: list[Block] = [Paragraph(say("You have no decision to make at the moment."))]
        blocks += [Paragraph(story.awaited)] if story.awaited else []
        return [*blocks, *position(context, story), *standing(story)] if needs_moves else blocks
    if needs_moves:
        decision = decision_blocks(context, story, story.decision)
        return [Heading(say("Your next decision")), *decision]
    still = Heading(say("It is still your turn"))
    return [still, *question(context, story, story.decision)]


def _answered_without_story(context: LetterContext, about: Delivery) -> Draft | None:
    """Write the same about a game that has not begun, or that the reader has left."""
    data = about.data or {}
    if about.game is None or about.seat is None or "title" not in data:
        return None
    seat = recipients.seat_at(context.desk, about.game, context.reader.account)
    blocks: list[Block] = [Title(data["title"]), *_lines(data), *note(data)]
    blocks += help_blocks(context) if "help" in data.get("shows", ()) else []
    if seat is not None:
        blocks.append(Link(say("To the table"), context.table_url(about.game)))
    return Draft(
        subject(data["title"], say("what your mail did")),
        blocks,
        about.game,
        about.seat,
        None if seat is None else context.lasting_address(about.game, seat),
        answers=data.get("message_id"),
    )


def _lines(data: Mapping[str, Any]) -> list[Block]:
    """Return what was read, line by line, and the result of each."""
    blocks: list[Block] = []
    for line in data.get("lines", ()):
        blocks += [Quote(line["text"]), Paragraph(line_result(line))]
    blocks += unread_lines(data)
    if not blocks:
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
        blocks.append(Paragraph(say("To learn what you can write, reply with the line “help”.")))
    return blocks


def unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a reply whose sender could not be verified; a link leads on."""
    if about.game is None:
        return merged.unsure(context, about)
    story, data = story_of(context, about), about.data or {}
    link = _confirmation_link(context, about, story)
    if link is None:
        return None
    blocks: list[Block] = [
        *not_sure(data),
        Quote("\n".join(data.get("lines", []))),
        link,
        Paragraph(say("If you did not write it, do nothing.")),
        *note(data),
    ]
    topic, message_id = say("please confirm your mail"), data.get("message_id")
    if story is not None:
        return about_game(context, story, topic, blocks)._replace(answers=message_id)
    title = Title(data["title"])
    head = subject(data["title"], topic)
    return Draft(head, [title, *blocks], about.game, about.seat, answers=message_id)


def _confirmation_link(context: LetterContext, about: Delivery, story: Story | None) -> Link | None:
    """Return the link to check the lines and play them.

    None if they answer a decision that is over, or if the reader has left the table. The game may
    not have begun: then there is no story yet, but there are commands.
    """
    data, version = about.data or {}, about.version
    if version is not None:
        if story is None or story.decision is None or story.decision.version != version:
            return None
        return _link_to_confirm(context, about, story.seat, say("Check these lines and play them"))
    seat = recipients.seat_at(context.desk, about.game or "", context.reader.account)
    if seat is None or seat != about.seat or (story is None and "title" not in data):
        return None
    return _link_to_confirm(context, about, seat, say("Check these lines and carry them out"))


def _link_to_confirm(context: LetterContext, about: Delivery, seat: int, label: str) -> Link:
    link = signed_links.confirm_letter(
        context.desk,
        about.game or "",
        seat,
        about.version,
        (about.data or {}).get("lines", []),
        about.at,
    )
    return Link(label, link)


def commands_answered(context: LetterContext, about: Delivery) -> Draft | None:
    """Write what a mail to the service has done."""
    data = about.data or {}
    blocks: list[Block] = [Title(say("What we read in your mail, and what happened"))]
    for line in data.get("lines", ()):
        blocks += [Quote(line["text"]), Paragraph(line_result(line))]
        blocks += [Items(tuple(line["items"]))] * bool(line["items"])
    blocks += unread_lines(data)
    if not data.get("lines"):
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
    blocks += note(data)
    blocks.append(Paragraph(say("Write “help” to this address, and we list what you can write.")))
    if context.reader.account:
        blocks.append(Link(say("Your games"), f"{context.desk.settings.public_url}/games"))
    subject = say("Nightmail: what your mail did")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))


def commands_unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """Write the letter about a mail to the service whose sender could not be verified."""
    data, reader = about.data or {}, context.reader
    lines: list[str] = data.get("lines", [])
    link = signed_links.confirm_commands(context.desk, reader.account, reader.email, lines)
    blocks: list[Block] = [
        Title(say("Did you write this?")),
        *not_sure(data),
        Quote("\n".join(lines)),
        Link(say("Check these lines and carry them out"), link),
        Paragraph(say("If you did not write it, do nothing.")),
        *note(data),
    ]
    subject = say("Nightmail: please confirm your mail")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))
