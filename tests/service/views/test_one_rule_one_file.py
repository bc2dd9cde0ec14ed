"""A rule is one file: this one defines a rule, and everything that people see of it follows.

The rule: as the action of a turn a seat may put up a lighthouse in a city, for nothing.
"""

# ruff: noqa: ARG001, D101, D103  # a rule's functions have the signatures of their joints

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

import pytest

import pictures
from api.schemas.game_schemas import GameState, SeatState
from api.schemas.rule_schemas import with_rules
from engine import MODULES, Decision, Event, GameEnded, Ruleset, State
from engine.display import PIECE, Column, Fact, Help, Mark
from engine.errors import Illegal, Refusal
from engine.kinds import ACTIONS, EVENTS, Action, action, event
from engine.module import SPEND, Module, Shown
from engine.notation import city_name
from engine.play import Play
from engine.state import Awaiting, closed
from engine.tally import Tally
from engine.values import CityId, Seat
from service.boards import atlas, board_documents
from service.desk import Desk
from service.games import reading
from service.views import board_picture, game_page, story
from service.views.scores import sheet_of
from tests.service.support.tables import keep_tickets, play
from tests.workers.correspondence import Room, mail, part, room

BOARD = "toy_with_lighthouses"
PAGE = (Path(__file__).parents[3] / "docs" / "maps.md").read_text(encoding="utf-8")

# --- the rule, as a file in engine/rules would have it ---------------------------------------


@dataclass(frozen=True, slots=True)
class Parameters:
    points: int = 6


class Lights(NamedTuple):
    built: tuple[tuple[CityId, ...], ...]


lighthouses: Module[Parameters, Lights] = Module("lighthouses", Parameters, needs=("turns",))


@action("light_up")
class LightUp(Action):
    """Put up a lighthouse in a city."""

    city: CityId


@event
class LitUp(Event):
    """A seat has put up a lighthouse."""

    seat: Seat
    city: CityId


class TableShown(TypedDict, total=False):
    lights: Annotated[int, "How many lighthouses stand."]


class SeatShown(TypedDict, total=False):
    lighthouses: Annotated[list[str], "Cities with a lighthouse."]


class BoardShown(TypedDict):
    lighthouse_points: Annotated[int, "What a lighthouse is worth."]


lighthouses.shapes(table=TableShown, seat=SeatShown, board=BoardShown)


@lighthouses.starts
def dark(rules: Ruleset) -> Lights:
    return Lights(((),) * rules.seats)


@lighthouses.offers(SPEND)
def offer(rules: Ruleset, state: State, decision: Decision) -> list[Action]:
    lit = {city for cities in lighthouses.part(state).built for city in cities}
    return [LightUp(city) for city in rules.board.cities if city not in lit]


@lighthouses.decides(LightUp)
def light(play: Play, decision: Decision, action: LightUp) -> None:
    play.record(LitUp(decision.seat, action.city))


@lighthouses.explains(LightUp)
def why_not(rules: Ruleset, state: State, decision: Decision, action: LightUp) -> Refusal:
    return Illegal("A lighthouse stands there.", "R-TURN-1")


@lighthouses.evolves(LitUp)
def lit_up(part: Lights, event: LitUp) -> Lights:
    cities = list(part.built)
    cities[event.seat] += (event.city,)
    return Lights(tuple(cities))


@lighthouses.awaits(LitUp)
def done(awaiting: Awaiting, event: LitUp) -> Awaiting:
    return closed(awaiting, event.seat)


@lighthouses.scores
def score(rules: Ruleset, state: State, tally: Tally) -> None:
    for seat, cities in enumerate(lighthouses.part(state).built):
        tally.add(seat, "lighthouses", len(cities) * lighthouses.parameters(rules).points, cities)


@lighthouses.labels(LightUp)
def label(rules: Ruleset, state: State, action: LightUp) -> str:
    return f"Put up a lighthouse in {city_name(rules, action.city)}"


