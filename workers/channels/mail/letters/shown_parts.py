"""Parts of a letter that a reply has asked for: help, score, board, hand, tickets, history."""

from collections.abc import Callable, Iterable

from engine.translate import say
from service.replies.commands import guide
from service.replies.commands.guide import GuideRow
from service.views.board_text import Section, board_text
from service.views.history import history_for
from service.views.story import Story
from workers.channels.mail.letters.blocks import (
    Block,
    ExampleRow,
    Examples,
    Grid,
    Heading,
    Items,
    Paragraph,
)
from workers.channels.mail.letters.context import LetterContext
from workers.channels.mail.letters.pieces import hand, picture, standing, tickets

LATEST = 30
"""Sentences that “history” tells."""
MOST_HISTORY = 200
"""Sentences that “history all” tells; the page of the game has the others."""
MOST_TICKETS = 30
"""Open tickets of which “my tickets” says what they lack."""


def help_blocks(context: LetterContext) -> list[Block]:
    """Return the list of commands, each with an example."""
    return [
        Heading(say("What you can write")),
        Paragraph(say(guide.INTRODUCTION)),
        Examples(tuple(map(_row, guide.MOVES))),
        Paragraph(say("Also when it is not your turn:")),
        Examples(tuple(map(_row, guide.COMMANDS))),
        Paragraph(
            say(
                "To open, join or leave games by mail, write “help” to {address}.",
                address=context.desk.settings.service_address,
            )
        ),
    ]


def _row(row: GuideRow) -> ExampleRow:
    meaning = say(row.meaning)
    line = say("{answer} – {meaning}", answer=row.example, meaning=meaning)
    return ExampleRow(row.example, meaning, line)


def shown(context: LetterContext, story: Story, parts: Iterable[str]) -> list[Block]:
    """Return the parts with these names; unknown ones are left out."""
    writers = [_PARTS[part] for part in parts if part in _PARTS]
    return [block for write in writers for block in write(context, story)]


def _help(context: LetterContext, _: Story) -> list[Block]:
    return help_blocks(context)


def _status(_: LetterContext, story: Story) -> list[Block]:
    return standing(story)


def _board(context: LetterContext, story: Story) -> list[Block]:
    blocks: list[Block] = [Heading(say("The board")), picture(context, story)]
    for section in board_text(story):
        blocks += _section(section)
    return blocks


def _section(section: Section) -> Iterable[Block]:
    yield Paragraph(section.title)
    if section.rows:
        head = (say("Route"), say("Kind"), say("Length"))
        rows = tuple((row.cities, row.notes, str(row.length)) for row in section.rows)
        yield Grid(head, rows, 2)
    if section.sentences:
        yield Items(section.sentences)


def _hand(_: LetterContext, story: Story) -> list[Block]:
    return hand(story)


def _tickets(_: LetterContext, story: Story) -> list[Block]:
    return tickets(story, MOST_TICKETS)


def _history(context: LetterContext, story: Story, most: int = LATEST) -> list[Block]:
    history = history_for(context.desk, story.game, context.reader.account, most)
    blocks: list[Block] = [Heading(say("What has happened"))]
    if history.more:
        blocks.append(
            Paragraph(say("More happened before that; this letter tells only the latest."))
        )
    blocks.append(
        Items(history.sentences)
        if history.sentences
        else Paragraph(say("Nothing has happened yet."))
    )
    return blocks


def _whole_history(context: LetterContext, story: Story) -> list[Block]:
    return _history(context, story, MOST_HISTORY)


_PARTS: dict[str, Callable[[LetterContext, Story], list[Block]]] = {
    "help": _help,
    "status": _status,
    "board": _board,
    "hand": _hand,
    "my tickets": _tickets,
    "history": _history,
    "history all": _whole_history,
}
"""The writers of parts by the name that a command gives them."""
