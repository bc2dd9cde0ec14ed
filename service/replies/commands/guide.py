"""The list of commands for people: an example of each, and what it does."""

from typing import NamedTuple

from service.i18n.catalogue import sayable


class GuideRow(NamedTuple):
    """A line that can be written in a reply, and what it does."""

    example: str
    meaning: str
    """A text of the catalogue."""


INTRODUCTION = sayable(
    "Write one command per line, above the quoted email. We stop at the first line that does not "
    "work."
)
MOVES = (
    GuideRow("draw", sayable("a move, written out; several lines are several moves")),
    GuideRow("claim paris-dieppe with green", sayable("a move with what you pay")),
    GuideRow("14 with green", sayable("a move by its number in the email that you answer")),
    GuideRow("pay up to 2 or give up", sayable("ends a tunnel that costs up to 2 cards more")),
)
COMMANDS = (
    GuideRow("moves", sayable("the list of your moves again")),
    GuideRow("status", sayable("whom the game is waiting for, until when, and the score")),
    GuideRow("board", sayable("who has which routes, and what your tickets need")),
    GuideRow("hand", sayable("what you hold")),
    GuideRow("my tickets", sayable("your tickets, and what they lack")),
    GuideRow("history", sayable("what happened lately; “history all” tells more")),
    GuideRow("say Hello all", sayable("a message to the table; after “say” alone, all lines")),
    GuideRow("absence 3 Jul - 10 Jul", sayable("days on which you are away")),
    GuideRow("absence", sayable("your absences; “absence cancel” deletes them")),
    GuideRow("stop", sayable("no more mail about this game; “start” undoes it")),
    GuideRow("start", sayable("mail about this game again")),
    GuideRow("invite Ada", sayable("before the game begins: invites a player")),
    GuideRow("leave yes", sayable("before the game begins: gives up your seat")),
    GuideRow("rematch", sayable("after the end: a new table with the same players")),
    GuideRow("resign yes", sayable("resigns, which cannot be undone")),
    GuideRow("orders draw; draw", sayable("moves for later turns; “orders off” deletes them")),
    GuideRow("help", sayable("this list")),
)
"""Every command of `runner.COMMANDS`."""
