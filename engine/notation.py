"""Reads moves from text in a given position; fails as Unreadable, Illegal or Ambiguous."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.copied_lines import check_number, copied_entry, numbered_words
from engine.errors import Ambiguous, Refusal, Unreadable
from engine.kinds import Action, Decision
from engine.menu import Menu, menu, number_of, numbered
from engine.options import check, owed_by, text_of
from engine.purse import Bill
from engine.state import State
from engine.text import either, shown, together
from engine.translate import say
from engine.values import NOTHING, Payment, RouteId, Seat, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

LONGEST = 400
"""Characters of the longest text that is read; no move needs more."""
LONGEST_NUMBER = 4
"""Digits of the longest number."""
ALL_OR_NONE = ("all", "none")
"""Words that answer a choice of things without a verb."""
LABEL_MARKS = ".:)"
"""Marks after the number of an option."""
MOST_GUESSES = 3
"""How many places are suggested for a misspelt one."""
CLOSE = 0.75
"""The least similarity of a suggestion, from 0 to 1."""


def read(rules: "Ruleset", state: State, seat: Seat, text: str) -> Action:
    """The action that this text means in this position.

    Raises Unreadable or Illegal if it means none, Ambiguous if it means several.
    """
    owed_by(state, seat)
    try:
        return _read_typed(rules, state, seat, text)
    except Unreadable:
        action = _read_copied(rules, state, seat, text)
        if action is None:
            raise
        return action


def _read_typed(rules: "Ruleset", state: State, seat: Seat, text: str) -> Action:
    words = plain(text)
    if names_an_entry(words) or words in ALL_OR_NONE:
        return _read_numbered(rules, state, seat, words)
    return _read_words(rules, state, owed_by(state, seat), text, words)


def _read_copied(rules: "Ruleset", state: State, seat: Seat, text: str) -> Action | None:
    """Read a line of an email's menu, or a numbered move; None if it is neither."""
    entries = menu(rules, state, seat)
    if (entry := copied_entry(rules, entries, text)) is not None:
        return _read_typed(rules, state, seat, entry.text)
    number, words = numbered_words(text)
    if number is None or plain(words).partition(" ")[0] not in rules.verbs():
        return None
    action = _read_typed(rules, state, seat, words)
    check_number(number, number_of(rules, entries, action), text)
    return action


def _read_numbered(rules: "Ruleset", state: State, seat: Seat, words: str) -> Action:
    """Read the number of an entry with what completes it; a refusal says what it stands for."""
    written = spelled_out(menu(rules, state, seat), words)
    try:
        return _read_words(rules, state, owed_by(state, seat), words, written)
    except Unreadable as refusal:
        sentence = say("“{words}” stands for “{move}”.", words=shown(words), move=shown(written))
        raise Unreadable(together(sentence, refusal.sentence)) from None


def _read_words(
    rules: "Ruleset", state: State, decision: Decision, text: str, words: str
) -> Action:
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
    meanings: list[Action] = []
    unread = None
    for run in verbs[verb]:
        try:
            meanings += run(rules, state, decision, rest)
        except Unreadable as refusal:
            unread = unread or refusal
    if unread and not meanings:
        raise unread
    return _only_meaning(rules, state, decision, text, meanings)


def plain(text: str) -> str:
    """Normalise text: lower case, no accents, single spaces, plain hyphens, commas as “and”."""
    if len(text) > LONGEST:
        raise Unreadable(say("A move can have at most {most} characters.", most=LONGEST))
    bare = unicodedata.normalize("NFKD", text.casefold().replace(",", " and "))
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    kept = kept.replace("–", "-").replace("—", "-").strip(" \t\r\n.;!")
    return " ".join(kept.split()).replace(" - ", "-")


_plain_name = lru_cache(maxsize=1 << 12)(plain)  # of routes, which are few


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


def without(words: str, *fillers: str) -> str:
    """The words without those that change nothing, such as “the” and “card”."""
    return " ".join(word for word in words.split() if word not in fillers)


def alone(verb: str, words: str) -> None:
    """Refuse words after a verb that takes none."""
    if words:
        raise Unreadable(
            say("Nothing can follow “{verb}”; leave out “{words}”.", verb=verb, words=shown(words))
        )


def not_understood(words: str, example: str) -> str:
    """The sentence for text that is nearly right, with an example of what can be read."""
    return say("“{words}” cannot be read. Try “{example}”.", words=words, example=example)


def names_an_entry(words: str) -> bool:
    """Whether plain words begin with a number, which stands for an entry of the menu."""
    return words[:1].isdigit()


def spelled_out(entries: Menu, words: str) -> str:
    """Words that begin with the number of an entry, with the entry's own text instead.

    Where there is only a choice of things, numbers mean these things.
    """
    number, _, rest = words.partition(" ")
    if len(entries) == 1 and entries[0].choice:
        _refuse_label(entries[0].lead, number, words)
        return f"{entries[0].lead} {words}"
    place = number_in(number.rstrip(LABEL_MARKS))
    if place is None:
        return words
    entry = numbered(entries, place)
    if rest.startswith("and "):  # the entry and a thing of it, two entries, or two things?
        raise Unreadable(
            say("“{words}” may mean several moves. Write one move per line.", words=shown(words))
        )
    rest = rest.removeprefix("with ")
    return f"{entry.lead} {rest}" if rest else entry.text


def _refuse_label(lead: str, number: str, words: str) -> None:
    """Refuse the number of an option, as in “1: 2 3”, where numbers mean things."""
    if number.endswith(tuple(LABEL_MARKS)):
        raise Unreadable(
            say(
                "“{words}” begins with the number of an option, but numbers stand for the things "
                "to choose here. Write only the numbers that you choose, such as “1 3” or "
                "“{example}”.",
                words=shown(words),
                example=f"{lead} 1 3",
            )
        )


