"""Builds positions from paragraphs, and plays moves in them.

    scene('''
        usa · ada ben · turn ada
        ada holds 2 red 1 locomotive
        market red red blue locomotive -
        next cards: green
    ''').do("ada: take 3")

The first line names the board with its variants, the seats, and whose turn it is: `turn ada`, or
`last turn ada` if the game ends after it. Every other line fits one of `LINES`.

Lines that are left out have defaults: nobody holds or owns anything, the market shows five
colours, and all other cards and tickets are in their decks. If a deck is spelt out, somebody has
to have `the rest`, so that nothing is lost. Trains that a scene takes away are the only exception.
"""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from engine import MODULES, Chance, Refusal, Ruleset, State, decide, options, read, tell
from engine.kinds import ACTIONS, Action, Decision, Event
from engine.module import Module
from engine.play import Play
from engine.rules.cards import Hands, cards
from engine.rules.dice import DiceRolled, dice, rolled
from engine.rules.dice_purse import Dice, SpendDice
from engine.rules.routes import Network, RouteClaimed, claimed, routes
from engine.rules.stations import Stations, stations
from engine.rules.technologies import Technologies, technologies
from engine.rules.ticket_mix import ticket_mix
from engine.rules.tickets import Tickets, tickets
from engine.rules.turns import GameEnded, TakeTurn, turns
from engine.state import decision_of
from engine.values import CARDS, NO_CARDS, SLOT, CardPayment, Counts, Seat, Tokens
from service.boards.atlas import board
from tests import scenes_passengers

NAMES = ("ada", "ben", "cem", "dora", "eli")
ADA, BEN, CEM, DORA, ELI = range(5)

LINES = (
    r"(?P<who>\w+) (?P<what>holds) (?P<value>.+)",  # ada holds 2 red 1 locomotive
    r"(?P<who>\w+) (?P<what>owns) (?P<value>.+)",  # ada owns boston-montreal-1 denver-omaha
    r"(?P<who>\w+) has (?P<value>\d+) (?P<what>train|point)s?",  # ada has 3 trains
    r"(?P<who>\w+) has (?P<what>tickets) (?P<value>.+)",  # ada has tickets boston-miami
    r"(?P<who>\w+) has (?P<what>stations) in (?P<value>.+)",  # ada has stations in roma paris
    r"(?P<who>\w+) has (?P<what>technologies) (?P<value>.+)",  # ada has technologies booster
    r"(?P<who>\w+) (?P<what>rolled) (?P<value>.+)",  # ada rolled single single double joker joker
    r"(?P<who>\w+) has (?P<what>tokens) (?P<value>.+)",  # ada has tokens 1 single 2 double
    r"(?P<what>market|deck|discards) (?P<value>.+)",  # market red red blue - -
    r"ticket (?P<what>top|bottom) (?P<value>.+)",  # ticket bottom boston-miami denver-el_paso
    r"(?P<what>next) (?:cards|tickets|dice): (?P<value>.+)",  # next cards: green locomotive
    r"(?P<what>with \w+ \w+) (?P<value>\d+)",  # with cards sweep_at 0
    *scenes_passengers.LINES,
)
LISTS = ("owns", "tickets", "next")
REST, NOTHING = "the rest", "nothing"
FREE = CardPayment(NO_CARDS)
DIE = {"single": 0, "double": 2, "station": 4, "joker": 5, "tunnel": 0, "blank": 5}
"""A side of a die that shows this; a train die's and a tunnel die's six sides are counted apart."""
Facts = dict[tuple[str, str], str]
SceneMove = str | tuple[Seat, Action]
"""A move: `ada: take 3`, or a seat and an action, for what no text can express."""


@dataclass(frozen=True, slots=True)
class _NoParameters:
    pass


prompter: Module[_NoParameters, None] = Module("prompter", _NoParameters)
"""An extra rule in every scene, which shows the state to `Scripted` before anything is drawn."""


def _prompt(play: Play, *_: object) -> bool:
    assert isinstance(play.chance, Scripted)
    play.chance.play = play
    return False


for _kind in ACTIONS.values():
    prompter.intercepts(_kind)(_prompt)


