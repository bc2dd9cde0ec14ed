import random

import pytest

from engine import Game
from nightmail_client import MoveText
from nightmail_client.notation import parse
from service.boards.atlas import ruleset

TABLES: list[tuple[str, list[str]]] = [
    ("usa", []),
    ("europe", ["dice"]),
    ("uk", ["advanced_technologies"]),
    ("germany", []),
    ("marklin", ["dice"]),
]
MOVES = 120


@pytest.mark.parametrize(("board", "variants"), TABLES)
def test_every_move_of_a_game_is_taken_apart_and_put_together(
    board: str, variants: list[str]
) -> None:
    """The text of every legal move comes back the same."""
    game, rng = Game(ruleset(board, variants, seats=2), id="g", seed=bytes(32)), random.Random(1)
    verbs = set()
    for _ in range(MOVES):
        if not game.awaited:
            break
        seat = game.awaited[0]
        options = list(game.options(seat))
        for option in rng.sample(options, min(40, len(options))):
            move = parse(option.text)
            verbs.add(move.verb)
            assert option.text == str(move)
        game.play(seat, rng.choice(options).action)

    assert {"keep", "claim", "tickets"} <= verbs


def test_the_parts_of_a_move() -> None:
    """A move has a verb, what it is about, what is paid, and dice."""
    assert MoveText("draw") == parse("draw")
    assert MoveText("claim", ("dieppe-paris",), {"purple": 2, "locomotive": 1}) == parse(
        "Claim Dieppe–Paris with 2 purple and 1 locomotive."
    )
    assert MoveText("claim", ("paris-dieppe",), {"green": None}) == parse(
        "claim paris - dieppe with green"
    )
    assert MoveText("9", (), {"purple": 1}) == parse("9 with 1 purple")
    assert MoveText("claim", ("a-b",), {"token": 1}, (4, 5)) == parse(
        "claim a-b with dice 4 5 1 token"
    )
    assert "claim a-b with die 4 1 token" == str(MoveText("claim", ("a-b",), {"token": 1}, (4,)))
    assert "keep a-b c-d" == str(MoveText("keep", ("a-b", "c-d")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "with 2 red",
        "claim a-b with 2",
        "claim a-b with 2 3 red",
        "claim a-b with red red",
    ],
)
def test_what_is_no_move(text: str) -> None:
    """Texts that say nothing, or the same thing twice, are refused."""
    with pytest.raises(ValueError, match=r"\w"):
        parse(text)
