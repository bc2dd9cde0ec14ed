"""Compare the other boards with python-chess, and time the worst option lists and scorings."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from bench.engine import compared, legally_played, played, pushed, replayed
from engine import Game, Ruleset, State, values
from engine.options import actions_for
from engine.rules import card_purse, dice_purse
from engine.tally import Tally
from service.boards.atlas import ruleset
from tools.players import builder, hoarder

BOARDS = {
    "Europe": ("europe", ()),
    "United Kingdom": ("uk", ()),
    "United Kingdom, advanced": ("uk", ("advanced_technologies",)),
    "USA with dice": ("usa", ("dice",)),
    "Europe with dice": ("europe", ("dice",)),
    "United Kingdom with dice": ("uk", ("dice",)),
}
HOARDED = {
    "USA": ("usa", ()),
    "Europe": ("europe", ()),
    "United Kingdom": ("uk", ("advanced_technologies",)),
    "Europe with dice": ("europe", ("dice",)),
}
CACHED_FUNCTIONS = [
    function
    for place in (values, card_purse, dice_purse)
    for function in vars(place).values()
    if hasattr(function, "cache_clear")
]
"""Function caches that are shared by all games, in addition to `Ruleset.memory`."""
POSITIONS = 10_000
COUNTINGS = 400


def run() -> Iterator[str]:
    """Yield one line per goal."""
    for name, (board, variants) in BOARDS.items():
        rules = ruleset(board, variants, 2)
        yield compared(f"{name}: replay", replayed(rules), pushed, bar=0.9, aim=0.45)
        yield compared(f"{name}: random play", played(rules), legally_played, bar=1.5, aim=0.75)
    for name, (board, variants) in HOARDED.items():
        yield longest_list(name, ruleset(board, variants, 3))
    yield hardest_counting(ruleset("europe", ("europa_1912_mega",), 4))


def positions(rules: Ruleset, number: int) -> Iterator[State]:
    """Yield positions from games whose players mostly draw cards, so that their hands are big."""
    rng, game = Random(1), 0
    while number > 0:
        table, game = Game(rules, str(game), game.to_bytes(32, "big")), game + 1
        while not table.is_over and number > 0:
            yield table.state
            number -= 1
            seat = table.awaited[0]
            table.play(seat, hoarder(rng, table, seat))


def longest_list(name: str, rules: Ruleset) -> str:
    """Report the slowest and the longest list of options.

    A new slowest time is measured again, to rule out noise.
    """
    slowest = longest = 0.0
    for state in positions(rules, POSITIONS // len(HOARDED)):
        decision = state.awaiting[0]
        spent = _spent_listing(rules, state)
        if spent > slowest:
            spent = min(spent, *(_spent_listing(rules, state) for _ in range(3)))
        slowest = max(slowest, spent)
        longest = max(longest, len(actions_for(rules, state, decision)))
    return (
        f"{name}: slowest list of options {slowest * 1e3:.2f} ms, longest {longest:.0f} options,"
        f" in {POSITIONS // len(HOARDED)} positions with big hands (bar 5 ms)"
    )


def _spent_listing(rules: Ruleset, state: State) -> float:
    """Measure the seconds that a list of options takes with empty caches."""
    rules.memory.clear()
    for function in CACHED_FUNCTIONS:
        function.cache_clear()
    start = perf_counter()
    actions_for(rules, state, state.awaiting[0])
    return perf_counter() - start


def hardest_counting(rules: Ruleset) -> str:
    """Report the slowest final scoring with three stations and fifteen tickets per seat."""
    rng, slowest = Random(2), 0.0
    cities, tickets = sorted(rules.board.cities), sorted(rules.board.tickets)
    for number in range(COUNTINGS // 10):
        game = Game(rules, str(number), number.to_bytes(32, "big"))
        while not game.is_over:
            seat = game.awaited[0]
            game.play(seat, builder(rng, game, seat))
        for _ in range(10):
            drawn = rng.sample(cities, 12), rng.sample(tickets, 60)
            built, held = (
                tuple(tuple(some[seat::4]) for seat in range(rules.seats)) for some in drawn
            )
            parts = dict(game.state.parts)
            parts["stations"] = parts["stations"]._replace(built=built)
            parts["tickets"] = parts["tickets"]._replace(held=held)
            state = State((), parts)
            slowest = max(slowest, min(_spent_counting(rules, state) for _ in range(2)))
    return f"Europe: slowest final scoring {slowest * 1e3:.1f} ms of {COUNTINGS} (bar 50 ms)"


def _spent_counting(rules: Ruleset, state: State) -> float:
    tally, start = Tally(rules.seats), perf_counter()
    for count in rules.all("scores"):
        count(rules, state, tally)
    return perf_counter() - start
