"""Draws, commitments and the hash chain agree with docs/fairness.md and an independent verifier."""

import ast
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from engine import Chance, commitment, secret_of
from engine.chance import blind_of, shuffle
from tests.amounts import amount
from tests.random_games import Table, played, sample_of_tables
from tests.verifier import Drawn, verify

ROOT = Path(__file__).parents[2]
COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
FACES = ["single", "single", "double", "double", "station", "joker"]
TUNNEL_FACES = ["tunnel", *["blank"] * 5]
DRAWING = {
    "game_started", "tickets_offered", "opening_closed", "hand_dealt", "market_filled",
    "card_drawn", "card_taken", "locomotive_taken", "cards_revealed", "cards_drawn",
    "dice_rolled", "dice_rerolled", "tunnel_dice_rolled", "passengers_laid_out",
}  # fmt: skip
"""Kinds of events that follow from chance."""
SEED = bytes(range(32))


def vectors() -> dict[str, str]:
    """The table of test vectors in the documentation."""
    text = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", text, re.MULTILINE))


class Facts:
    """Facts of a table that a verifier needs, read from the map file."""

    def __init__(self, table: Table) -> None:
        data = tomllib.loads((ROOT / "maps" / table.board / "map.toml").read_text(encoding="utf-8"))
        cards, deals = data["parameters"]["cards"], dict(data["parameters"]["tickets"])
        self.mixed = "ticket_mix" in data["modules"]
        crowd = data["parameters"].get("coloured_passengers", {"colours": [], "each_colour": 0})
        self.bag = [colour for colour in crowd["colours"] for _ in range(crowd["each_colour"])]
        for variant in table.variants:
            deals |= data["variants"][variant].get("set", {}).get("tickets", {})
        decks = {key: set(deals.get(key, [])) for key in ("deck", "long")}
        self.tickets, self.long = (
            [row["id"] for row in data["tickets"] if decks[key] & set(row["decks"])]
            for key in ("deck", "long")
        )
        self.deck = Counter(dict.fromkeys(COLOURS, cards["each_colour"]))
        self.deck["locomotive"] = cards["locomotives"]
        self.deck["plus4"] = cards.get("plus4", 0)
        self.deck["passenger"] = cards.get("passengers", 0)
        self.gifts = table.seats if cards["opening_locomotives"] else 0
        self.aside: Counter[str] = Counter()
        self.draws = 0

    def lots(self, event: Any, drawn: Drawn) -> bool:
        """Check long tickets, mixes of tickets and passengers; true if that was all."""
        if event["type"] == "passengers_laid_out":
            drawn_from(self.bag, (colour for some in event["colours"] for colour in some), drawn)
            return True
        long = event["tickets"][: event["long"]]
        del event["tickets"][: event["long"]]
        if event["type"] == "tickets_shuffled_in":
            self.long += long
            self.tickets += event["tickets"]
            return True
        drawn_from(self.long, long, drawn)
        if self.mixed:
            drawn_from(self.tickets, event["tickets"], drawn)
        return self.mixed

    def more(self, event: Any, drawn: Drawn, deck: Counter[str], discards: Counter[str]) -> bool:
        """Check long tickets, opening locomotives, tunnels and dice; true if that was all."""
        kind, paid = event["type"], event.get("payment", {})
        self.draws += kind in DRAWING
        if kind in ("tickets_offered", "tickets_shuffled_in", "passengers_laid_out"):
            return self.lots(event, drawn)
        if kind == "hand_dealt" and self.gifts:
            self.gifts -= 1
            deck["locomotive"] -= len(event["cards"])
            return True
        if kind in ("cards_revealed", "cards_drawn"):
            for card in event["cards"]:
                assert card == drawn(list(deck.elements()))
                deck[card] -= 1
            self.aside.update(event["cards"] if kind == "cards_revealed" else [])
        elif kind in ("dice_rolled", "dice_rerolled"):
            for die in event.get("dice", range(1, len(event["faces"]) + 1)):
                assert event["faces"][die - 1] == drawn(FACES)
        elif kind == "tunnel_dice_rolled":
            assert event["faces"] == [drawn(TUNNEL_FACES) for _ in event["faces"]]
        elif kind in ("route_claimed", "tunnel_abandoned"):
            discards.update(self.aside)
            self.aside.clear()
        return "dice" in paid or kind in ("tunnel_dug", "tunnel_abandoned")


