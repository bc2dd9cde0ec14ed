"""The form that answers a decision, sent without JavaScript: ways, locomotives and things."""

import html
import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from engine import Action, Chosen, chosen, menu, options
from engine.codec import write
from service.desk import Desk
from service.games import table_lookup
from service.memory.positions import Position
from store.games import games
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest

_RADIO = re.compile(r'name="choice" value="(\d+):([^"]*)"(?: data-locomotives="(\d+) (\d+)")?')
_THINGS = re.compile(r'data-least="(\d+)" data-most="(\d+)"')
_THING = re.compile(r'name="things-(\d+)" value="([^"]+)"( checked)?')

_CHECKED = re.compile(r'(?<!id="view-market") checked(?: required)?>')


class Seat(NamedTuple):
    """A player without JavaScript at a table, and what the engine knows of it."""

    guest: Guest
    desk: Desk
    game: str

    @property
    def position(self) -> tuple[Position, int]:
        """The position, and the number of the player's seat."""
        with self.desk.database.reading() as tx:
            table = table_lookup.table_of(tx, self.game.rsplit("/", 1)[1], None)
            (number,) = [seat.number for seat in table.seated if seat.account]
            return self.desk.positions.of(tx, table), number

    def of_choice(self, verb: str) -> tuple[int, list[Any]]:
        """The number of the first entry with things to choose, and the values of these things."""
        position, seat = self.position
        for n, entry in enumerate(menu(position.rules, position.state, seat), 1):
            if entry.choice and entry.group == verb:
                return n, [thing.value for thing in entry.choice.things]
        raise AssertionError(verb)

    @property
    def actions(self) -> list[Any]:
        """The actions of all moves."""
        with self.desk.database.reading() as tx:
            log = games.moves_between(tx, self.game.rsplit("/", 1)[1], 1, 9999)
        return [json.loads(move.record).get("action") for move in log]

    def send(self, n: int, things: list[Any]) -> TestResponse:
        """Send the form with these things ticked."""
        return self.guest.play(self.game, {"choice": str(n), f"things-{n}": things})


def _sat_down(app: Flask, desk: Desk, *moves: str, **game: str) -> Seat:
    ada = Guest(app, "Ada")
    seat = Seat(ada, desk, ada.game(**game))
    for move in moves:
        assert 303 == ada.play(seat.game, move).status_code
    return seat


def _alert(answer: TestResponse) -> str:
    alert = re.search(r'<p class="alert" role="alert">(.*?)</p>', answer.text)
    assert alert is not None, answer.text
    return html.unescape(alert[1])


def _answers(text: str) -> Iterator[Chosen]:
    """Every answer that the form of a page can send."""
    for entry, way, fewest, most in _RADIO.findall(text):
        yield Chosen(int(entry), way)
        for number in range(int(fewest), int(most) + 1) if fewest else ():
            yield Chosen(int(entry), way, number)
    things: dict[int, list[Any]] = {}
    for entry, value, _ in _THING.findall(text):
        things.setdefault(int(entry), []).append(int(value) if value.isdigit() else value)
    for (entry, values), (least, most) in zip(things.items(), _THINGS.findall(text), strict=True):
        for number in range(int(least), int(most) + 1):
            yield from (Chosen(entry, things=some) for some in combinations(values, number))


@pytest.mark.parametrize(
    ("moves", "game"),
    [
        ((), {"board": "europe"}),
        (("keep all", *["draw"] * 12), {"board": "europe"}),
        (("keep all", *["draw"] * 8), {"board": "uk"}),
        (("keep all", "roll"), {"board": "europe", "variants": "dice"}),
        (("keep all", "roll"), {"board": "uk", "variants": "dice"}),
    ],
    ids=["tickets", "europe", "uk", "europe dice", "uk dice"],
)
def test_every_option_is_reached_from_the_page(
    app: Flask, desk: Desk, moves: tuple[str, ...], game: dict[str, str]
) -> None:
    """The form can send every option of the decision, and everything it sends is accepted."""
    ada = _sat_down(app, desk, *moves, **game)
    position, seat = ada.position
    rules, state = position.rules, position.state
    text = ada.guest.web.get(ada.game).text

    def written(action: Action) -> str:
        return str(write(action))

    reached = {written(chosen(rules, state, seat, answer)) for answer in _answers(text)}
    assert {written(option.action) for option in options(rules, state, seat)} <= reached


@pytest.mark.parametrize("paid", ["fewest", "most"])
def test_the_chosen_way_is_paid(app: Flask, desk: Desk, paid: str) -> None:
    """The chosen way is played with as few locomotives as possible, or with the chosen number."""
    ada = _sat_down(app, desk, "keep all", board="europe")
    while not (ways := _ranges(ada)):
        assert 303 == ada.guest.play(ada.game, "draw").status_code
    entry, way, most = ways[-1]
    position, seat = ada.position
    answer = Chosen(entry, way, most if paid == "most" else None)
    action = chosen(position.rules, position.state, seat, answer)
    locomotives = "" if answer.locomotives is None else str(most)
    choice: dict[str, object] = {"choice": f"{entry}:{way}", "locomotives": locomotives}

    assert 303 == ada.guest.play(ada.game, choice).status_code
    assert write(action) in ada.actions


def _ranges(seat: Seat) -> list[tuple[int, str, int]]:
    """The entry, the way and the most locomotives, wherever the page leaves a choice."""
    radios = _RADIO.findall(seat.guest.web.get(seat.game).text)
    return [(int(entry), way, int(most)) for entry, way, _, most in radios if most]


DICE = {"board": "europe", "variants": "dice"}
TICKETS = {"board": "usa"}


