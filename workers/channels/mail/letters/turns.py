"""Letters about decisions: one, or several in one letter."""

from collections.abc import Sequence
from datetime import datetime

from engine.text import together
from engine.translate import say, says
from service.i18n import times
from service.links import signed_links
from service.notify import recipients
from service.notify.outbox import Delivery
from service.views.reply_examples import Example
from service.views.story import OpenDecision, Story
from workers.channels.mail.letters.blocks import (
    BigLink,
    Block,
    ExampleRow,
    Examples,
    Heading,
    Items,
    Paragraph,
    PlainLink,
    SmallLink,
    Strong,
    Title,
)
from workers.channels.mail.letters.context import Draft, LetterContext
from workers.channels.mail.letters.entries import entry_blocks
from workers.channels.mail.letters.phrases import (
    answering,
    merged_subject,
    merged_title,
    news,
    reminder_subject,
    turn_subject,
    until,
)
from workers.channels.mail.letters.pieces import foot, happened, picture_of, position, standing

MOST_PICTURES = 3
"""Games in one letter that are told at length; with more it would be too large for mailboxes."""
MOST_GAMES = 12
"""Games in one letter; the page of all games has the others."""
MOST_TOGETHER = 8
"""Entries of each game in a letter about several."""


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
    blocks += [*decision_blocks(context, story, decision), *foot(context, story)]
    return Draft(
        subject(story.title, decision.prompt),
        blocks,
        story.game,
        story.seat,
        context.reply_to(story, decision),
        ((picture_of(context, story), story),),
        preheader=latest_news(context, story, decision),
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
    at_length = len(pending) <= MOST_PICTURES
    blocks: list[Block] = [Title(merged_title(len(pending)))]
    for story, decision in pending[:MOST_GAMES]:
        blocks += [Title(story.title), *question(context, story, decision)]
        blocks += _at_length(context, story, decision) if at_length else _briefly(story)
        address = context.reply_to(story, decision)
        blocks.append(
            Paragraph(say("To answer for this game, write to {address}", address=address))
        )
        blocks += foot(context, story)
    if len(pending) > MOST_GAMES:
        url = f"{context.desk.settings.public_url}/games"
        blocks.append(PlainLink(_more_games(len(pending) - MOST_GAMES), url))
    blocks += how_to_answer(pending[0][1])
    blocks.append(
        Paragraph(
            say("A plain reply answers the first game above; each game names its own address.")
        )
    )
    every = signed_links.unsubscribe(context.desk, context.reader.account, None)
    blocks.append(SmallLink(say("No more mail about turns"), every))
    return Draft(
        merged_subject([story.title for story, _ in pending]),
        blocks,
        reply_to=context.reply_to(*pending[0]),
        stories=tuple((picture_of(context, story), story) for story, _ in pending if at_length),
        preheader=latest_news(context, *pending[0]),
    )


def _more_games(number: int) -> str:
    return says(
        "… and {n} more game waits for you: see them all",
        "… and {n} more games wait for you: see them all",
        number,
    )


def _briefly(story: Story) -> list[Block]:
    """The latest news of a game, in a letter about many."""
    return [Paragraph(story.happened.headline)] if story.happened.headline else []


def _at_length(context: LetterContext, story: Story, decision: OpenDecision) -> list[Block]:
    """A game in a letter about a few: shorter than in a letter of its own."""
    return [
        *position(context, story),
        *happened(story),
        Heading(say("What you can do")),
        *entry_blocks(context, story, decision, MOST_TOGETHER),
    ]


def decision_blocks(context: LetterContext, story: Story, decision: OpenDecision) -> list[Block]:
    """Everything that a player needs to make a decision, in the order in which it is needed."""
    return [
        *question(context, story, decision),
        *position(context, story),
        *happened(story),
        *standing(story),
        Heading(say("What you can do")),
        *_explained(decision),
        *entry_blocks(context, story, decision),
        *_final(decision),
        *_default(decision),
        *how_to_answer(decision),
    ]


def question(context: LetterContext, story: Story, decision: OpenDecision) -> list[Block]:
    """What is asked and until when, and the link to answer on a page."""
    due = _deadline(decision)
    when = say("There is no deadline.")
    if due is not None:
        when = until(due, context.now, context.reader.time_zone)
    return [
        Strong(together(decision.prompt, when)),
        BigLink(say("Open my turn"), context.turn_link(story, decision)),
    ]


def _deadline(decision: OpenDecision) -> datetime | None:
    return None if decision.deadline is None else times.read(decision.deadline)


def latest_news(context: LetterContext, story: Story, decision: OpenDecision) -> str:
    """What lists of letters show after the subject; nothing that is hidden from anybody."""
    return news(story.happened.headline, decision.prompt, _deadline(decision), context.now)


def _explained(decision: OpenDecision) -> list[Block]:
    """A line for each thing among the options that is new to the reader."""
    lines = tuple(f"{text.title}: {text.text}" for text in decision.help)
    return [Paragraph(say("New to you:")), Items(lines)] if lines else []


def _final(decision: OpenDecision) -> list[Block]:
    """That nothing is taken back, where chance has a say in more than a draw."""
    notes = [item.entry.note for item in decision.shown if item.entry.reveals and item.entry.note]
    if not notes:
        return []
    return [Paragraph(say("What chance decides ({note}) cannot be taken back.", note=notes[0]))]


def _default(decision: OpenDecision) -> list[Block]:
    if decision.deadline is None:
        return []
    label = decision.default
    return [Paragraph(say("If the time runs out, this is played for you: {label}.", label=label))]


def how_to_answer(decision: OpenDecision) -> list[Block]:
    """How to answer, with examples that could be sent now."""
    blocks: list[Block] = [Heading(say("How to answer"))]
    if decision.examples:
        rows = tuple(map(_example, decision.examples))
        blocks += [Paragraph(say("You could answer now, for example:")), Examples(rows)]
    if answer := decision.with_locomotives:
        blocks.append(Paragraph(_with_locomotives(answer, rolls=decision.rolls)))
    return [*blocks, Items(answering())]


def _with_locomotives(answer: str, *, rolls: bool) -> str:
    if rolls:
        return say("Jokers can stand in for other faces: {answer}", answer=answer)
    return say("Locomotives can stand in for cards of any colour: {answer}", answer=answer)


def _example(example: Example) -> ExampleRow:
    answer, meaning = example
    return ExampleRow(answer, meaning, say("{answer} – {meaning}", answer=answer, meaning=meaning))
