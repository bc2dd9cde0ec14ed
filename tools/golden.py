"""Rewrites the golden games; read the diff before you commit it."""

import random
from pathlib import Path
from typing import NamedTuple

from engine import Game
from tools.players import Player, anything, builder, dawdler, hoarder
from tools.transcripts import table, transcript

FOLDER = Path(__file__).parent.parent / "tests" / "golden"


class Recipe(NamedTuple):
    """How a golden game is made."""

    board: str
    variants: tuple[str, ...]
    seats: int
    seed: str
    player: Player = anything


RECIPES = {
    "usa_2_last_round": Recipe("usa", (), 2, "1"),
    "usa_3_hoarders": Recipe("usa", (), 3, "2", hoarder),
    "usa_3_stalemate": Recipe("usa", (), 3, "51", dawdler),
    "usa_4_double_routes": Recipe("usa", (), 4, "3"),
    "usa_5_new_edition": Recipe("usa", ("new_edition",), 5, "4"),
    "usa_3_shared_victory": Recipe("usa", (), 3, "137"),
    "usa_2_tie_broken": Recipe("usa", (), 2, "251"),
    "usa_3_1910": Recipe("usa", ("usa_1910",), 3, "5"),
    "usa_4_1910_mega": Recipe("usa", ("usa_1910_mega",), 4, "6"),
    "usa_2_1910_big_cities": Recipe("usa", ("usa_1910_big_cities",), 2, "7"),
    "usa_3_dice": Recipe("usa", ("dice",), 3, "8"),
    "europe_2": Recipe("europe", (), 2, "9"),
    "europe_5": Recipe("europe", (), 5, "10"),
    "europe_3_1912": Recipe("europe", ("europa_1912",), 3, "11"),
    "europe_4_1912_mega": Recipe("europe", ("europa_1912_mega",), 4, "12"),
    "europe_3_1912_big_cities": Recipe("europe", ("europa_1912_big_cities",), 3, "13"),
    "europe_4_dice": Recipe("europe", ("dice",), 4, "14"),
    "uk_2": Recipe("uk", (), 2, "15"),
    "uk_3_right_of_way": Recipe("uk", (), 3, "83"),
    "uk_4": Recipe("uk", (), 4, "16"),
    "uk_3_advanced": Recipe("uk", ("advanced_technologies",), 3, "7"),
    "switzerland_2": Recipe("switzerland", (), 2, "9", builder),
    "switzerland_3": Recipe("switzerland", (), 3, "7"),
    "switzerland_3_dice": Recipe("switzerland", ("dice",), 3, "40"),
    "nordic_2": Recipe("nordic", (), 2, "2", hoarder),
    "nordic_3": Recipe("nordic", (), 3, "9"),
    "nordic_3_dice": Recipe("nordic", ("dice",), 3, "19"),
    "uk_3_advanced_dice": Recipe("uk", ("advanced_technologies", "dice"), 3, "18"),
    "germany_2": Recipe("germany", (), 2, "19"),
    "germany_5": Recipe("germany", (), 5, "20", builder),
    "germany_3_dice": Recipe("germany", ("dice",), 3, "21"),
    "germany_4": Recipe("germany", (), 4, "25"),
    "marklin_2": Recipe("marklin", (), 2, "22", builder),
    "marklin_4": Recipe("marklin", (), 4, "23"),
    "marklin_3_dice": Recipe("marklin", ("dice",), 3, "24"),
    "marklin_5": Recipe("marklin", (), 5, "26", builder),
}


def game_of(recipe: Recipe) -> Game:
    """Play a game to its end by this recipe."""
    game = table(recipe.board, recipe.variants, recipe.seats, recipe.seed)
    rng = random.Random(recipe.seed)
    while not game.is_over:
        seat = rng.choice(game.awaited)
        game.play(seat, recipe.player(rng, game, seat))
    return game


def main() -> None:
    """Write every golden game."""
    FOLDER.mkdir(exist_ok=True)
    for name, recipe in RECIPES.items():
        path = FOLDER / f"{name}.game"
        path.write_text(transcript(game_of(recipe), recipe.seed), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
