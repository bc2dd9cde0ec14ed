"""The weight of a game page on every board, compressed, when there is most to say."""

import re
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.random_games import Table
from tests.site.late_games import Player, hoard, newcomer, open_game, plain_tables, play_until
from tests.site.visiting import House

UPDATE = 60_000
"""Bytes that the update after a move may have."""
FIRST_VISIT = 350_000
"""Bytes that the first visit of a game page may have, with scripts, styles and icons."""
HOARDED = 90
"""Moves in which cards are drawn; afterwards nearly every route can be paid."""
LOADED = re.compile(r'<(?:link|script|img)\b[^>]*?\b(?:href|src)="(/[^"]*)"')
TABLES = plain_tables(4, turn=3)


def _bytes(house: House, path: str, player: Player) -> int:
    """Fetch an address as a browser does, and return the bytes of the response with headers."""
    connection = HTTPConnection(urlsplit(house.url).netloc)
    headers = {"Accept-Encoding": "gzip", "Cookie": f"nightmail={player.cookie}"}
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    assert 200 == response.status, path
    connection.close()
    return len(body) + sum(len(f"{name}: {value}\r\n") for name, value in response.getheaders())


def _text(house: House, path: str, player: Player) -> str:
    web = house.app.test_client()
    web.set_cookie("nightmail", player.cookie)
    return web.get(path).text


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_game_page_is_light(house: House, table: Table) -> None:
    """With a full table and a large hand, an update and a first visit stay within their bounds."""
    player = newcomer(house.desk, f"Wu{TABLES.index(table)}")
    game = open_game(house.desk, table, player)
    path, heaviest, drawn = f"/games/{game}", 0, 0

    while play_until(house.desk, game, [player], lambda it: it.kind == "take_turn", hoard):
        drawn += 1
        if drawn % 10 == 0:
            heaviest = max(heaviest, _bytes(house, path, player))
        if drawn > HOARDED:
            break
        play_until(house.desk, game, [player], lambda it: it.kind != "take_turn", hoard)
    assert drawn
    assert heaviest < UPDATE
    loaded = set(LOADED.findall(_text(house, path, player)))
    first = heaviest + sum(_bytes(house, address, player) for address in loaded)
    assert first < FIRST_VISIT