class Scripted(Chance):
    """Draws what the scene's `next` lines list; after that, at random."""

    __slots__ = ("_bag", "_source", "play", "script")
    play: Play

    def __init__(self, script: list[str], move: int) -> None:
        super().__init__(b"scene", "scene", move)
        self.script = script
        self._source: Sequence[object] = ()
        self._bag: list[str] = []

    def below(self, n: int) -> int:
        """The index of the next listed card or ticket among those that can be drawn."""
        if not self.script:
            assert self._drawn < 1000, "this draws for ever"
            return super().below(n)
        draw, state = self.script.pop(0), self.play.state
        if draw in DIE:
            assert n == 6, f"“{draw}” is foretold where no die is rolled"
            return DIE[draw]
        source, bag = _deck(state) if draw in CARDS else _ticket_deck(state, draw)
        if self._source is not source:
            # Several can be drawn before the first is recorded; till then the bag is ours.
            self._source, self._bag = source, bag
        assert n == len(self._bag), f"“{draw}” is foretold where something else is drawn"
        at = self._bag.index(draw)
        del self._bag[at]
        return at


def _deck(state: State) -> tuple[Sequence[object], list[str]]:
    deck = cards.part(state).deck
    return deck, laid(deck)


def _ticket_deck(state: State, ticket: str) -> tuple[Sequence[object], list[str]]:
    unseen = tickets.part(state).unseen
    if ticket not in unseen and ticket_mix.name in state.parts:
        unseen = ticket_mix.part(state).unseen
    return unseen, list(unseen)


def laid(counts: Counts) -> list[str]:
    """Counted cards, one after the other."""
    return [card for card, number in zip(SLOT, counts, strict=True) for _ in range(number)]


def counted(some: Iterable[str]) -> Counts:
    """Cards, counted."""
    items = list(some)
    return tuple(items.count(card) for card in SLOT)


class Scene:
    """A position, and the moves that are made in it."""

    def __init__(self, rules: Ruleset, state: State, script: list[str], boxed: Counts) -> None:
        self.rules = rules
        self.state = state
        self.script = script
        self._boxed = boxed
        self._moves = 0
        self.events: tuple[Event, ...] = ()
        """What the last `do` caused."""
        self._account()

    def _account(self) -> None:
        """Check that nothing is lost or added, except trains that the scene has put in the box."""
        whole = tuple(map(int.__add__, self.network.trains, self._boxed))
        parts = {**self.state.parts, "routes": self.network._replace(trains=whole)}
        for run in self.rules.all("accounts"):
            run(self.rules, State(self.state.awaiting, parts))

    def do(self, *moves: SceneMove) -> "Scene":
        """Make these moves; none is refused."""
        caused: list[Event] = []
        for move in moves:
            seat, action = self._seat_and_action(move)
            chance = Scripted(self.script, self._moves)
            events, self.state = decide(self.rules, self.state, seat, action, chance)
            self._moves += 1
            caused += events
            self._account()
        self.events = tuple(caused)
        return self

    def _seat_and_action(self, move: SceneMove) -> tuple[Seat, Action]:
        if not isinstance(move, str):
            return move
        name, text = move.split(": ")
        seat = NAMES.index(name)
        return seat, read(self.rules, self.state, seat, text)

    def refused(self, move: SceneMove) -> Refusal:
        """The refusal of this move; it has drawn nothing and changed nothing."""
        before = deepcopy((self.state, self.script))
        with pytest.raises(Refusal) as caught:
            self.do(move)
        assert before == (self.state, self.script)
        return caught.value

    def decision_of(self, seat: Seat) -> Decision | None:
        """The open decision of this seat, if any."""
        return decision_of(self.state.awaiting, seat)

    def texts(self, seat: Seat, verb: str = "") -> list[str]:
        """This seat's options, or those that begin so."""
        written = [option.text for option in options(self.rules, self.state, seat)]
        return [text for text in written if text.startswith(verb)]

    @property
    def cards(self) -> Hands:
        """Hands, market, deck and discards."""
        return cards.part(self.state)

    @property
    def network(self) -> Network:
        """Routes, trains and route points."""
        return routes.part(self.state)

    @property
    def tickets(self) -> Tickets:
        """Tickets held, offered and still to be drawn."""
        return tickets.part(self.state)

    @property
    def dice(self) -> Dice:
        """The dice of the turn, and everybody's tokens."""
        return dice.part(self.state)

    def hand(self, seat: Seat) -> list[str]:
        """The cards that this seat holds."""
        return laid(self.cards.hands[seat])

    @property
    def sentences(self) -> list[str]:
        """What the last `do` caused, as sentences for players."""
        names = [name.title() for name in NAMES]
        return [sentence for event in self.events if (sentence := tell(self.rules, event, names))]

    @property
    def end(self) -> GameEnded:
        """How the game has ended."""
        assert isinstance(self.events[-1], GameEnded)
        return self.events[-1]