@lighthouses.groups(LightUp)
def group(rules: Ruleset, action: LightUp) -> str:
    return f"light {action.city}"


@lighthouses.writes(LightUp)
def write(rules: Ruleset, action: LightUp) -> str:
    return f"light {action.city}"


@lighthouses.reads("light")
def read(rules: Ruleset, state: State, decision: Decision, text: str) -> list[Action]:
    return [LightUp(text)]


@lighthouses.tells(LitUp)
def tell(rules: Ruleset, event: LitUp, names: Sequence[str]) -> str:
    return f"{names[event.seat]} puts up a lighthouse in {city_name(rules, event.city)}."


@lighthouses.shows
def show(rules: Ruleset, state: State) -> Shown:
    built = lighthouses.part(state).built
    return Shown({"lights": sum(map(len, built))}, [{"lighthouses": [*ids]} for ids in built])


@lighthouses.publishes
def publish(rules: Ruleset) -> dict[str, Any]:
    return {"lighthouse_points": lighthouses.parameters(rules).points}


@lighthouses.titles("light")
def title(rules: Ruleset, city: CityId) -> str:
    where = f" in {city_name(rules, city)}" if city else ""
    return f"Put up a lighthouse{where}"


@lighthouses.helps("light")
def explain(rules: Ruleset, city: CityId) -> list[Help]:
    return [Help("lighthouse", "Lighthouse", "It shines, and is worth points in the end.")]


@lighthouses.holds
def of_seat(rules: Ruleset, state: State, seat: Seat) -> list[Fact]:
    own = lighthouses.part(state).built[seat]
    return [Fact("lighthouses", "Lighthouses", ", ".join(own) or "none")]


@lighthouses.lays_out
def on_table(rules: Ruleset, state: State) -> list[Fact]:
    return [Fact("lights", "Lights", str(sum(map(len, lighthouses.part(state).built))))]


@lighthouses.columns
def columns(rules: Ruleset, state: State) -> list[Column]:
    built = lighthouses.part(state).built
    return [Column("Lighthouses", tuple(str(len(cities)) for cities in built))]


@lighthouses.names_points("lighthouses")
def name_points(rules: Ruleset) -> str:
    return "Points for lighthouses"


@lighthouses.marks
def marks(rules: Ruleset, state: State, players: Sequence[str]) -> list[Mark]:
    return [
        Mark(city, PIECE, (seat,), f"lighthouse of {players[seat]}")
        for seat, cities in enumerate(lighthouses.part(state).built)
        for city in cities
    ]


@lighthouses.builds(LitUp)
def where(event: LitUp) -> str:
    return event.city


# --- what follows from it ---------------------------------------------------------------------

KINDS = ACTIONS.pop("light_up"), EVENTS.pop("lit_up")
"""Registered only while a test below runs, so that other tests do not see them."""


