"""Golden games as text: a transcript that people can read and a test can replay."""

import hashlib
import re
from collections.abc import Iterator

from engine import Game, question, tell, text_of
from engine.codec import Json, write
from engine.state import decision_of
from service.boards import atlas

NAMES = ("ada", "ben", "cem", "dora", "eli")
HEAD = re.compile(
    r"# (?P<board>\w+)(?: \+ (?P<variants>[\w, ]+))? · (?P<seats>\d) seats · seed (?P<seed>.+)"
)
MOVE = re.compile(r"(?P<number>\d+) (?P<name>\w+): (?P<text>.+)")
NO_RARE_CARDS = re.compile(r"\(((?:\d+, ){9})0, 0, (-?\d+)\)")
RARE_CARDS = re.compile(r"\((?:\d+, ){9}(?:[1-9]\d*, \d+|\d+, [1-9]\d*), -?\d+\)")
"""Counts of cards in the text of a view: without the two rare kinds, and with them."""
EVERY = 10
"""Moves between two digests of the views."""


def table(board: str, variants: tuple[str, ...], seats: int, seed: str) -> Game:
    """Return a new game that is fully determined by its seed text."""
    rules = atlas.ruleset(board, variants, seats)
    return Game(rules, "golden", hashlib.sha256(seed.encode()).digest())


def transcript(game: Game, seed: str) -> str:
    """Return the whole game: prompts, moves, events, and digests of what each seat could see."""
    board, seats = game.rules.board, game.rules.seats
    extras = f" + {', '.join(board.variants)}" if board.variants else ""
    again = table(board.id, board.variants, seats, seed)
    lines = [f"# {board.id}{extras} · {seats} seats · seed {seed}", *_happened(again)]
    for move in game.moves[1:]:
        if move.seat is None or move.action is None:
            raise ValueError("only the first move has no seat")
        lines.append(f"{move.number} {NAMES[move.seat]}: {text_of(game.rules, move.action)}")
        again.play(move.seat, move.action)
        lines += _happened(again)
        if move.number % EVERY == 0:
            lines.append(_views(again))
    return "\n".join([*lines, _views(again), ""])


def _happened(game: Game) -> Iterator[str]:
    rules = game.rules
    for event in game.moves[-1].events:
        if sentence := tell(rules, event, [name.capitalize() for name in NAMES[: rules.seats]]):
            yield f"   | {sentence}"
        if event.kind == "game_ended":
            yield from _scores(write(event)["results"])
    for seat in game.awaited:
        decision = decision_of(game.state.awaiting, seat)
        if decision is not None and decision.kind != "take_turn":
            yield f"   ? {NAMES[seat]} — {question(rules, game.state, decision)}"


def _scores(results: list[Json]) -> Iterator[str]:
    for result in results:
        lines = " · ".join(f"{line['kind']} {line['points']}" for line in result["lines"])
        total = f"total {result['total']} · trail {result['trail']} · rank {result['rank']}"
        yield f"   = {NAMES[result['seat']]}: {lines} · {total}"


def _views(game: Game) -> str:
    seats = [*range(game.rules.seats), None]
    texts = (_without_rare_cards(repr(game.view(seat))) for seat in seats)
    digests = [hashlib.sha256(text.encode()).hexdigest()[:8] for text in texts]
    names = [*NAMES[: game.rules.seats], "table"]
    columns = "  ".join(f"{name} {digest}" for name, digest in zip(names, digests, strict=True))
    return f"   · {game.version} views  {columns}"


def _without_rare_cards(text: str) -> str:
    """Return the text of a view without counts of “+4” locomotives and passengers that are all 0.

    Most boards have none, and the digests of their games are older than these cards.
    """
    counts = NO_RARE_CARDS.sub(r"(\1\2)", text)
    return counts if not RARE_CARDS.search(text) else text


def played_again(text: str) -> tuple[Game, str]:
    """Replay the moves of a transcript; returns the game and its seed."""
    head = HEAD.fullmatch(text.partition("\n")[0])
    if head is None:
        raise ValueError("a transcript begins with # board · seats · seed")
    variants = tuple((head["variants"] or "").split(", ")) if head["variants"] else ()
    game = table(head["board"], variants, int(head["seats"]), head["seed"])
    for line in text.splitlines():
        if move := MOVE.fullmatch(line):
            game.play(NAMES.index(move["name"]), move["text"])
    return game, head["seed"]
