import re
from itertools import cycle
from typing import Any

import pytest

from engine.codec import read_event
from engine.kinds import EVENTS, NOBODYS
from engine.notation import ticket_name
from service.boards import atlas
from tests.cli.running import Record, finished, line_with, records, rehashed, run, written

SEATS = 3
CLAIM = line_with("route_claimed")


def _shown(lines: list[Record] | list[str] | None = None, *words: str) -> str:
    result = run("show", "-", *words, given=written(lines or list(finished())))
    assert (0, "") == (result.exit_code, result.stderr)
    return result.stdout


def test_everything_is_told_without_as() -> None:
    """Without --as, a finished log is told with all cards, from the set-up to the winner."""
    output = _shown()

    assert "USA · 3 seats  game usa-" in output.splitlines()[0]
    assert SEATS == len(
        re.findall(r"^ +Seat \d is dealt \w+, \w+, \w+ and \w+\.$", output, re.MULTILINE)
    )
    assert "draws a card" not in output
    assert "The game is over: Seat " in output
    assert re.search(r"^Total +−?\d+ +−?\d+ +−?\d+$", output, re.MULTILINE)
    assert re.search(
        r"^Seat \d( and Seat \d)* (wins|share the victory) with", output.splitlines()[-1]
    )


def _before_the_end(output: str) -> str:
    return output.partition("The game is over")[0]


@pytest.mark.parametrize("seat", [*range(SEATS), None])
def test_no_secret_of_others_is_told(seat: int | None) -> None:
    """Before the end, no hidden ticket and no hidden card of another seat is named."""
    who = "table" if seat is None else str(seat + 1)
    output = _before_the_end(_shown(None, "--as", who))
    mine: set[str] = set()
    hidden: set[str] = set()
    for record in records():
        for body in record.get("events", ()):
            if body["type"] == "tickets_offered":
                (mine if body["seat"] == seat else hidden).update(body["tickets"])
    names = _ticket_names()

    assert [] == [id for id in hidden - mine if names[id] in output]
    assert seat is None or all(names[id] in output for id in mine)
    for other in set(range(SEATS)) - {seat}:
        assert f"Seat {other + 1} is dealt 4 cards." in output
        assert not re.search(rf"Seat {other + 1} draws (an? (?!card)|locomotive)", output)


def _ticket_names() -> dict[str, str]:
    rules = atlas.ruleset("usa", (), SEATS)
    return {id: ticket_name(rules, id) for id in rules.board.tickets}


@pytest.mark.parametrize("seat", [*range(SEATS), None])
def test_telling_does_not_depend_on_what_is_hidden(seat: int | None) -> None:
    """Changing the cards and tickets in hidden fields does not change the story."""
    who = "table" if seat is None else str(seat + 1)
    made = records()
    cards = cycle(["red", "locomotive", "blue", "orange"])
    tickets = cycle(sorted(_ticket_names()))
    changed = 0
    for record in made:
        for body in record.get("events", ()):
            for name, mark in EVENTS[body["type"]].marks:
                if mark is NOBODYS or body["seat"] != seat:
                    others = cards if name in ("card", "cards") else tickets
                    body[name] = _like(body[name], others)
                    changed += 1
            read_event(body)

    assert changed > 20
    assert _shown(None, "--as", who) == _shown(made, "--as", who)
    assert _shown() != _shown(made)


def _like(value: Any, others: Any) -> Any:
    return [next(others) for _ in value] if isinstance(value, list) else next(others)


def test_seat_sees_its_own() -> None:
    """A seat is told its own cards and tickets, and the full final scores."""
    output = _shown(None, "--as", "2")

    assert re.search(r"Seat 2 is dealt \w+, \w+, \w+ and \w+\.", output)
    assert re.search(r"Seat 2 keeps [A-Z]", output)
    assert "Seat 1 has chosen tickets." in output
    assert _shown().partition("The game is over")[2] == output.partition("The game is over")[2]


def test_running_log_ends_with_who_is_awaited() -> None:
    """The story of an unfinished log ends with the seat that has to move."""
    output = _shown(list(finished()[:40]))

    assert re.fullmatch(r"Waiting for Seat \d to [a-z ]+\.", output.splitlines()[-1])
    assert "Total" not in output


