"""Compares lines with phrases, whatever their case, accents and punctuation."""

import unicodedata

from engine import all_verbs
from engine.notation import ALL_OR_NONE
from service.replies.reading.limits import LONGEST_LINE

_COMMANDS = (
    *("help", "status", "resign", "absence", "board", "hand", "my", "history", "moves", "say"),
    *("stop", "start", "invite", "leave", "rematch", "yes", "sign", "as", "games", "open", "join"),
    *("digest", "zone", "language", "orders"),
)
COMMAND_WORDS = frozenset((*all_verbs(), *ALL_OR_NONE, "ticket", *_COMMANDS))
"""The words with which commands begin, on any board and to any address of ours.

No line with one of them is a courtesy.
"""


def folded(text: str) -> str:
    """Return the words of a text in lower case, without accents and punctuation."""
    plain = text[:LONGEST_LINE].casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    kept = "".join(
        char if char.isalnum() or char == "'" else " "
        for char in unicodedata.normalize("NFKD", plain)
        if not unicodedata.combining(char)
    )
    return " ".join(kept.split())


def phrases(*texts: str) -> frozenset[str]:
    """Return phrases of ours in the form in which lines are compared with them."""
    return frozenset(map(folded, texts))


def may_be_command(line: str) -> bool:
    """Return whether a line has a number or a word with which a command begins."""
    words = folded(line)
    return any(map(str.isdigit, words)) or not COMMAND_WORDS.isdisjoint(words.split())
