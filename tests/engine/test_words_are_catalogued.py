"""Every text of the rules for people comes from the catalogue, in every golden game."""

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir

from engine import (
    Ambiguous,
    Chosen,
    Game,
    Refusal,
    Ruleset,
    chosen,
    menu,
    question,
    read,
    seen_by,
    tell,
    waiting,
)
from engine.display import (
    all_help,
    columns,
    end_in_sight,
    help_for,
    marks,
    points_name,
    seat_facts,
    table_facts,
    title_of,
    why_shut,
)
from engine.orders import Progress, Stop, check_orders, judge, read_orders
from engine.rules.technologies import catalogue, technologies
from engine.text import shown
from engine.translate import speaking
from service.boards import atlas
from tests.support.pseudo_language import Hollow, Marked, unmarked
from tools.messages import KEYWORDS
from tools.transcripts import played_again

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "golden").glob("*.game"))
NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")
WORD = re.compile(r"[^\W\d_]+")
PLACE = re.compile(r"\{(\w+)\}")
WRONG = (
    "", "99", "12345", "007", "fly", "a" * 401, "take", "take 9", "take 1", "take locomotive",
    "draw", "draw x", "draw three", "tickets", "tickets x", "tickets with die 1", "tickets with x",
    "keep", "keep x", "keep 1", "keep 1 return 1", "claim", "claim x", "pay", "pay 9 blue",
    "pay 1 x", "pay 1", "pay die 1", "give up", "give in", "end", "end x", "end returning x",
    "end returning 1 single", "end returning 5 double", "end returning 2 single and 1 double",
    "pass", "pass x", "roll", "reroll 9", "reroll x", "reroll 1", "token x", "token single",
    "token single with dice 7 8", "station", "station x", "station london", "station paris",
    "station paris with 9 red", "station paris with die 1 1 token", "buy x", "buy booster",
    "buy propellers with 1 red", "buy right-of-way with 9 red", "reroll 1 1", "1 and 2",
    "token triple with dice 1 2", "claim 1 with 1 red and 1 blue", "keep 1 1", "end returning 1 1",
    "ride", "ride x", "ride berlin", "ride berlin hamburg", "place", "place berlin", "draw three",
)  # fmt: skip
EXAMPLES = ("ride munchen augsburg nurnberg", "tickets with 3 short 1 long")
"""Moves in notation that texts give as examples."""
COMMANDS = {"with", "die", "three", "up", "single", "double"}
"""Words of the notation that refusals repeat, besides verbs and the player's own text."""
ORDER_WORDS = {
    *("take", "green", "claim", "when", "I", "can", "collect", "for", "ask", "me", "draw", "card"),
    *("turn", "turns", "with", "at", "most", "locomotive", "locomotives", "red", "blue"),
}
"""Words of orders that refusals repeat as examples, or in the one written form."""


@cache
def games() -> tuple[Game, ...]:
    """All golden games, in which everything happens that can happen."""
    return tuple(played_again(path.read_text(encoding="utf-8"))[0] for path in FILES)


def again(game: Game) -> Iterator[Game]:
    """The game before each of its moves, and after the last."""
    played = Game(game.rules, game.id, game.seed, game.nonces)
    for move in game.moves[1:]:
        yield played
        if move.seat is not None and move.action is not None:
            played.play(move.seat, move.action)
    yield played


@cache
def proper_names(rules: Ruleset) -> re.Pattern[str]:
    """Names that are the same in every language: players, cities and places."""
    names = [*NAMES, *(city.name for city in rules.board.cities.values())]
    names += [place.name for place in rules.board.places.values()]
    return re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))


def names_in_map(rules: Ruleset) -> set[str]:
    """Names in the map that the catalogue translates."""
    sold = catalogue(rules).technologies if technologies.name in rules.parameters else {}
    return {rules.board.name, *(row.name for row in sold.values())}


def words_left(rules: Ruleset, text: str) -> set[str]:
    """The words of a sentence that are not names."""
    for example in EXAMPLES:
        text = text.replace(example, " ")
    return set(WORD.findall(proper_names(rules).sub(" ", text)))


