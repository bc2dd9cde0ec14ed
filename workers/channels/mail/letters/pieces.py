"""Parts that letters about a game share: the board, hand and tickets, news, score and foot."""

from collections.abc import Mapping, Sequence
from typing import Any

import pictures
from engine.names import called
from engine.text import together
from engine.translate import say, says
from service.i18n.catalogue import sayable
from service.links import signed_links
from service.notify.outbox import Delivery
from service.views.facts import Rank
from service.views.story import Story, of_account
from workers.channels.mail.letters.blocks import (
    Block,
    Caption,
    Facts,
    Grid,
    Heading,
    Items,
    Paragraph,
    Picture,
    Quote,
    Small,
    SmallLink,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.phrases import routes_claimed, subject, tickets_held

WIDTH = 600
"""Pixels of a board in a letter: programs that ignore styles show it at this width."""
NARROW = 480
"""The same for a board that is higher than wide."""
NOT_SURE = sayable(
    "A mail with the lines below has reached us. We cannot be sure that it comes from you, so "
    "nothing was done."
)
MOST_OWN = 10
"""Sentences about the moves of the reader's last turn."""
MOST_TOLD = 30
"""Sentences about what happened since the reader's last move."""


def story_of(context: LetterContext, about: Delivery) -> Story | None:
    """Return what the reader may know of the game that a delivery is about."""
    if about.game is None:
        return None
    return of_account(context.desk, about.game, context.reader.account)


def about_game(context: LetterContext, story: Story, topic: str, blocks: list[Block]) -> Draft:
    """Return a letter about one game, with its title and foot; it can be answered at any time."""
    shown = any(isinstance(block, Picture) for block in blocks)
    return Draft(
        subject(story.title, topic),
        [Title(story.title), *blocks, *foot(context, story)],
        story.game,
        story.seat,
        context.lasting_address(story.game, story.seat),
        stories=((picture_of(context, story), story),) if shown else (),
    )


def picture_of(context: LetterContext, story: Story) -> str:
    """Return the content id of the picture of this story."""
    return f"{story.game}.{story.version}@{context.desk.settings.mail_domain}"


def picture(context: LetterContext, story: Story) -> Picture:
    """Return the board as it stands."""
    text = pictures.described(story.board, story.scene)
    width, height = pictures.size_of(story.board, story.scene)
    shown = WIDTH if width >= height else NARROW
    return Picture(picture_of(context, story), text, shown, round(shown * height / width))


def claimed(story: Story, label: str = "") -> Caption:
    """Return the claimed routes in words, for readers who see no pictures."""
    lines = routes_claimed(story.board, story.scene)
    return Caption((label, *lines) if label else lines)


def happened(story: Story) -> list[Block]:
    """Return what the reader's last move has caused, and what has happened since."""
    if not story.happened.mine:
        return since(story)
    sentences = _first(story.happened.mine)
    return [Heading(say("What you did last")), Items(sentences), *since(story)]


def since(story: Story, most: int = MOST_TOLD) -> list[Block]:
    """Return what has happened since the reader's last move; of many sentences the latest."""
    sentences = story.happened
    blocks: list[Block] = [Heading(say("What happened since your last move"))]
    if sentences.more or len(sentences.since) > most:
        blocks.append(
            Paragraph(say("More happened before that; this letter tells only the latest."))
        )
    blocks.append(
        Items(sentences.since[-most:])
        if sentences.since
        else Paragraph(say("Nothing else has happened since."))
    )
    return blocks


def _first(sentences: Sequence[str]) -> tuple[str, ...]:
    """Return what the reader has done, and some of what followed, which may be a lot."""
    if len(sentences) <= MOST_OWN:
        return tuple(sentences)
    rest = len(sentences) - MOST_OWN + 1
    more = says("… and {n} more thing happened.", "… and {n} more things happened.", rest)
    return (*sentences[: MOST_OWN - 1], more)


def position(context: LetterContext, story: Story, most_tickets: int | None = None) -> list[Block]:
    """Return the reader's own position: board, hand and tickets, then the claimed routes."""
    return [
        picture(context, story),
        *hand(story),
        *tickets(story, most_tickets),
        Heading(say("Claimed routes")),
        claimed(story),
    ]


def hand(story: Story) -> list[Block]:
    """Return what the reader holds."""
    held: Block = Facts(story.hand) if story.hand else Paragraph(say("You hold nothing."))
    return [Heading(say("Your hand")), held]


def tickets(story: Story, most: int | None = None) -> list[Block]:
    """Return the reader's tickets; of the nearest `most` open ones it is said what they lack."""
    held: Block = Paragraph(say("You hold no tickets yet."))
    if story.tickets:
        held = Items(tickets_held(story.board, story.tickets, most))
    return [Heading(say("Your tickets")), held]


def standing(story: Story) -> list[Block]:
    """Return the score so far, and what is on the table."""
    return [
        Heading(say("Score so far")),
        scores(story),
        Heading(say("On the table")),
        Facts(story.table),
    ]


def scores(story: Story) -> Grid:
    """Return the score table so far."""
    rows = tuple((_player(row), *row.cells) for row in story.standing.rows)
    return Grid(("", *story.standing.columns), rows, 1, spread=True)


def _player(row: Rank) -> str:
    """Return a seat with its number, name and colour."""
    name = f"{row.name} ({say('you')})" if row.me else row.name
    return f"{row.seat + 1} {name}, {called(row.colour)}"


def foot(context: LetterContext, story: Story, letter: str = "") -> list[Block]:
    """Return the foot of every letter about a game; among several games it has a letter."""
    desk = context.desk
    log = say(
        "Head of the log after move {version}: {head}", version=story.version, head=story.head
    )
    void = say("This mail was forwarded or seen by somebody else: make its links void")
    stop = say("No more mail about this game")
    if letter:
        void = say(
            "This mail was forwarded or seen by somebody else: make the links of game {letter} "
            "void",
            letter=letter,
        )
        stop = say("No more mail about game {letter}", letter=letter)
    forwarded = signed_links.forwarded(desk, story.game, story.seat, context.seat_links(story))
    unsubscribe = signed_links.unsubscribe(desk, context.reader.account, story.game)
    blocks: list[Block] = [Small(log), SmallLink(void, forwarded), SmallLink(stop, unsubscribe)]
    if not letter:  # a letter about several games would become too long
        page = SmallLink(say("The page of this game"), context.table_url(story.game))
        blocks.insert(0, page)
    return blocks


def line_result(line: Mapping[str, Any]) -> str:
    """Return the result of a line that was read, or why it was refused."""
    result: str = line["result"]
    return result if line.get("ok", True) else say("Refused: {why}", why=result)


def not_sure(data: Mapping[str, Any]) -> list[Block]:
    """Say that a mail was not carried out, why, and from which address it seems to come."""
    reasons = [data["why"]] if data.get("why") else []
    if data.get("sender"):
        reasons.insert(0, say("It says that it comes from {sender}.", sender=data["sender"]))
    blocks: list[Block] = [Paragraph(say(NOT_SURE))]
    return [*blocks, Paragraph(together(*reasons))] if reasons else blocks


def note(data: Mapping[str, Any]) -> list[Block]:
    """Say that no more letters of this kind follow, if this is the last one."""
    return [Paragraph(data["note"])] if data.get("note") else []


def unread_lines(data: Mapping[str, Any]) -> list[Block]:
    """Return the lines of a reply that were not read, because reading stopped before them."""
    unread: list[str] = data.get("unread") or []
    if not unread:
        return []
    stopped = say("We stopped at this line. These other lines were not read:")
    return [Paragraph(stopped), Quote("\n".join(unread))]
