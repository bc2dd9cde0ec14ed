"""The parts of a letter that put a decision to its reader: question, entries, how to answer."""

from collections.abc import Sequence
from datetime import datetime

from engine.text import together
from engine.translate import say
from service.i18n import times
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
    Strong,
)
from workers.channels.mail.letters.context import LetterContext
from workers.channels.mail.letters.entries import entry_blocks
from workers.channels.mail.letters.phrases import answering, news, until
from workers.channels.mail.letters.pieces import happened, position, standing


def decision_blocks(context: LetterContext, story: Story, decision: OpenDecision) -> list[Block]:
    """Return all that a player needs to make a decision, in the order in which it is needed."""
    return [
        *question(context, story, decision),
        *about_orders(story),
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


def question(
    context: LetterContext, story: Story, decision: OpenDecision, letter: str = ""
) -> list[Block]:
    """Return what is asked and until when, and the link to answer on a page.

    In an email about several games the link names the letter of its game.
    """
    label = say("Open my turn in game {letter}", letter=letter) if letter else say("Open my turn")
    due = _deadline(decision)
    when = say("There is no deadline.")
    if due is not None:
        when = until(due, context.now, context.reader.time_zone)
    return [
        Strong(together(decision.prompt, when)),
        BigLink(label, context.turn_link(story, decision)),
    ]


def _deadline(decision: OpenDecision) -> datetime | None:
    return None if decision.deadline is None else times.read(decision.deadline)


def about_orders(story: Story) -> list[Block]:
    """Return why the reader is asked although there were orders; empty if there were none."""
    if story.orders is None:
        return []
    if story.orders["state"] == "stopped":
        why = say("Your orders have stopped: {reason}", reason=story.orders["reason"])
        return [Paragraph(why), Paragraph(say("They were: {orders}", orders=story.orders["text"]))]
    if story.orders["state"] == "finished":
        return [Paragraph(say("Your orders have been carried out."))]
    return [Paragraph(say("Your orders for later: {orders}", orders=story.orders["text"]))]


def latest_news(context: LetterContext, story: Story, decision: OpenDecision) -> str:
    """Return what lists of letters show after the subject; nothing that is hidden from anybody."""
    return news(story.happened.headline, decision.prompt, _deadline(decision), context.now)


def _explained(decision: OpenDecision) -> list[Block]:
    """Return a line for each thing among the options that is new to the reader."""
    lines = tuple(f"{text.title}: {text.text}" for text in decision.help)
    return [Paragraph(say("New to you:")), Items(lines)] if lines else []


def _final(decision: OpenDecision) -> list[Block]:
    """Say that nothing is taken back, where chance has a say in more than a draw."""
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
    """Return how to answer, with examples that could be sent now."""
    blocks: list[Block] = [Heading(say("How to answer")), *example_blocks(decision.examples)]
    if answer := decision.with_locomotives:
        blocks.append(Paragraph(_with_locomotives(answer, rolls=decision.rolls)))
    return [*blocks, Items(answering())]


def example_blocks(examples: Sequence[Example]) -> list[Block]:
    """Return answers that could be sent now, each with what it means."""
    if not examples:
        return []
    rows = tuple(map(_example, examples))
    return [Paragraph(say("You could answer now, for example:")), Examples(rows)]


def _with_locomotives(answer: str, *, rolls: bool) -> str:
    if rolls:
        return say("Jokers can stand in for other faces: {answer}", answer=answer)
    return say("Locomotives can stand in for cards of any colour: {answer}", answer=answer)


def _example(example: Example) -> ExampleRow:
    answer, meaning = example
    return ExampleRow(answer, meaning, say("{answer} – {meaning}", answer=answer, meaning=meaning))