@pytest.mark.parametrize(
    ("game", "verb", "ticks", "sentence"),
    [
        (TICKETS, "keep", [], "Choose 2 to 3 of them. You chose 0."),
        (TICKETS, "keep", [2], "Choose 2 to 3 of them. You chose 1."),
        (TICKETS, "keep", [0, 1, 1], "is named twice; name each once. Choose 2 to 3 of them."),
        (TICKETS, "keep", [0, 1, "no"], "“no” is not one of the things to choose from. Choose 2"),
        (TICKETS, "keep", [0, 1, "7"], "“7” is not one of the things to choose from. Choose 2 to"),
        (DICE, "roll", [], "Choose 1 to 5 of them. You chose 0."),
        (DICE, "roll", [0, "6"], "“6” is not one of the things to choose from. Choose 1 to 5 of"),
        (DICE, "roll", [0, "no"], "“no” is not one of the things to choose from. Choose 1 to 5 of"),
        (DICE, "roll", [3, 3], "“4” is named twice; name each once. Choose 1 to 5 of them."),
        (DICE, "token", [1], "Choose exactly 2. You chose 1."),
        (DICE, "token", [0, 1, 4], "Choose exactly 2. You chose 3."),
    ],
)
def test_a_wrong_choice_of_things_changes_nothing(
    app: Flask, desk: Desk, game: dict[str, str], verb: str, ticks: list[int | str], sentence: str
) -> None:
    """Too few, too many, foreign and repeated things are refused with the number expected.

    The page shows the sentence, and the same things are ticked again. `ticks` has the places of
    things, and foreign things as they are.
    """
    ada = _sat_down(app, desk, *(("keep all", "roll") if game == DICE else ()), **game)
    n, values = ada.of_choice(verb)
    before = rows(desk.database)
    answer = ada.send(n, [values[tick] if isinstance(tick, int) else tick for tick in ticks])

    assert (422, True) == (answer.status_code, sentence in _alert(answer)), _alert(answer)
    assert before == rows(desk.database)
    ticked = {value for _, value, mark in _THING.findall(answer.text) if mark}
    assert {str(values[tick]) for tick in ticks if isinstance(tick, int)} == ticked
    assert 303 == ada.send(n, values[:2]).status_code


@pytest.mark.parametrize(
    ("choice", "locomotives", "sentence"),
    [
        ("999", "", "There is no move 999; choose one from 1 to "),
        ("0:", "", "There is no move 0; choose one from 1 to "),
        ("1:2 blue", "", "“Draw a card from the deck” leaves nothing to choose."),
        ("1", "", "“Draw a card from the deck” has no things to choose from."),
        ("1:", "3", "“Draw a card from the deck” leaves nothing to choose."),
        ("1:", "many", "“Draw a card from the deck” leaves nothing to choose."),
        ("1.1", "", "“1.1” "),
        ("\N{ARABIC-INDIC DIGIT ONE}", "", "does not begin with a command."),
    ],
)
def test_numbers_that_are_not_on_the_page_change_nothing(
    app: Flask, desk: Desk, choice: str, locomotives: str, sentence: str
) -> None:
    """A forged entry, way or number of locomotives is refused with the reason."""
    ada = _sat_down(app, desk, "keep all", board="europe")
    before = rows(desk.database)
    answer = ada.guest.play(ada.game, {"choice": choice, "locomotives": locomotives})

    assert (True, True) == (answer.status_code in (400, 422), sentence in _alert(answer))
    assert before == rows(desk.database)


def test_what_was_refused_is_shown_where_it_stands(app: Flask, desk: Desk) -> None:
    """A refused way is chosen again, its place is open, and the number is kept."""
    ada = _sat_down(app, desk, "keep all", board="europe")
    while not (ways := _ranges(ada)):
        assert 303 == ada.guest.play(ada.game, "draw").status_code
    entry, way, most = ways[-1]
    choice: dict[str, object] = {"choice": f"{entry}:{way}", "locomotives": str(most + 1)}
    text = ada.guest.play(ada.game, choice).text

    assert re.search(rf'value="{entry}:{way}" data-locomotives="[\d ]+" checked', text)
    assert 1 == len(_CHECKED.findall(text))
    shown = text.index(" checked", text.index('id="choose"'))
    assert '<details class="group"' in text[text.rindex("<details", 0, shown) :]
    assert 1 == len(re.findall(r'<details class="group"[^>]* open>', text))
    is_more = text.rfind('<details class="sort"', 0, shown) > text.rfind("<h3>", 0, shown)
    assert is_more == bool(re.search(r'<details class="sort" open>', text))


def test_a_choice_for_another_decision_is_not_ticked(app: Flask, desk: Desk) -> None:
    """An outdated form gets the new decision, in which nothing is chosen."""
    ada = _sat_down(app, desk, "keep all", **DICE)
    text = ada.guest.web.get(ada.game).text
    form: dict[str, object] = dict(re.findall(r'name="(asked|seen)" value="(\d+)"', text))
    ada.guest.play(ada.game, "roll")
    answer = ada.guest.play(ada.game, {"choice": "1", "things-1": ["1"], **form})

    assert (412, 0) == (answer.status_code, len(_CHECKED.findall(answer.text)))


def test_a_number_from_an_older_page_is_not_lost(app: Flask, desk: Desk) -> None:
    """A page that an older version has made is refused if its number had another name."""
    ada = _sat_down(app, desk, "keep all", board="europe")
    before = rows(desk.database)
    answer = ada.guest.play(ada.game, {"choice": "1:", "wild": "3"})

    assert (400, before) == (answer.status_code, rows(desk.database))
    assert "Please choose an option first. Nothing has been played." == _alert(answer)
    assert 303 == ada.guest.play(ada.game, {"choice": "1:", "wild": ""}).status_code