def move_texts(game: Game, rng: random.Random) -> Iterator[str]:
    """Sentences about the last move, redacted and not, and the texts of the open decisions."""
    rules, names = game.rules, NAMES[: game.rules.seats]
    for event in game.moves[-1].events:
        yield tell(rules, event, names)
        yield tell(rules, seen_by(event, None), names)
    for decision in game.state.awaiting:
        yield question(rules, game.state, decision)
        yield waiting(rules, decision)
        listed = game.options(decision.seat)
        yield from (
            option.label for option in (*rng.sample(listed, min(2, len(listed))), listed[-1])
        )
        for entry in menu(rules, game.state, decision.seat):
            yield from (entry.title, entry.costs, *(way.label for way in entry.ways[:2]))


def table_texts(game: Game) -> Iterator[str]:
    """The facts and marks shown now, and titles and help for the options."""
    rules, state = game.rules, game.state
    facts = [*table_facts(rules, state), *seat_facts(rules, state, 0)]
    yield from (word for fact in facts for word in (fact.label, fact.value))
    yield from (word for column in columns(rules, state) for word in (column.label, *column.cells))
    yield from (mark.words for mark in marks(rules, state, NAMES))
    yield end_in_sight(rules, state, NAMES[: rules.seats])
    for decision in state.awaiting:
        yield from (why_shut(rules, state, decision, route) for route in rules.board.routes)
        for entry in menu(rules, state, decision.seat):
            yield from (thing.title for thing in (entry.choice.things if entry.choice else ()))
        for group in {option.group for option in game.options(decision.seat)}:
            yield from (title_of(rules, group), title_of(rules, group.split()[0]))
            yield from (word for text in help_for(rules, group) for word in text[1:])


def fixed_texts(rules: Ruleset) -> Iterator[str]:
    """The help texts, and the names of the points."""
    yield from (word for text in all_help(rules) for word in text[1:])
    for kind in rules.keys("names_points"):
        yield points_name(rules, kind) or ""


ORDERS = (
    "", "draw; clam x", "take 3", "take x", "take locomotive", "draw x", "keep 1", "reroll 1",
    "draw else draw else draw else draw else draw else draw else draw", "draw for 500 turns",
    "draw until noon", "draw until somebody has 99 trains or fewer", "draw when I can", "ask me",
    "meanwhile draw", "claim {route}, meanwhile draw", "claim {route} for 5 turns", "take 3 x",
    "claim {route} when I can, meanwhile ask me", "claim {route} with 3 x", "collect for tickets",
    "claim {route} when I can for 2 turns for 3 turns", "claim {route} with at most 0 locomotives",
    "claim {route} when I can draw", "claim {route}", "claim {route} with at most 1 locomotive",
    "claim {route} with 1 blue 1 red", "collect for {route}", "station paris",
    "buy booster", "x" * 2001, "draw; " * 21, "claim {route} with green when I can",
    "buy booster when I can", "draw 3", "roll; claim {route}", "end",
    "give up", "token single", "place berlin", "ride berlin",
)  # fmt: skip


def order_refusals(game: Game, rng: random.Random) -> Iterator[tuple[str, str, Refusal | None]]:
    """Orders that cannot be read or are lost, and the reasons with which others stop."""
    for form in ORDERS:
        text = form.format(route=rng.choice([*game.rules.board.routes]))
        for seat in game.awaited:
            try:
                meant = read_orders(game.rules, text)
                check_orders(game.rules, game.state, seat, meant, text)
            except Refusal as refusal:
                yield text, refusal.sentence, refusal
                continue
            for pending in (None, 0):
                at = Progress(0, 1, pending)
                verdict = judge(game.rules, game.state, seat, meant, at, is_new_turn=True)
                if isinstance(verdict, Stop):
                    yield text, verdict.reason, None


def refusals(game: Game, rng: random.Random) -> Iterator[tuple[str, Refusal]]:
    """Malformed or illegal move texts, and their refusals."""
    some = [f"claim {route}" for route in rng.sample([*game.rules.board.routes], 6)]
    some += [f"{claim} with {rng.choice(['3 red', 'dice 1 2', '1 token'])}" for claim in some]
    for text in (*WRONG, *some):
        for seat in {*game.awaited, 0}:
            try:
                read(game.rules, game.state, seat, text)
            except Refusal as refusal:
                yield text, refusal
    for seat in game.awaited:
        for place, way, things in product((0, 1, 2, 9), (None, "x"), (None, (), ("x",), (1, 1, 2))):
            try:
                chosen(game.rules, game.state, seat, Chosen(place, way, None, things))
            except Refusal as refusal:
                yield "x", refusal


