"""Letters about decisions: one, or several in one letter."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import pictures
from engine.translate import say
from service.desk import Desk
from service.i18n import times
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.notify.recipients import Reader
from service.replies import mailboxes
from service.views.story import Asked, Story
from workers.channels.mail.letters.blocks import (
    Block,
    Facts,
    Grid,
    Heading,
    Items,
    Offered,
    Options,
    Picture,
    Said,
    Small,
    SmallLink,
    Strong,
    Title,
)
from workers.channels.mail.letters.phrases import (
    answering,
    merged_subject,
    merged_title,
    reminder_subject,
    ticket,
    turn_subject,
    until,
)

MOST_PICTURES = 3
"""A letter about more games has none, or it would not fit into every mailbox."""


class Page(NamedTuple):
    """For whom a letter is written, and when."""

    desk: Desk
    reader: Reader
    now: datetime


class Draft(NamedTuple):
    """A letter before it is written down."""

    subject: str
    blocks: list[Block]
    game: str | None = None
    """The game that it is about, if it is one."""
    seat: int | None = None
    reply_to: str | None = None
    stories: tuple[tuple[str, Story], ...] = ()
    """Those whose board is shown, by the name of the picture."""
    answers: str | None = None
    """The Message-ID of the mail that it answers."""
    listed: bool = True
    """Whether it belongs to a stream of mail that somebody can leave."""
    opt_out: str | None = None
    """Where a mail program stops letters from strangers with one click."""


def turns(page: Page, letter: Sequence[Delivery]) -> Draft | None:
    """What is asked, in one game or in several; None if nothing of it is open any more."""
    found = _open(page, letter)
    if not found:
        return None
    reminded = any(one.kind == "decision_reminder" for one in letter)
    if len(found) > 1:
        return _several(page, found)
    story, asked = found[0]
    subject = reminder_subject if reminded else turn_subject
    blocks: list[Block] = [Title(story.title)]
    if reminded:
        blocks.append(Said(say("Reminder: this decision still waits for you.")))
    blocks += decision(page, story, asked)
    blocks += [*how_to_answer(asked), *foot(page, story)]
    return Draft(
        subject(story.title, asked.prompt),
        blocks,
        story.game,
        story.seat,
        reply_to(page, story, asked),
        ((picture_of(page, story), story),),
    )


def _open(page: Page, letter: Sequence[Delivery]) -> list[tuple[Story, Asked]]:
    """The decisions of a letter that are still open, each once, the most urgent first."""
    named = dict.fromkeys((one.game, one.version) for one in letter)
    found = [
        (story, story.asked)
        for game, version in named
        if game is not None
        and version is not None
        and (story := recipients.open_story(page.desk, game, page.reader.account, version))
        and story.asked
    ]
    return sorted(found, key=lambda pair: pair[1].deadline or "9")


def _several(page: Page, found: Sequence[tuple[Story, Asked]]) -> Draft:
    pictured = len(found) <= MOST_PICTURES
    blocks: list[Block] = [
        Title(merged_title(len(found))),
        Said(say("A plain reply answers the first game below; each game names its own address.")),
        *how_to_answer(found[0][1]),
    ]
    for story, asked in found:
        blocks.append(Title(story.title))
        blocks += decision(page, story, asked, pictured=pictured)
        address = reply_to(page, story, asked)
        blocks.append(Said(say("To answer for this game, write to {address}", address=address)))
        blocks += foot(page, story)
    every = signed_links.unsubscribe(page.desk, page.reader.account, None)
    blocks.append(SmallLink(say("No more mail about turns"), every))
    return Draft(
        merged_subject([story.title for story, _ in found]),
        blocks,
        reply_to=reply_to(page, *found[0]),
        stories=tuple((picture_of(page, story), story) for story, _ in found if pictured),
    )


def reply_to(page: Page, story: Story, asked: Asked) -> str:
    """Where a decision is answered by mail."""
    return mailboxes.reply_address(
        page.desk, page.reader.account, story.game, story.seat, asked.asked
    )


def picture_of(page: Page, story: Story) -> str:
    """What the picture of this story is called inside the letter."""
    return f"{story.game}.{story.version}@{page.desk.settings.mail_domain}"


def decision(page: Page, story: Story, asked: Asked, *, pictured: bool = True) -> list[Block]:
    """Everything that somebody needs to decide."""
    told = [Strong(asked.prompt), Said(_due(page, asked)), *happened(story)]
    return [
        *told,
        Heading(say("What you can do")),
        *_explained(asked),
        Options(_offered(page, story, asked), say("Play by link")),
        *_default(asked),
        *standing(page, story, pictured=pictured),
    ]


def _explained(asked: Asked) -> list[Block]:
    """A line for each thing among the options that is new to the reader."""
    lines = tuple(f"{text.title}: {text.text}" for text in asked.help)
    return [Said(say("New to you:")), Items(lines)] if lines else []


def _due(page: Page, asked: Asked) -> str:
    if asked.deadline is None:
        return say("There is no deadline.")
    return until(times.read(asked.deadline), page.now, page.reader.time_zone)


def _default(asked: Asked) -> list[Block]:
    if asked.deadline is None:
        return []
    label = asked.default.label
    return [Said(say("If the time runs out, this is played for you: {label}.", label=label))]


def happened(story: Story) -> list[Block]:
    """What somebody may have missed."""
    told = story.happened
    blocks: list[Block] = []
    if told.mine:
        blocks += [Heading(say("Your last move")), Items(told.mine)]
    blocks.append(Heading(say("What happened since your last move")))
    if told.more:
        blocks.append(Said(say("More happened before that; this letter tells only the latest.")))
    blocks.append(
        Items(told.since) if told.since else Said(say("Nothing else has happened since."))
    )
    return blocks


def _offered(page: Page, story: Story, asked: Asked) -> tuple[Offered, ...]:
    groups = asked.groups
    names = [group.name for group in groups]
    urls = signed_links.actions(page.desk, story.game, story.seat, asked.asked, names)
    return tuple(Offered(group, urls[group.name]) for group in groups)


def standing(page: Page, story: Story, *, pictured: bool = True) -> list[Block]:
    """How things stand: hand, tickets, scores, the table and its picture."""
    tickets: Block = Said(say("You hold no tickets yet."))
    if story.tickets:
        tickets = Items(tuple(map(ticket, story.tickets)))
    text = pictures.described(story.board, story.scene)
    board: Block = Picture(picture_of(page, story), text) if pictured else Said(text)
    return [
        Heading(say("Your hand")),
        Facts(story.hand),
        Heading(say("Your tickets")),
        tickets,
        Heading(say("Score so far")),
        scores(story),
        Heading(say("On the table")),
        Facts(story.table),
        board,
    ]


def scores(story: Story) -> Grid:
    """The score table so far."""
    head = (say("Seat"), say("Name"), say("Colour"), *story.standing.columns)
    rows = tuple(
        (
            str(row.seat + 1),
            f"{row.name} ({say('you')})" if row.me else row.name,
            pictures.colour_of(row.seat),
            *row.cells,
        )
        for row in story.standing.rows
    )
    return Grid(head, rows, 3)


def how_to_answer(asked: Asked) -> list[Block]:
    """How to answer."""
    example = asked.groups[0].options[0].text
    return [Heading(say("How to answer")), Items(answering(example))]


def foot(page: Page, story: Story) -> list[Block]:
    """What stands below every letter about a game."""
    desk = page.desk
    log = say(
        "Head of the log after move {version}: {head}", version=story.version, head=story.head
    )
    return [
        Small(log),
        SmallLink(
            say("This mail was forwarded or seen by somebody else: make its links void"),
            signed_links.forwarded(desk, story.game, story.seat),
        ),
        SmallLink(
            say("No more mail about this game"),
            signed_links.unsubscribe(desk, page.reader.account, story.game),
        ),
    ]
