"""The rules of the games as pure functions: no files, no clock, no randomness of their own.

decide(rules, state, seat, action, chance)  the events that an action causes, or a Refusal
evolve(rules, state, event)                 the state after an event
options(rules, state, seat)                 everything the seat may do now
menu(rules, state, seat)                    the same as a short list of entries
seen_by(event, seat)                        the event without what the seat may not see
"""

from engine.audit import audit
from engine.board import Board, board_of
from engine.chance import Chance, commitment, secret_of
from engine.choosing import chosen
from engine.display import Goal, Help
from engine.errors import (
    Ambiguous,
    GameOver,
    Illegal,
    LogError,
    MapError,
    NotAwaited,
    Refusal,
    Unreadable,
)
from engine.fold import evolve, replay
from engine.game import Game
from engine.kinds import Action, Decision, Event
from engine.log import Log, Move, Opening, read_log
from engine.menu import Chosen, Entry, Menu, menu
from engine.notation import read
from engine.options import (
    Option,
    Options,
    capped,
    default_for,
    options,
    question,
    text_of,
    waiting,
)
from engine.play import Outcome, begin, decide
from engine.rules import MODULES
from engine.rules.ticket_words import decks_of
from engine.rules.turns import ENDINGS, GameEnded, GameStarted, TakeTurn, TurnBegan, verdict
from engine.ruleset import Ruleset
from engine.state import State
from engine.story import story, tell
from engine.views import log_seen_by, seen_by, shown

__all__ = [
    "ENDINGS",
    "MODULES",
    "Action",
    "Ambiguous",
    "Board",
    "Chance",
    "Chosen",
    "Decision",
    "Entry",
    "Event",
    "Game",
    "GameEnded",
    "GameOver",
    "GameStarted",
    "Goal",
    "Help",
    "Illegal",
    "Log",
    "LogError",
    "MapError",
    "Menu",
    "Move",
    "NotAwaited",
    "Opening",
    "Option",
    "Options",
    "Outcome",
    "Refusal",
    "Ruleset",
    "State",
    "TakeTurn",
    "TurnBegan",
    "Unreadable",
    "all_verbs",
    "audit",
    "begin",
    "board_of",
    "capped",
    "chosen",
    "commitment",
    "decide",
    "decks_of",
    "default_for",
    "evolve",
    "log_seen_by",
    "menu",
    "options",
    "question",
    "read",
    "read_log",
    "replay",
    "ruleset_of",
    "secret_of",
    "seen_by",
    "shown",
    "story",
    "tell",
    "text_of",
    "verdict",
    "waiting",
]


def ruleset_of(board: Board, seats: int) -> Ruleset:
    """The rules for a board and a number of seats."""
    return Ruleset(board, seats, MODULES)


def all_verbs() -> frozenset[str]:
    """The verbs with which a move can begin, on any board."""
    every = (hung for module in MODULES.values() for hung in module.hung)
    return frozenset(hung.key for hung in every if hung.joint == "reads")
