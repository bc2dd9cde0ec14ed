"""Letters about decisions: one, or several in one letter."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import pictures
from service import addressees, links, mailboxes, times
from service.addressees import Reader
from service.desk import Desk
from service.outbox import Delivery
from service.story import Asked, Story
from workers.compose_blocks import (
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
    Tickets,
    Title,
)
from workers.compose_words import English

MOST_PICTURES = 3
"""A letter about more games has none, or it would not fit into every mailbox."""


class Page(NamedTuple):
    """For whom a letter is written, in which words, and when."""

    desk: Desk
    reader: Reader
    words: English
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


def turns(page: Page, letter: Sequence[Delivery]) -> Draft | None:
    """What is asked, in one game or in several; None if nothing of it is open any more."""
    found = _open(page, letter)
    if not found:
        return None
    reminded = any(one.kind == "decision_reminder" for one in letter)
    if len(found) > 1:
        return _several(page, found)
    story, asked = found[0]
    words = page.words
    subject = words.reminder_subject if reminded else words.turn_subject
    blocks: list[Block] = [Title(story.title)]
    if reminded:
        blocks.append(Said(words.prompt_reminder))
    blocks += decision(page, story, asked)
    blocks += [*answering(page, asked), *foot(page, story)]
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
        and (story := addressees.open_story(page.desk, game, page.reader.account, version))
        and story.asked
    ]
    return sorted(found, key=lambda pair: pair[1].deadline or "9")


def _several(page: Page, found: Sequence[tuple[Story, Asked]]) -> Draft:
    words, pictured = page.words, len(found) <= MOST_PICTURES
    blocks: list[Block] = [
        Title(words.merged_title(len(found))),
        Said(words.first_is_answered),
        *answering(page, found[0][1]),
    ]
    for story, asked in found:
        blocks.append(Title(story.title))
        blocks += decision(page, story, asked, pictured=pictured)
        blocks.append(Said(words.answer_here(reply_to(page, story, asked))))
        blocks += foot(page, story)
    every = links.unsubscribe(page.desk, page.reader.account, None)
    blocks.append(SmallLink(words.unsubscribe_all, every))
    return Draft(
        words.merged_subject([story.title for story, _ in found]),
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
    words = page.words
    told = [Strong(asked.prompt), Said(until(page, asked)), *happened(page, story)]
    options = _offered(page, story, asked)
    return [
        *told,
        Heading(words.what_you_can_do),
        Options(options),
        *([Said(words.default(asked.default.label))] if asked.deadline else []),
        *standing(page, story, pictured=pictured),
    ]


def until(page: Page, asked: Asked) -> str:
    if asked.deadline is None:
        return page.words.no_deadline
    return page.words.until(times.read(asked.deadline), page.now, page.reader.time_zone)


def happened(page: Page, story: Story) -> list[Block]:
    """What somebody may have missed."""
    words, told = page.words, story.happened
    blocks: list[Block] = []
    if told.mine:
        blocks += [Heading(words.your_last_move), Items(told.mine)]
    blocks.append(Heading(words.what_happened))
    if told.more:
        blocks.append(Said(words.left_out))
    blocks.append(Items(told.since) if told.since else Said(words.nothing_happened))
    return blocks


def _offered(page: Page, story: Story, asked: Asked) -> tuple[Offered, ...]:
    groups = asked.groups
    names = [group.name for group in groups]
    urls = links.actions(page.desk, story.game, story.seat, asked.asked, names)
    return tuple(Offered(group, urls[group.name]) for group in groups)


def standing(page: Page, story: Story, *, pictured: bool = True) -> list[Block]:
    """How things stand: hand, tickets, scores, the table and its picture."""
    words = page.words
    tickets: Block = Tickets(story.tickets) if story.tickets else Said(words.no_tickets)
    text = pictures.described(story.board, story.scene)
    board: Block = Picture(picture_of(page, story), text) if pictured else Said(text)
    return [
        Heading(words.your_hand),
        Facts(story.hand),
        Heading(words.your_tickets),
        tickets,
        Heading(words.score),
        scores(page, story),
        Heading(words.on_the_table),
        Facts(story.table),
        board,
    ]


def scores(page: Page, story: Story) -> Grid:
    """The score table so far."""
    words = page.words
    head = (words.seat, words.name, words.colour, *story.standing.columns)
    rows = tuple(
        (
            str(row.seat + 1),
            f"{row.name} ({words.you})" if row.me else row.name,
            row.colour,
            *row.cells,
        )
        for row in story.standing.rows
    )
    return Grid(head, rows, 3)


def answering(page: Page, asked: Asked) -> list[Block]:
    """How to answer."""
    example = asked.groups[0].options[0].text
    return [Heading(page.words.how_to_answer), Items(page.words.answering(example))]


def foot(page: Page, story: Story) -> list[Block]:
    """What stands below every letter about a game."""
    words, desk = page.words, page.desk
    return [
        Small(words.head(story.version, story.head)),
        SmallLink(words.forwarded, links.forwarded(desk, story.game, story.seat)),
        SmallLink(words.unsubscribe_game, links.unsubscribe(desk, page.reader.account, story.game)),
    ]