@cache
def hollow_games() -> tuple[dict[str, set[str]], set[str]]:
    """Words in each sentence that come from no catalogue, and all texts that were looked up."""
    hollow, left, rng = Hollow(), dict[str, set[str]](), random.Random(0)
    for game in games():
        verbs = COMMANDS | game.rules.verbs().keys()
        with speaking(hollow):
            left |= {text: words_left(game.rules, text) for text in fixed_texts(game.rules)}
            for now in again(game):
                left |= {text: words_left(game.rules, text) for text in move_texts(now, rng)}
                if now.version % 20 and not now.is_over:
                    continue
                left |= {text: words_left(game.rules, text) for text in table_texts(now)}
                for text, refusal in refusals(now, rng):
                    repeated = {*WORD.findall(text.casefold()), *verbs}
                    if isinstance(refusal, Ambiguous):
                        repeated.update(*map(WORD.findall, refusal.candidates))
                    left[refusal.sentence] = words_left(game.rules, refusal.sentence) - repeated
                for text, sentence, error in order_refusals(now, rng):
                    quoted = f"{text.casefold()} {shown(text)}"
                    repeated = {*WORD.findall(quoted), *verbs, *ORDER_WORDS}
                    for seat in now.awaited:  # a stop may list options in notation
                        repeated.update(*(WORD.findall(each.text) for each in now.options(seat)))
                    if isinstance(error, Ambiguous):
                        repeated.update(*map(WORD.findall, error.candidates))
                    left[sentence] = words_left(game.rules, sentence) - repeated
    return left, hollow.messages


def test_every_board_and_variant_is_played() -> None:
    """The golden games cover every board and every variant."""
    shown = {
        (game.rules.board.id, variant) for game in games() for variant in game.rules.board.variants
    }

    assert shown == {(board, variant) for board, some, _ in atlas.tables() for variant in some}
    assert {game.rules.board.id for game in games()} == set(atlas.board_ids())


def test_nothing_but_names_and_numbers_is_left() -> None:
    """Prompts, labels, sentences and refusals have no word that is not from the catalogue."""
    left, _ = hollow_games()

    assert {} == {text: words for text, words in left.items() if words}


def test_nearly_all_texts_are_met() -> None:
    """The golden games use more than nine tenths of the engine's texts."""
    messages = extract_from_dir(ROOT / "engine", [("**.py", "python")], keywords=KEYWORDS)
    texts = {text if isinstance(text, str) else text[0] for _, _, text, _, _ in messages}
    lookups = hollow_games()[1] - {name for game in games() for name in names_in_map(game.rules)}

    assert lookups <= texts
    assert len(lookups) > 0.9 * len(texts), sorted(texts - lookups)


def test_no_word_stands_outside_of_a_text() -> None:
    """A sentence composed of several texts has no words between them."""
    with speaking(Marked()):
        texts = {text for now in again(games()[0]) for text in move_texts(now, random.Random(0))}

    assert len(texts) > 100
    assert {""} == {unmarked(text).strip() for text in texts}


def test_a_sentence_that_was_not_said_is_noticed() -> None:
    """Planted fault: words that are not from the catalogue are found."""
    rules = games()[0].rules

    assert {"claims", "with", "red"} == words_left(rules, "Ada claims Paris–Zürich with 3 red.")


def calls(room: str, *names: str) -> Iterator[tuple[str, ast.Call]]:
    """Calls of these functions in a room, with their place; codec.py is only for programs."""
    for path in sorted((ROOT / room).rglob("*.py")):
        if path.name != "codec.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                    yield f"{path.name}:{node.lineno}", node


def test_refusals_are_said() -> None:
    """No refusal in the engine is raised with a bare text."""
    refusals = list(calls("engine", "Illegal", "Unreadable", "NotAwaited"))
    bare = (ast.Constant, ast.JoinedStr)

    assert len(refusals) > 50
    assert [] == [where for where, call in refusals if isinstance(call.args[0], bare)]


@pytest.mark.parametrize("room", ["engine", "pictures"])
def test_values_stand_where_their_names_are(room: str) -> None:
    """Every text is a literal or a map's name, and its placeholders match the values given."""
    for where, call in calls(room, "say", "says"):
        texts = call.args[:2]
        if ast.unparse(call) in ("say(self.name)", "say(note)"):  # both stand in the map
            continue
        assert all(isinstance(text, ast.Constant) for text in texts), where
        places = {place for text in texts for place in PLACE.findall(ast.literal_eval(text))}
        assert {keyword.arg for keyword in call.keywords} - {"n"} == places - {"n"}, where
