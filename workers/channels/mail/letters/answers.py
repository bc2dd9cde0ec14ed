"""Letters that answer mail from players."""

from collections.abc import Mapping
from typing import Any

from engine.translate import say
from service.i18n.catalogue import sayable
from service.links import signed_links
from service.notify.outbox import Delivery
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
from workers.channels.mail.letters.decisions import decision_blocks, latest_news
from workers.channels.mail.letters.pieces import (
    about_game,
    position,
    standing,
    story_of,
    unread_lines,
)

NOT_SURE = sayable(
    "A mail with the lines below has reached us. We cannot be sure that it comes from you, so "
    "nothing was done."
)


def answered(context: LetterContext, about: Delivery) -> Draft | None:
    """What a reply has done, and the next decision."""
    if about.game is None:
        return merged.answered(context, about)
    story, data = story_of(context, about), about.data or {}
    if story is None:
        return None
    blocks: list[Block] = [
        Heading(say("What we read in your mail, and what happened")),
        *_lines(data),
    ]
    if story.decision is None:
        blocks += [
            Paragraph(say("You have no decision to make at the moment.")),
            *([Paragraph(story.awaited)] if story.awaited else []),
        ]
        blocks += [*position(context, story), *standing(story)]
    else:
        blocks += [
            Heading(say("Your next decision")),
            *decision_blocks(context, story, story.decision),
        ]
    draft = about_game(context, story, say("what your mail did"), blocks)
    draft = draft._replace(preheader=story.awaited, answers=data.get("message_id"))
    if story.decision is None:
        return draft
    preheader = latest_news(context, story, story.decision)
    reply_to = context.reply_to(story, story.decision)
    return draft._replace(reply_to=reply_to, preheader=preheader)


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
    return blocks


def unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """A reply came whose sender could not be verified; a link confirms it."""
    if about.game is None:
        return merged.unsure(context, about)
    story, data = story_of(context, about), about.data or {}
    lines: list[str] = data.get("lines", [])
    if story is None or story.decision is None or story.decision.version != about.version:
        return None
    link = signed_links.confirm_letter(
        context.desk, story.game, story.seat, story.decision.version, lines
    )
    blocks: list[Block] = [
        Paragraph(say(NOT_SURE)),
        Quote("\n".join(lines)),
    ]
    blocks += [
        Link(say("Check these lines and play them"), link),
        Paragraph(say("If you did not write it, do nothing.")),
    ]
    draft = about_game(context, story, say("please confirm your mail"), blocks)
    return draft._replace(answers=data.get("message_id"))


def commands_answered(_: LetterContext, about: Delivery) -> Draft | None:
    """What a mail to the service has done."""
    data = about.data or {}
    blocks: list[Block] = [Title(say("What we read in your mail, and what happened"))]
    for line in data.get("lines", ()):
        result = line["result"] if line["ok"] else say("Refused: {why}", why=line["result"])
        blocks += [Quote(line["text"]), Paragraph(result)]
        blocks += [Items(tuple(line["items"]))] * bool(line["items"])
    if not data.get("lines"):
        blocks.append(Paragraph(say("We found nothing in your mail that we could read.")))
    blocks.append(Paragraph(say("Write “help” to this address, and we list what you can write.")))
    subject = say("Nightmail: what your mail did")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))


def commands_unsure(context: LetterContext, about: Delivery) -> Draft | None:
    """A mail to the service came whose sender could not be verified; a link confirms it."""
    data, reader = about.data or {}, context.reader
    link = signed_links.confirm_commands(context.desk, reader.account, data.get("lines", []))
    blocks: list[Block] = [
        Title(say("Did you write this?")),
        Paragraph(say(NOT_SURE)),
        Quote("\n".join(data.get("lines", []))),
        Link(say("Check these lines and carry them out"), link),
        Paragraph(say("If you did not write it, do nothing.")),
    ]
    subject = say("Nightmail: please confirm your mail")
    return Draft(subject, blocks, listed=False, answers=data.get("message_id"))
