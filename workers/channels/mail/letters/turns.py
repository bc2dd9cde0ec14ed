"""Letters about decisions: one, or several in one letter."""

from collections.abc import Sequence

import pictures
from engine.translate import say
from service.i18n import times
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.views.story import OpenDecision, Story
from workers.channels.mail.letters.blocks import (
    Block,
    Facts,
    Grid,
    Heading,
    Items,
    Offered,
    Options,
    Paragraph,
    Picture,
    Small,
    SmallLink,
    Strong,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext
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
"""Games in one letter with pictures; with more it would be too large for some mailboxes."""


def turns(context: LetterContext, letter: Sequence[Delivery]) -> Draft | None:
    """The decisions to make, in one game or several; None if none of them is open any more."""
    pending = _open(context, letter)
    if not pending:
        return None
    reminded = any(delivery.kind == "decision_reminder" for delivery in letter)
    if len(pending) > 1:
        return _several(context, pending)
    story, decision = pending[0]
    subject = reminder_subject if reminded else turn_subject
    blocks: list[Block] = [Title(story.title)]
    if reminded:
        blocks.append(Paragraph(say("Reminder: this decision still waits for you.")))
    blocks += decision_blocks(context, story, decision)
    blocks += [*how_to_answer(decision), *foot(context, story)]
    return Draft(
        subject(story.title, decision.prompt),
        blocks,
        story.game,
        story.seat,
        context.reply_to(story, decision),
        ((picture_of(context, story), story),),
    )


def _open(context: LetterContext, letter: Sequence[Delivery]) -> list[tuple[Story, OpenDecision]]:
    """The decisions of a letter that are still open, each once, the most urgent first."""
    named = dict.fromkeys((delivery.game, delivery.version) for delivery in letter)
    pending = [
        (story, story.decision)
        for game, version in named
        if game is not None
        and version is not None
        and (story := recipients.open_story(context.desk, game, context.reader.account, version))
        and story.decision
    ]
    return sorted(pending, key=lambda pair: pair[1].deadline or "9")


def _several(context: LetterContext, pending: Sequence[tuple[Story, OpenDecision]]) -> Draft:
    pictured = len(pending) <= MOST_PICTURES
    blocks: list[Block] = [
        Title(merged_title(len(pending))),
        Paragraph(
            say("A plain reply answers the first game below; each game names its own address.")
        ),
        *how_to_answer(pending[0][1]),
    ]
    for story, decision in pending:
        blocks.append(Title(story.title))
        blocks += decision_blocks(context, story, decision, pictured=pictured)
        address = context.reply_to(story, decision)
        blocks.append(
            Paragraph(say("To answer for this game, write to {address}", address=address))
        )
        blocks += foot(context, story)
    every = signed_links.unsubscribe(context.desk, context.reader.account, None)
    blocks.append(SmallLink(say("No more mail about turns"), every))
    return Draft(
        merged_subject([story.title for story, _ in pending]),
        blocks,
        reply_to=context.reply_to(*pending[0]),
        stories=tuple((picture_of(context, story), story) for story, _ in pending if pictured),
    )


def picture_of(context: LetterContext, story: Story) -> str:
    """The content id of the picture of this story."""
    return f"{story.game}.{story.version}@{context.desk.settings.mail_domain}"


def decision_blocks(
    context: LetterContext, story: Story, decision: OpenDecision, *, pictured: bool = True
) -> list[Block]:
    """Everything that a player needs to make a decision."""
    return [
        Strong(decision.prompt),
        Paragraph(_due(context, decision)),
        *happened(story),
        Heading(say("What you can do")),
        *_explained(decision),
        Options(_offered(context, story, decision), say("Play by link")),
        *_default(decision),
        *standing(context, story, pictured=pictured),
    ]


def _explained(decision: OpenDecision) -> list[Block]:
    """A line for each thing among the options that is new to the reader."""
    lines = tuple(f"{text.title}: {text.text}" for text in decision.help)
    return [Paragraph(say("New to you:")), Items(lines)] if lines else []


def _due(context: LetterContext, decision: OpenDecision) -> str:
    if decision.deadline is None:
        return say("There is no deadline.")
    return until(times.read(decision.deadline), context.now, context.reader.time_zone)


def _default(decision: OpenDecision) -> list[Block]:
    if decision.deadline is None:
        return []
    label = decision.default.label
    return [Paragraph(say("If the time runs out, this is played for you: {label}.", label=label))]


def happened(story: Story) -> list[Block]:
    """What has happened since the reader's last move."""
    news = story.happened
    blocks: list[Block] = []
    if news.mine:
        blocks += [Heading(say("Your last move")), Items(news.mine)]
    blocks.append(Heading(say("What happened since your last move")))
    if news.more:
        blocks.append(
            Paragraph(say("More happened before that; this letter tells only the latest."))
        )
    blocks.append(
        Items(news.since) if news.since else Paragraph(say("Nothing else has happened since."))
    )
    return blocks


def _offered(context: LetterContext, story: Story, decision: OpenDecision) -> tuple[Offered, ...]:
    groups = decision.groups
    names = [group.name for group in groups]
    urls = signed_links.actions(
        context.desk, story.game, story.seat, decision.version, names, context.seat_links(story)
    )
    return tuple(Offered(group, urls[group.name]) for group in groups)


def standing(context: LetterContext, story: Story, *, pictured: bool = True) -> list[Block]:
    """The position: hand, tickets, scores, the table and its picture."""
    tickets: Block = Paragraph(say("You hold no tickets yet."))
    if story.tickets:
        tickets = Items(tuple(map(ticket, story.tickets)))
    text = pictures.described(story.board, story.scene)
    board: Block = Picture(picture_of(context, story), text) if pictured else Paragraph(text)
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


def how_to_answer(decision: OpenDecision) -> list[Block]:
    """How to answer."""
    example = decision.groups[0].options[0].text
    return [Heading(say("How to answer")), Items(answering(example))]


def foot(context: LetterContext, story: Story) -> list[Block]:
    """The foot of every letter about a game."""
    desk = context.desk
    log = say(
        "Head of the log after move {version}: {head}", version=story.version, head=story.head
    )
    return [
        Small(log),
        SmallLink(
            say("This mail was forwarded or seen by somebody else: make its links void"),
            signed_links.forwarded(desk, story.game, story.seat, context.seat_links(story)),
        ),
        SmallLink(
            say("No more mail about this game"),
            signed_links.unsubscribe(desk, context.reader.account, story.game),
        ),
    ]