def drawn_from(pile: list[str], some: Iterable[str], drawn: Drawn) -> None:
    """Check that these are drawn from the pile, one by one."""
    for item in some:
        assert item == drawn(pile)
        pile.remove(item)


def test_documented_vectors() -> None:
    """R-DIG-12: commitment, secret, blind and draws equal the documented test vectors."""
    secret = secret_of(SEED, ["ada", "", "Zürich"])
    chance = Chance(secret, "g1", 7)

    assert vectors() == {
        "commitment": commitment(SEED),
        "secret": secret.hex(),
        "blind of move 7": blind_of(secret, "g1", 7).hex(),
        "draw 1 of move 7 below 110": str(chance.below(110)),
        "draw 2 of move 7 below 109": str(chance.below(109)),
        "draw 3 of move 7 below 6": str(chance.below(6)),
    }


@pytest.mark.parametrize("table", sample_of_tables(turn=5), ids=str)
@pytest.mark.parametrize("number", range(amount(1, soak=2)))
def test_an_independent_verifier_draws_the_same(table: Table, number: int) -> None:
    """The independent verifier derives every draw of a game from its seed."""
    facts = Facts(table)
    verify(played(table, number).game.lines(), facts.deck, facts.tickets, facts.more)

    assert facts.draws > 20


def test_the_verifier_is_not_easily_pleased() -> None:
    """Planted fault: the verifier objects to another card and to another seed."""
    table = Table("usa", (), 2)
    lines = played(table, 0).game.lines()
    drawn = next(at for at, line in enumerate(lines) if '"card_drawn"' in line)
    forged = [*lines]
    forged[drawn] = re.sub(r'"card":"\w+"', '"card":"nothing"', lines[drawn])
    other = [*lines[:-1], json.dumps({**json.loads(lines[-1]), "seed": "00" * 32})]

    for bad in (forged, other):
        facts = Facts(table)
        with pytest.raises(AssertionError):
            verify(bad, facts.deck, facts.tickets, facts.more)


def test_the_page_names_every_event_that_draws() -> None:
    """docs/fairness.md names every kind of event in DRAWING."""
    page = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert set() == {kind for kind in DRAWING if f"`{kind}`" not in page}


def test_the_verifier_is_independent() -> None:
    """The verifier imports only modules of the standard library."""
    tree = ast.parse((ROOT / "tests" / "verifier.py").read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [node.names[0].name])
    }

    assert imported <= {
        "collections",
        "collections.abc",
        "hashlib",
        "hmac",
        "itertools",
        "json",
        "typing",
    }


def test_shuffles_are_even() -> None:
    """In 20,000 shuffles each of six items comes to each place equally often, by chi-square."""
    rounds, places = 20_000, range(6)
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(rounds):
        items = list(places)
        shuffle(Chance(SEED, "even", number), items)
        counts.update(enumerate(items))
    expected = rounds / 6
    chi_square = sum((counts[a, b] - expected) ** 2 / expected for a in places for b in places)

    # 25 degrees of freedom: values below 8.6 or above 52.6 have a probability of 0.1 % each.
    assert 8.6 < chi_square < 52.6


def test_a_retry_draws_the_same() -> None:
    """R-DIG-12: draws depend on secret, game and move, and are the same each time."""

    def first(secret: bytes, game: str, move: int) -> int:
        return Chance(secret, game, move).below(2**64)

    base = first(SEED, "g1", 7)
    assert base == first(SEED, "g1", 7)
    assert base not in (first(SEED[::-1], "g1", 7), first(SEED, "g2", 7), first(SEED, "g1", 8))