def test_opening_alone_is_told() -> None:
    """The story of a log with its opening only says that the game has not begun."""
    assert "The game has not begun yet." == _shown([finished()[0]]).splitlines()[-1]


def test_stretch_of_moves_is_told() -> None:
    """--from and --to select moves by their numbers."""
    output = _shown(None, "--from", "10", "--to", "12")
    numbers = re.findall(r"^ +(\d+)  ", output, re.MULTILINE)

    assert ["10", "11", "12"] == numbers
    assert "the turn order is" not in output
    assert "Awaited" not in output


@pytest.mark.parametrize(
    "words",
    [
        ("--as", "0"),
        ("--as", "4"),
        ("--as", "ada"),
        ("--as", "²"),
        ("--as", "-1"),
        ("--from", "9999"),
        ("--from", "5", "--to", "4"),
        ("--from", "x"),
        ("--colour",),
    ],
)
def test_wrong_words_are_bad_input(words: tuple[str, ...]) -> None:
    """An unknown seat, move or option gives one line on standard error, and status 2."""
    result = run("show", "-", *words, given=written(list(finished())))

    assert 2 == result.exit_code
    assert 1 == result.stderr.count("\n")
    assert result.stderr.startswith("nightmail show: ")


def _event(line: int, **values: Any) -> list[Record]:
    made = records()
    made[line - 1]["events"][0] |= values
    return made


def _end(**values: Any) -> list[Record]:
    made = records()
    made[-2]["events"][-1] |= values
    return made


END = len(finished()) - 1
RESULTS = records()[-2]["events"][-1]["results"]


def _first_offer(ticket: str) -> list[Record]:
    made = records()
    offer = next(event for event in made[1]["events"] if event["type"] == "tickets_offered")
    offer["tickets"][0] = ticket
    return made


FORGED = {
    "unknown route": (CLAIM, _event(CLAIM, route="atlantis-mu")),
    "seat too high": (CLAIM, _event(CLAIM, seat=3)),
    "seat below zero": (CLAIM, _event(CLAIM, seat=-1)),
    "points beyond reason": (CLAIM, _event(CLAIM, points=10**4000)),
    "points far below zero": (CLAIM, _event(CLAIM, points=-(10**9))),
    "dice for cards": (CLAIM, _event(CLAIM, payment={"dice": [1]})),
    "unknown ticket": (2, _first_offer("atlantis")),
    "unknown board": (1, [{**records()[0], "board": "atlantis"}, *records()[1:]]),
    "winner unknown": (END, _end(winners=[5])),
    "no winner": (END, _end(winners=[])),
    "no results": (END, _end(results=[])),
    "results out of order": (END, _end(results=RESULTS[::-1])),
    "total beyond reason": (END, _end(results=[{**entry, "total": 10**50} for entry in RESULTS])),
    "unknown ticket completed": (
        END,
        _end(results=[{**entry, "failed": ["x"]} for entry in RESULTS]),
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_forgery_that_makes_no_sense_is_named(name: str) -> None:
    """A forged value gives one line on standard error with its place, and status 1."""
    line, lines = FORGED[name]

    result = run("show", "-", given=written(lines))

    assert 1 == result.exit_code
    assert result.stderr.startswith(f"<stdin>: line {line}: "), result.stderr
    assert 1 == result.stderr.count("\n")


def test_terminal_is_not_at_a_strangers_mercy() -> None:
    """Control characters in a log are not printed, wherever they are."""
    evil = "\x1b[31mred\n\u202e"
    made = _end(
        results=[{**row, "lines": [{"kind": evil, "points": 1, "of": []}]} for row in RESULTS]
    )
    made[0]["game"] = evil
    made[line_with("card_taken") - 1]["events"][0]["replacement"] = evil

    result = run("show", "-", given=written(made))

    assert not re.search("[\x1b\u202e]", result.stdout + result.stderr)


def test_nobody_is_awaited_in_an_abandoned_game() -> None:
    """The story of an abandoned game ends by saying that everybody left."""
    made = records()
    lines = rehashed([*made[:42], made[-1] | {"abandoned": True}])

    output = _shown(lines)

    assert "The game was abandoned: everybody left." == output.splitlines()[-1]
    assert "Awaited" not in output