def scene(paragraph: str) -> Scene:
    """The position that a paragraph describes."""
    header, *lines = [line.strip() for line in paragraph.strip().splitlines()]
    (name, *variants), seated, at = (part.split() for part in header.split("·"))
    names = NAMES[: len(seated)]
    assert names == tuple(seated), f"the seats are {', '.join(NAMES)}, in this order"
    assert at[:-1] in (["turn"], ["last", "turn"]), f"what is “{' '.join(at)}”?"
    facts = _facts(lines, names)
    edits = tuple(f"{what} {value}" for (_, what), value in facts.items() if what[:4] == "with")
    rules = rules_of(name, tuple(variants), len(names), edits)
    seat, left = names.index(at[-1]), 0 if "last" in at else None
    network, boxed = _network(rules, facts, names)
    parts: dict[str, Any] = {
        turns.name: turns.part(rules.initial)._replace(seat=seat, left=left),
        routes.name: network,
        tickets.name: _tickets(rules, facts, names),
    }
    if cards.name in rules.initial.parts:
        parts[cards.name] = _cards(rules, facts, names)
    if dice.name in rules.initial.parts:
        parts[dice.name] = _dice(rules, facts, names)
    if stations.name in rules.initial.parts:
        parts[stations.name] = Stations(
            tuple(tuple(facts.get((name, "stations"), "").split()) for name in names)
        )
    if technologies.name in rules.initial.parts:
        bought = tuple(tuple(facts.get((name, "technologies"), "").split()) for name in names)
        parts[technologies.name] = Technologies(bought, bought=None, right="")
    parts |= scenes_passengers.parts_of(rules, facts, names, parts[tickets.name])
    script = facts.get(("", "next"), "").split()
    decision = SpendDice(seat) if (names[seat], "rolled") in facts else TakeTurn(seat)
    return Scene(rules, State((decision,), rules.initial.parts | parts), script, boxed)


@cache
def rules_of(name: str, variants: tuple[str, ...], seats: int, edits: tuple[str, ...]) -> Ruleset:
    """The rules of a scene: a board's, with parameters edited, and the prompter's."""
    plain = board(name, variants)
    parameters = deepcopy(plain.parameters)
    for edit in edits:
        _, module, key, value = edit.split()
        assert key in parameters[module], f"“{module}” has no parameter “{key}”"
        parameters[module][key] = int(value)
    modules = (prompter.name, *plain.modules)
    book = {**MODULES, prompter.name: prompter}
    return Ruleset(plain._replace(modules=modules, parameters=parameters), seats, book)


def _facts(lines: Iterable[str], names: Sequence[str]) -> Facts:
    """Facts by seat and subject; only a list may be continued in a second line."""
    facts: Facts = {}
    for line in lines:
        match = next(filter(None, (re.fullmatch(pattern, line) for pattern in LINES)), None)
        assert match, f"a scene has no line like “{line}”"
        fact = {"who": "", **match.groupdict()}
        about = fact["who"], fact["what"]
        assert about not in facts or about[1] in LISTS, f"“{line}” says something twice"
        assert about[0] in ("", *names), f"nobody here is called {about[0]}"
        facts[about] = f"{facts.get(about, '')} {fact['value']}".strip()
    return facts


