"""Reads moves from text in a given position; fails as Unreadable, Illegal or Ambiguous."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.errors import Ambiguous, Refusal, Unreadable
from engine.kinds import Action, Decision
from engine.options import actions_for, check, owed_by, text_of
from engine.state import State
from engine.text import shown
from engine.translate import say
from engine.values import RouteId, Seat, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

LONGEST = 400
"""Characters of the longest text that is read; no move needs more."""
LONGEST_NUMBER = 4
"""Digits of the longest number."""


def read(rules: "Ruleset", state: State, seat: Seat, text: str) -> Action:
    """The action that this text means in this position.

    Raises Unreadable or Illegal if it means none, Ambiguous if it means several.
    """
    decision = owed_by(state, seat)
    words = plain(text)
    if words.isascii() and words.isdigit():
        return _numbered(actions_for(rules, state, decision), words)
    verb, _, rest = words.partition(" ")
    verbs = rules.verbs()
    if verb not in verbs:
        known = ", ".join(sorted(verbs))
        raise Unreadable(
            say(
                "“{words}” does not begin with a command. The commands are: {commands}.",
                words=shown(text),
                commands=known,
            )
        )
    meant: list[Action] = []
    unread = None
    for run in verbs[verb]:
        try:
            meant += run(rules, state, decision, rest)
        except Unreadable as refusal:
            unread = unread or refusal
    if unread and not meant:
        raise unread
    return _one(rules, state, decision, text, meant)


def plain(text: str) -> str:
    """Normalise text: lower case, no accents, single spaces, plain hyphens, commas as “and”."""
    if len(text) > LONGEST:
        raise Unreadable(say("A move can have at most {most} characters.", most=LONGEST))
    bare = unicodedata.normalize("NFKD", text.casefold().replace(",", " and "))
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    kept = kept.replace("–", "-").replace("—", "-").strip(" \t\r\n.;!")
    return " ".join(kept.split()).replace(" - ", "-")


def number_in(word: str) -> int | None:
    """The word as a number; None if it is not one. Raises Unreadable for numbers no move has."""
    if not (word.isascii() and word.isdigit()):
        return None
    if len(word) > LONGEST_NUMBER or (word[0] == "0" and word != "0"):
        raise Unreadable(
            say("“{number}” is not a number that a move can have.", number=shown(word))
        )
    return int(word)


def amounts(words: str, names: Mapping[str, str], refused: Callable[[str], str]) -> dict[str, int]:
    """Read amounts such as `2 red and 1 locomotive`; a name without a number counts as one.

    `refused` makes the sentence for a word that is not one of the names.
    """
    counts: dict[str, int] = {}
    number: int | None = None
    for word in words.split():
        value = number_in(word)
        if value is not None and number is None:
            number = value
        elif word in names:
            counts[names[word]] = counts.get(names[word], 0) + (1 if number is None else number)
            number = None
        elif word != "and":
            raise Unreadable(refused(shown(word)))
    if number is not None:
        raise Unreadable(say("{number} of what? Nothing follows the number.", number=number))
    return counts


def alone(verb: str, words: str) -> None:
    """Refuse words after a verb that takes none."""
    if words:
        raise Unreadable(
            say("Nothing can follow “{verb}”; leave out “{words}”.", verb=verb, words=shown(words))
        )


def not_understood(words: str, example: str) -> str:
    """The sentence for text that is nearly right, with an example of what can be read."""
    return say("“{words}” cannot be read. Try “{example}”.", words=words, example=example)


def _numbered(actions: Sequence[Action], words: str) -> Action:
    number = number_in(words) or 0
    if not 1 <= number <= len(actions):
        raise Unreadable(
            say(
                "There is no option {number}; choose one from 1 to {last}.",
                number=number,
                last=len(actions),
            )
        )
    return actions[number - 1]


def _one(
    rules: "Ruleset", state: State, decision: Decision, text: str, meant: Sequence[Action]
) -> Action:
    refusals, legal = [], []
    for action in meant:
        try:
            check(rules, state, decision, action)
            legal.append(action)
        except Refusal as refusal:
            refusals.append(refusal)
    if len(legal) > 1:
        raise Ambiguous(shown(text), [text_of(rules, action) for action in legal])
    if not legal:
        raise refusals[0]
    return legal[0]


def halves(words: str, word: str) -> tuple[str, str]:
    """The text before and after a word; the second half is empty if the word is missing."""
    parts = words.split()
    at = parts.index(word) if word in parts else len(parts)
    return " ".join(parts[:at]), " ".join(parts[at + 1 :])


def routes_in(rules: "Ruleset", words: str) -> list[RouteId]:
    """The routes that these words name: one by its id, or all between two cities."""
    if not words:
        raise Unreadable(say("Which route? Name its two cities."))
    known = rules.board.routes
    name = words.replace(" ", "_")
    if name in known:
        return [name]
    between = [
        id
        for id, route in known.items()
        if name in ("-".join(route.cities), "-".join(reversed(route.cities)))
    ]
    if not between:
        raise Unreadable(no_route(words))
    return between


def no_route(words: str) -> str:
    """The sentence for a route that does not exist."""
    return say("There is no route “{route}” on this board.", route=shown(words))


def city_in(rules: "Ruleset", words: str) -> str:
    """The city that these words name."""
    if not words:
        raise Unreadable(say("Which city? Name one."))
    name = words.replace(" ", "_")
    if name not in rules.board.cities:
        raise Unreadable(no_city(words))
    return name


def no_city(words: str) -> str:
    """The sentence for a city that does not exist."""
    return say("There is no city “{city}” on this board.", city=shown(words))


def tickets_in(words: str, offered: Sequence[TicketId]) -> tuple[TicketId, ...]:
    """Read tickets by id or by their number in the offer, from 1; also “all” and “none”."""
    if words == "all":
        return tuple(offered)
    tickets = []
    for word in words.split():
        if word in ("none", "and"):
            continue
        place = number_in(word)
        if place is not None and 1 <= place <= len(offered):
            tickets.append(offered[place - 1])
        elif word in offered:
            tickets.append(word)
        else:
            raise Unreadable(not_offered(word))
    return tuple(tickets)


def not_offered(words: str) -> str:
    """The sentence for a ticket that was not offered."""
    return say("“{ticket}” is not one of the tickets offered to you.", ticket=shown(words))


def city_name(rules: "Ruleset", id: str) -> str:
    board = rules.board
    return board.cities[id].name if id in board.cities else board.places[id].name


def route_name(rules: "Ruleset", id: RouteId) -> str:
    """A route's cities, and what tells it from other tracks between them, if there are any."""
    return rules.route_names[id].spoken


def ticket_name(rules: "Ruleset", id: TicketId) -> str:
    ticket = rules.board.tickets[id]
    return "–".join(city_name(rules, end) for end in ticket.ends) + f" ({ticket.points})"
