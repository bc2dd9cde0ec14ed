"""Action ⇄ text. Text is read in a position, and fails in exactly three ways."""

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
"""No move needs more characters; longer text is refused unread."""
LONGEST_NUMBER = 4


def read(rules: "Ruleset", state: State, seat: Seat, text: str) -> Action:
    """The action that this text means here; Unreadable, Illegal or Ambiguous if none or several."""
    asked = owed_by(state, seat)
    said = plain(text)
    if said.isascii() and said.isdigit():
        return _numbered(actions_for(rules, state, asked), said)
    verb, _, rest = said.partition(" ")
    verbs = rules.verbs()
    if verb not in verbs:
        known = ", ".join(sorted(verbs))
        raise Unreadable(
            say("“{said}” begins with none of the words: {known}.", said=shown(text), known=known)
        )
    meant: list[Action] = []
    unread = None
    for run in verbs[verb]:
        try:
            meant += run(rules, state, asked, rest)
        except Unreadable as refusal:
            unread = unread or refusal
    if unread and not meant:
        raise unread
    return _one(rules, state, asked, text, meant)


def plain(text: str) -> str:
    """Lower case, no accents, single spaces, dashes joined, commas as “and”."""
    if len(text) > LONGEST:
        raise Unreadable(say("A move has at most {most} characters.", most=LONGEST))
    bare = unicodedata.normalize("NFKD", text.casefold().replace(",", " and "))
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    kept = kept.replace("–", "-").replace("—", "-").strip(" \t\r\n.;!")
    return " ".join(kept.split()).replace(" - ", "-")


def number_in(word: str) -> int | None:
    """The number that a word is; None if it is none. What no move can mean is not guessed at."""
    if not (word.isascii() and word.isdigit()):
        return None
    if len(word) > LONGEST_NUMBER or (word[0] == "0" and word != "0"):
        raise Unreadable(say("“{said}” is no number that a move can have.", said=shown(word)))
    return int(word)


def amounts(said: str, names: Mapping[str, str], refused: Callable[[str], str]) -> dict[str, int]:
    """So many of each thing, as in `2 red and 1 locomotive`; without a number one is meant.

    What is to be said of a word that is none of the names is the caller's to know.
    """
    found: dict[str, int] = {}
    number: int | None = None
    for word in said.split():
        value = number_in(word)
        if value is not None and number is None:
            number = value
        elif word in names:
            found[names[word]] = found.get(names[word], 0) + (1 if number is None else number)
            number = None
        elif word != "and":
            raise Unreadable(refused(shown(word)))
    if number is not None:
        raise Unreadable(say("It is not said of what there are {number}.", number=number))
    return found


def alone(verb: str, said: str) -> None:
    """Refuse words after a verb that takes none."""
    if said:
        raise Unreadable(
            say("“{verb}” stands alone; “{said}” is too much.", verb=verb, said=shown(said))
        )


def not_understood(said: str, known: str) -> str:
    """What is said of words that are nearly right."""
    return say("“{said}” is not understood; “{known}” is.", said=said, known=known)


def _numbered(actions: Sequence[Action], said: str) -> Action:
    number = number_in(said) or 0
    if not 1 <= number <= len(actions):
        raise Unreadable(
            say(
                "There is no option {number}; they go from 1 to {last}.",
                number=number,
                last=len(actions),
            )
        )
    return actions[number - 1]


def _one(
    rules: "Ruleset", state: State, asked: Decision, text: str, meant: Sequence[Action]
) -> Action:
    refusals, legal = [], []
    for action in meant:
        try:
            check(rules, state, asked, action)
            legal.append(action)
        except Refusal as refusal:
            refusals.append(refusal)
    if len(legal) > 1:
        raise Ambiguous(shown(text), [text_of(rules, action) for action in legal])
    if not legal:
        raise refusals[0]
    return legal[0]


def halves(said: str, word: str) -> tuple[str, str]:
    """What stands before and after a word; the second is empty if the word is not there."""
    words = said.split()
    at = words.index(word) if word in words else len(words)
    return " ".join(words[:at]), " ".join(words[at + 1 :])


def routes_in(rules: "Ruleset", said: str) -> list[RouteId]:
    """The tracks that these words name: an id, or two cities in any order."""
    if not said:
        raise Unreadable(say("It is not said which route is meant."))
    known = rules.board.routes
    name = said.replace(" ", "_")
    if name in known:
        return [name]
    found = [
        id
        for id, route in known.items()
        if name in ("-".join(route.cities), "-".join(reversed(route.cities)))
    ]
    if not found:
        raise Unreadable(no_route(said))
    return found


def no_route(said: str) -> str:
    """What is said of a route that does not exist."""
    return say("There is no route “{said}” on this board.", said=shown(said))


def city_in(rules: "Ruleset", said: str) -> str:
    """The city that these words name."""
    if not said:
        raise Unreadable(say("It is not said which city is meant."))
    name = said.replace(" ", "_")
    if name not in rules.board.cities:
        raise Unreadable(no_city(said))
    return name


def no_city(said: str) -> str:
    """What is said of a city that does not exist."""
    return say("There is no city “{said}” on this board.", said=shown(said))


def tickets_in(said: str, offered: Sequence[TicketId]) -> tuple[TicketId, ...]:
    """Tickets by id or by their place in the offer from 1; “all” and “none” are words for many."""
    if said == "all":
        return tuple(offered)
    found = []
    for word in said.split():
        if word in ("none", "and"):
            continue
        place = number_in(word)
        if place is not None and 1 <= place <= len(offered):
            found.append(offered[place - 1])
        elif word in offered:
            found.append(word)
        else:
            raise Unreadable(not_offered(word))
    return tuple(found)


def not_offered(said: str) -> str:
    """What is said of a ticket that was not offered."""
    return say("“{said}” is not among the tickets offered to you.", said=shown(said))


def city_name(rules: "Ruleset", id: str) -> str:
    board = rules.board
    return board.cities[id].name if id in board.cities else board.places[id].name


def route_name(rules: "Ruleset", id: RouteId) -> str:
    """Its cities, and what tells it from another track between them, if there is one."""
    return rules.route_names[id].spoken


def ticket_name(rules: "Ruleset", id: TicketId) -> str:
    ticket = rules.board.tickets[id]
    return "–".join(city_name(rules, end) for end in ticket.ends) + f" ({ticket.points})"
