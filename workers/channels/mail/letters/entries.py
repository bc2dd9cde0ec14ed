"""The menu of a decision in a letter: entries with their ways, and how many are left out."""

from collections.abc import Sequence

from engine import Board, Entry
from engine.choosing import how_many
from engine.text import listed
from engine.translate import say, says
from service.links import signed_links
from service.views.menu_entries import NumberedEntry, entries_that_matter, titled
from service.views.story import OpenDecision, Story
from workers.channels.mail.letters.blocks import Block, Entries, EntryRow, PlainLink
from workers.channels.mail.letters.context import LetterContext

MOST_WAYS = 3
"""Ways of one entry that are named."""
MOST_NAMED = 2
"""Tickets that are named at an entry which serves them."""


def entry_blocks(
    context: LetterContext,
    story: Story,
    decision: OpenDecision,
    most: int | None = None,
    letter: str = "",
) -> list[Block]:
    """Return the entries that matter with their links, and a link to all if any is left out.

    In an email about several games the letter of the game stands before each number.
    """
    shown = decision.shown
    if most is not None:
        shown = entries_that_matter(story.board, shown, most)
    texts = [item.entry.text for item in shown]
    urls = signed_links.actions(
        context.desk,
        story.game,
        story.seat,
        decision.version,
        [*texts, signed_links.WHOLE_MENU],
        context.seat_links(story),
    )
    rows = tuple(_row(item, urls[item.entry.text], letter) for item in shown)
    blocks: list[Block] = [Entries(rows)]
    numbers = {item.number for item in shown}
    rest = [item for item in decision.entries if item.number not in numbers]
    if rest:
        more = _left_out(story.board, rest)
        label = f"{letter}: {more}" if letter else more
        blocks.append(PlainLink(label, urls[signed_links.WHOLE_MENU]))
    return blocks


def _row(item: NumberedEntry, url: str, letter: str) -> EntryRow:
    entry = item.entry
    things = entry.choice.things if entry.choice else ()
    return EntryRow(
        f"{letter}{item.number}",
        titled(entry),
        how_many(entry.choice) if entry.choice else ways_in_words(entry),
        tuple(
            thing.title if isinstance(thing.value, int) else f"{n} {thing.title}"
            for n, thing in enumerate(things, 1)
        ),
        _served(item.serves),
        url,
    )


def ways_in_words(entry: Entry, most: int = MOST_WAYS) -> str:
    """Return the ways of an entry, the thriftiest first; only the number of those beyond `most`."""
    labels = [way.label for way in entry.ways if way.label]
    if len(labels) < 2:
        return "".join(labels)
    if len(labels) > most + 1:
        rest = len(labels) - most
        last = says("{n} other way", "{n} other ways", rest)
    else:
        most, last = len(labels) - 1, labels[-1]
    return say("{some}; or {last}", some="; ".join(labels[:most]), last=last)


def _served(names: Sequence[str]) -> str:
    if not names:
        return ""
    if len(names) > MOST_NAMED:
        rest = len(names) - MOST_NAMED
        more = says("{n} other", "{n} others", rest)
        return say("for your tickets {tickets}", tickets=listed([*names[:MOST_NAMED], more]))
    return says(
        "for your ticket {tickets}",
        "for your tickets {tickets}",
        len(names),
        tickets=listed(names),
    )


def _left_out(board: Board, rest: Sequence[NumberedEntry]) -> str:
    """Return what is left out of a letter: how many routes, and how many other entries."""
    claims = sum(item.entry.about in board.routes for item in rest)
    others = len(rest) - claims
    if not others:
        return says(
            "… and {n} more route you can pay: see them all",
            "… and {n} more routes you can pay: see them all",
            claims,
        )
    more = says("{n} other move", "{n} other moves", others)
    if not claims:
        return say("… and {more}: see them all", more=more)
    return says(
        "… and {n} more route you can pay, and {more}: see them all",
        "… and {n} more routes you can pay, and {more}: see them all",
        claims,
        more=more,
    )
