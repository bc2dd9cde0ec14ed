"""Letters that answer mail from players."""

from collections.abc import Mapping
from typing import Any

from engine.translate import say
from service.i18n.catalogue import sayable
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
    position,
    standing,
    story_of,
    unread_lines,
)
from workers.channels.mail.letters.shown_parts import help_blocks, shown

NOT_SURE = sayable(
    "A mail with the lines below has reached us. We cannot be sure that it comes from you, so "
    "nothing was done."
)


def answered(context: LetterContext, about: Delivery) -> Draft | None:
    """What a reply has done, what it has asked for, and the next decision."""
    if about.game is None:
        return merged.answered(context, about)
    story, data = story_of(context, about), about.data or {}
    if story is None:
        return _answered_without_story(context, about)
    blocks: list[Block] = [
        Heading(say("What we read in your mail, and what happened")),
        *_lines(data),
        *_note(data),
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
    """The decision that is open, or that there is none; in brief after mere questions."""
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
    """The same about a table at which the game has not begun, or which the reader has left."""
    data = about.data or {}
    if about.game is None or about.seat is None or "title" not in data:
        return None
    seat = recipients.seat_at(context.desk, about.game, context.reader.account)
    blocks: list[Block] = [Title(data["title"]), *_lines(data), *_note(data)]
    blocks += help_blocks() if "help" in data.get("shows", ()) else []
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
    """What was read, line by line, and what came of each."""
    blocks: list[Block] = []
    for line in data.get("lines", ()):
        came = line["result"]
        blocks.append(Quote(line["text"]))
        blocks.append(Paragraph(came if line.get("ok", True) else say("Refused: {why}", why=came)))
    blocks += unread_lines(data)
    if not blocks:
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
        blocks.append(Paragraph(say("To learn what you can write, reply with the line “help”.")))
    return blocks


def _note(data: Mapping[str, Any]) -> list[Block]:
    """That no more letters of this kind follow, if this is the last one."""
    return [Paragraph(data["note"])] if data.get("note") else []


def unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """A reply came whose sender could not be verified; a link leads on."""
    if about.game is None:
        return merged.unsure(context, about)
    story, data = story_of(context, about), about.data or {}
    lines: list[str] = data.get("lines", [])
    if story is None:
        return None
    link = _way_on(context, story, about.version, lines)
    if link is None:
        return None
    blocks: list[Block] = [
        Paragraph(say(NOT_SURE)),
        Quote("\n".join(lines)),
        link,
        Paragraph(say("If you did not write it, do nothing.")),
        *_note(data),
    ]
    draft = about_game(context, story, say("please confirm your mail"), blocks)
    return draft._replace(answers=data.get("message_id"))


def _way_on(
    context: LetterContext, story: Story, version: int | None, lines: list[str]
) -> Link | None:
    """The link that plays the lines; to the game's page if they answer no decision.

    None if they answer a decision that is over.
    """
    if version is None:
        return Link(say("Do it on the page of the game"), context.table_url(story.game))
    if story.decision is None or story.decision.version != version:
        return None
    link = signed_links.confirm_letter(context.desk, story.game, story.seat, version, lines)
    return Link(say("Check these lines and play them"), link)


def commands_answered(_: LetterContext, about: Delivery) -> Draft | None:
    """What a mail to the service has done."""
    data = about.data or {}
    blocks: list[Block] = [Title(say("What we read in your mail, and what happened"))]
    for line in data.get("lines", ()):
        result = line["result"] if line["ok"] else say("Refused: {why}", why=line["result"])
        blocks += [Quote(line["text"]), Paragraph(result)]
        blocks += [Items(tuple(line["items"]))] * bool(line["items"])
    blocks += unread_lines(data)
    if not data.get("lines"):
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
    blocks += _note(data)
    blocks.append(Paragraph(say("Write “help” to this address, and we list what you can write.")))
    subject = say("Nightmail: what your mail did")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))


def commands_unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """A mail to the service came whose sender could not be verified; a link confirms it."""
    data, reader = about.data or {}, context.reader
    lines: list[str] = data.get("lines", [])
    link = signed_links.confirm_commands(context.desk, reader.account, reader.email, lines)
    blocks: list[Block] = [
        Title(say("Did you write this?")),
        Paragraph(say(NOT_SURE)),
        Quote("\n".join(lines)),
        Link(say("Check these lines and carry them out"), link),
        Paragraph(say("If you did not write it, do nothing.")),
        *_note(data),
    ]
    subject = say("Nightmail: please confirm your mail")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))
