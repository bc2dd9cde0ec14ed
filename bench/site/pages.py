"""Measure how long the server takes for the page of a game: at most 25 ms in the median.

The time is CPU time of the thread, which other load on the machine hardly changes. The page shows
a late turn with a long list of options. Its picture is left out and has its own benchmark.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from unittest.mock import patch

from markupsafe import Markup

from api.site import front, play
from api.wsgi import app_at
from bench.table import Goal, verdict
from engine.text import count
from service.desk import Desk, open_desk
from service.games import lobby, moves, reading
from service.games.bots import house
from service.games.move_requests import from_body
from service.people import accounts
from service.settings import Settings
from store import schema
from tests.api.serving import signed_in

ROUNDS = 60
WARM = 5
MOVES = 120
FILES = ("/pages.css", *(f"/site/{name}" for name in front.FILES))
BOARDS = ("usa", "europe", "uk")
PAGE = Goal("page of a game, without its picture", "ms", bar=25, least=False)
LIST = Goal("my games", "ms", bar=25, least=False)
WEIGHT = Goal("script and style", "kB", bar=250, least=False)
OFTEN = dict.fromkeys(
    ("RATE_LIMIT_TOKEN", "RATE_LIMIT_ADDRESS", "RATE_LIMIT_ACCOUNTS"), "1000000/minute"
)


def run() -> Iterator[str]:
    """Yield one line per goal."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"SECRET_KEYS": "k" * 32, "LOG_LEVEL": "error", "DATA_DIR": folder, **OFTEN}
        desk = open_desk(
            Settings.of({**settings, "DATABASE_URL": f"sqlite:///{Path(folder)}/bench.db"})
        )
        schema.upgrade(desk.database)
        web = app_at(desk).test_client()
        ada = accounts.create(desk, {"name": "Ada"}, None)["account"]["id"]
        web.set_cookie("nightmail", signed_in(desk, ada))
        with patch.object(play, "drawn", return_value=Markup("")):
            for board in BOARDS:
                game = _late(desk, ada, board)
                options = web.get(f"/games/{game}").text.count('name="choice"')
                taken = _timed(partial(web.get, f"/games/{game}"))
                yield _line(PAGE, f"{board}, {count(options, 'option')}", taken)
        yield _line(LIST, count(len(BOARDS), "game"), _timed(partial(web.get, "/games")))
        yield _line(WEIGHT, "", sum(len(web.get(path).data) for path in FILES) / 1000)
        desk.close()


def _late(desk: Desk, player: str, board: str) -> str:
    """Play a game until the player holds many cards and has a long list of options."""
    new_game = lobby.NewGame(board, (), 2, pace="none", bots={"easy": 1})
    game: str = lobby.open_game(desk, player, new_game, None)["id"]
    for _ in range(MOVES):
        while house.play(desk, game):
            pass
        decision = reading.decision(desk, game, player, all_options=True)
        if decision is None or len(decision["options"]) > 150:
            break
        moves.submit(desk, player, game, from_body({"action": decision["options"][0]["action"]}))
    return game


def _timed(call: Callable[[], object]) -> float:
    """Return the median CPU time of a call, in milliseconds of its thread."""
    taken = []
    for _ in range(WARM + ROUNDS):
        began = time.thread_time()
        call()
        taken.append((time.thread_time() - began) * 1000)
    return median(taken[WARM:])


def _line(goal: Goal, more: str, value: float) -> str:
    label = f"{goal.what} ({more})" if more else goal.what
    bar = f"{goal.bar:.0f}" if goal.bar else "–"
    return f"{label:<62} {value:9.1f} {goal.unit}, at most {bar} {verdict(goal, value)}"