@pytest.fixture
def game(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A game of three on a board with the rule, after the first tickets are chosen."""
    (text,) = re.findall(r"```toml\n(id = .*?)```", PAGE, re.DOTALL)
    board = tomllib.loads(text) | {"id": BOARD}
    board["modules"].append("lighthouses")
    source, ids = atlas.source, atlas.board_ids()
    monkeypatch.setitem(MODULES, "lighthouses", lighthouses)
    monkeypatch.setitem(ACTIONS, "light_up", KINDS[0])
    monkeypatch.setitem(EVENTS, "lit_up", KINDS[1])
    monkeypatch.setattr(atlas, "board_ids", lambda: [*ids, BOARD])
    monkeypatch.setattr(atlas, "source", lambda name: board if name == BOARD else source(name))
    made = room(desk, BOARD)
    keep_tickets(desk, made.game, made.players)
    return made


def test_the_choice_is_titled_and_explained_on_the_page(desk: Desk, game: Room) -> None:
    """The page of the game shows the entries under their title, on the board, with help.

    Those that serve the reader's tickets come first, so their order depends on the deal.
    """
    page = game_page.visit(desk, game.game, game.players[0]).page
    assert page is not None
    assert page.decision is not None
    (section,) = [section for section in page.decision.sections if section.verb == "light"]

    assert ("Put up a lighthouse", True) == (section.title, section.is_on_board)
    assert {"ash", "elm", "oak"} == {item.place for item in section.items}
    assert ["It shines, and is worth points in the end."] == [text.text for text in section.help]


def test_facts_and_columns_stand_on_the_page(desk: Desk, game: Room) -> None:
    """The page shows the facts of the seat and of the table, and the score table's column."""
    play(desk, game.game, game.players[0], "light ash")
    page = game_page.visit(desk, game.game, game.players[0]).page
    assert page is not None
    facts = {fact.label: fact.value for fact in page.facts}
    column = page.standing.columns.index("Lighthouses")

    assert ("ash", "1") == (facts["Lighthouses"], facts["Lights"])
    assert ["1", "0", "0"] == [row.cells[column] for row in page.standing.rows]


def test_it_is_drawn(desk: Desk, game: Room) -> None:
    """The picture has the piece, marks it as the last move and names it for screen readers."""
    play(desk, game.game, game.players[0], "light ash")
    shown = board_picture.game(desk, game.game, None, tickets=False)
    drawn = pictures.svg(shown.board, shown.scene, interactive=True)

    assert ({"ash": 0}, ("ash",)) == (dict(shown.scene.pieces), shown.last)
    assert re.search(r"<title>Ash, lighthouse of \w+ \(red\)</title>", drawn)


def test_the_letter_tells_of_it(desk: Desk, game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn letter has the option, its help, the fact and the last move."""
    monkeypatch.setattr(story, "MOST_HELP", 9)  # a hand that can claim much has more to explain
    play(desk, game.game, game.players[0], "light ash")
    text = part(mail(desk, game.about("decision_opened", 1)), "plain")

    assert "Put up a lighthouse in Elm" in text
    assert "Lighthouse: It shines, and is worth points in the end." in " ".join(text.split())
    assert re.search(r"Lights:?\s+1", text)
    assert "puts up a lighthouse in Ash." in text


def test_what_was_done_once_is_not_explained_again(desk: Desk, game: Room) -> None:
    """The letter has no help for an action that the player has done before."""
    play(desk, game.game, game.players[0], "light ash")
    for player in game.players[1:]:
        play(desk, game.game, player, "draw")
        play(desk, game.game, player, "draw")
    text = part(mail(desk, game.about("decision_opened", 0)), "plain")

    assert "Put up a lighthouse in Elm" in text
    assert "It shines" not in text


@pytest.mark.usefixtures("game")
def test_its_points_have_a_name() -> None:
    """The score sheet lists the points under the name that the rule gives."""
    rules, tally = atlas.ruleset(BOARD, (), 3), Tally(3)
    score(rules, State((), {"lighthouses": Lights((("ash",), (), ()))}), tally)
    sheet = sheet_of(rules, GameEnded("last_round", (0,), tally.results(())), ("A", "B", "C"))

    assert [("Points for lighthouses", ("6", "0", "0"))] == [*sheet.kinds]


def test_the_api_describes_and_answers_it(desk: Desk, game: Room) -> None:
    """The schemas have its fields, the response is valid, and the board has its help."""
    seats = with_rules("seat", MODULES.values())(SeatState)()
    state = with_rules("table", MODULES.values())(GameState)()
    answer = json.loads(reading.game(desk, game.game, game.players[0])[1])["state"]
    board = board_documents.board_data(BOARD, ())

    assert "Cities with a lighthouse." == seats.fields["lighthouses"].metadata["description"]
    assert "How many lighthouses stand." == state.fields["lights"].metadata["description"]
    assert {} == seats.validate(answer["seats"][0])
    assert (0, []) == (answer["lights"], answer["seats"][0]["lighthouses"])
    assert 6 == board["lighthouse_points"]
    assert "lighthouse" in [entry["about"] for entry in board["help"]]