def _only_meaning(
    rules: "Ruleset", state: State, decision: Decision, text: str, meanings: Sequence[Action]
) -> Action:
    refusals, legal = [], []
    for action in meanings:
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


def route_and_payment(rules: "Ruleset", words: str) -> tuple[str, str]:
    """The words for a route and for what is paid: `a-b with 1 black`, or `a-b 1 black`."""
    route, payment = halves(words, "with")
    parts = route.split()
    at = next((at for at, part in enumerate(parts) if at and part.isdigit()), None)
    if payment or at is None or _names_route(rules, route):
        return route, payment
    return " ".join(parts[:at]), " ".join(parts[at:])


def _names_route(rules: "Ruleset", words: str) -> bool:
    try:
        return bool(routes_in(rules, words))
    except Unreadable:
        return False


def payments_in(bill: Bill, listed: Iterable[Payment], words: str) -> list[Payment]:
    """The payments that these words mean, where these are listed for a bill."""
    purse = bill.rules.purse
    return purse.read(words, purse.ways(bill, listed))


def why_not_paid(bill: Bill, payment: Payment, what: str) -> str:
    """Why a payment is refused: nothing the seat has would do, or this payment is wrong."""
    rules, state, seat, cost, committed = bill
    ways = rules.purse.payments(rules, state, seat, (cost,), committed)
    if not ways and str(payment) == NOTHING:
        price = say("It costs {price}.", price=rules.purse.price(cost))
        return together(cannot_pay(what), price)
    refused = say("You cannot pay for {what} with {payment}.", what=what, payment=payment.spoken)
    return together(refused, rules.purse.why_not(bill, payment))


def cannot_pay(what: str) -> str:
    """The sentence for something that cannot be paid for at all."""
    return say("You cannot pay for {what} with what you have.", what=what)


def routes_in(rules: "Ruleset", words: str) -> list[RouteId]:
    """The routes that these words name: one by its id, or all between two cities."""
    if not words:
        raise Unreadable(say("Which route? Name its two cities."))
    known = rules.board.routes
    name = words.replace(" ", "_")
    if name in known:
        return [name]
    if spoken := [id for id in known if _plain_name(route_name(rules, id)) == words]:
        return spoken
    if words in (cities := _cities(rules)):
        raise Unreadable(_where_to(rules, cities[words]))
    ends = _two_cities(rules, words)
    between = [id for id, route in known.items() if set(route.cities) == ends]
    if not between:
        raise Unreadable(together(no_route(words), _did_you_mean(_close_routes(rules, words))))
    return between


def _where_to(rules: "Ruleset", city: str) -> str:
    """Ask for the second city of a route, and list the cities to which routes lead."""
    ends = [route.cities for route in rules.board.routes.values() if city in route.cities]
    others = sorted({city_name(rules, end) for pair in ends for end in pair if end != city})
    here = city_name(rules, city)
    return say("Which route from {city}: to {cities}?", city=here, cities=either(others))


def _two_cities(rules: "Ruleset", words: str) -> set[str]:
    """The ids of the two cities that these words name, in any order: `a-b`, `a to b`, `a b`."""
    parts = words.replace("-", " ").replace("_", " ").split()
    parts = [part for part in parts if part not in ("to", "and", "from", "the", "route", "between")]
    cities = _cities(rules)
    for at in range(1, len(parts)):
        ends = " ".join(parts[:at]), " ".join(parts[at:])
        if all(end in cities for end in ends):
            return {cities[end] for end in ends}
    return set()


@lru_cache(maxsize=64)
def _cities(rules: "Ruleset") -> Mapping[str, str]:
    """The ids of all cities, by themselves and by their names in plain words."""
    cities = rules.board.cities.values()
    return {plain(city.name).replace("-", " "): city.id for city in cities} | {
        city.id.replace("_", " "): city.id for city in cities
    }


def _close_routes(rules: "Ruleset", words: str) -> list[str]:
    """The routes whose names are nearly these words, the nearest first."""
    plain_words = "-".join(words.replace("-", " ").replace(" to ", " ").split())
    names = {
        "-".join(ends).replace("_", "-"): f"{'-'.join(route.cities)}"
        for route in rules.board.routes.values()
        for ends in (route.cities, route.cities[::-1])
    }
    close = get_close_matches(plain_words, names, MOST_GUESSES, CLOSE)
    return list(dict.fromkeys(names[name] for name in close))


def _did_you_mean(guesses: Sequence[str]) -> str:
    if not guesses:
        return ""
    names = [f"“{guess}”" for guess in guesses]
    return say("Did you mean {guesses}?", guesses=either(names))


def no_route(words: str) -> str:
    """The sentence for a route that does not exist."""
    return say("There is no route “{route}” on this board.", route=shown(words))


def city_in(rules: "Ruleset", words: str) -> str:
    """The city that these words name."""
    words = words.removeprefix("in ")
    if not words:
        raise Unreadable(say("Which city? Name one."))
    name = words.replace(" ", "_")
    if name in rules.board.cities:
        return name
    if (city := _cities(rules).get(words.replace("-", " "))) is not None:
        return city
    guesses = get_close_matches(name, rules.board.cities, MOST_GUESSES, CLOSE)
    raise Unreadable(together(no_city(words), _did_you_mean(guesses)))


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
            tickets.append(word)  # refused later, with the number that is expected
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
    ends = rules.board.tickets[id].ends
    return "–".join(city_name(rules, end) for end in ends) + f" ({rules.printed_points(id)})"