def _shared(piles: dict[str, str], whole: Sequence[str]) -> dict[str, list[str]]:
    """What lies in each pile; one of them has the rest."""
    shares: dict[str, list[str]] = {}
    rest = list(whole)
    for pile, listed in piles.items():
        shares[pile] = [] if listed in (REST, NOTHING) else _things(listed)
        for thing in shares[pile]:
            assert thing in rest, f"there are not so many “{thing}”"
            rest.remove(thing)
    takers = [pile for pile, listed in piles.items() if listed == REST]
    assert len(takers) == 1 or not (takers or rest), f"who has the rest: {' '.join(rest)}?"
    return shares | dict.fromkeys(takers, rest)


def _things(text: str) -> list[str]:
    """`2 red 1 locomotive` is three things, `red - blue` is two."""
    things, number = [], 1
    for word in text.split():
        if word.isdigit():
            number = int(word)
        else:
            things += [word] * number if word != "-" else []
            number = 1
    return things


def _cards(rules: Ruleset, facts: Facts, names: Sequence[str]) -> Hands:
    market = facts.get(("", "market"), "purple blue orange white green")
    piles = {name: facts.get((name, "holds"), NOTHING) for name in names}
    piles |= {"market": market, "discards": facts.get(("", "discards"), NOTHING)}
    piles["deck"] = facts.get(("", "deck"), REST)
    shares = _shared(piles, laid(cards.part(rules.initial).deck))
    slots = tuple(None if word == "-" else word for word in market.split())
    assert len(slots) == 5, "the market has five slots"
    assert shares["deck"] == [] or None not in slots, "a short market beside a deck is no rest"
    return cards.part(rules.initial)._replace(
        hands=tuple(counted(shares[name]) for name in names),
        market=slots,
        deck=counted(shares["deck"]),
        discards=counted(shares["discards"]),
    )


def _dice(rules: Ruleset, facts: Facts, names: Sequence[str]) -> Dice:
    """Dice and tokens; a seat with a roll has rolled once, and held its tokens before that."""
    held = [_things(facts.get((name, "tokens"), "")) for name in names]
    tokens = tuple(Tokens(some.count("single"), some.count("double")) for some in held)
    part = dice.part(rules.initial)._replace(tokens=tokens)
    for seat, name in enumerate(names):
        if faces := _things(facts.get((name, "rolled"), "")):
            part = rolled(part, DiceRolled(seat, tuple(faces)))
    return part


def _tickets(rules: Ruleset, facts: Facts, names: Sequence[str]) -> Tickets:
    piles = {name: facts.get((name, "tickets"), NOTHING) for name in names}
    piles |= {"bottom": facts.get(("", "bottom"), NOTHING), "top": facts.get(("", "top"), REST)}
    laid_out = {
        pile: tuple(ids)
        for pile, ids in _shared(piles, scenes_passengers.all_tickets(rules)).items()
    }
    return tickets.part(rules.initial)._replace(
        held=tuple(laid_out[name] for name in names),
        under=laid_out["bottom"],
        unseen=laid_out["top"],
    )


def _network(rules: Ruleset, facts: Facts, names: Sequence[str]) -> tuple[Network, Counts]:
    """The network, and how many trains of each seat are neither laid nor left."""
    settings, network = routes.parameters(rules), routes.part(rules.initial)
    for seat, name in enumerate(names):
        for id in facts.get((name, "owns"), "").split():
            length = rules.board.routes[id].length
            left = [track for track in rules.beside[id] if not network.owners.get(track)]
            few = rules.seats < settings.both_tracks_from
            closes = left[0] if few and len(left) == 1 else None
            assert id not in network.owners, f"“{id}” is taken already"
            event = RouteClaimed(seat, id, FREE, length, settings.points[length], closes)
            network = claimed(network, event)
    full = network.trains
    trains = [int(facts.get((name, "train"), full[seat])) for seat, name in enumerate(names)]
    earned = network.points
    points = [int(facts.get((name, "point"), earned[seat])) for seat, name in enumerate(names)]
    boxed = tuple(map(int.__sub__, full, trains))
    return network._replace(trains=tuple(trains), points=tuple(points)), boxed
