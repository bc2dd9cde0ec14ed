"""A game of three that is played by replies and the orders in them, and by nothing else."""

from dataclasses import replace
from zlib import crc32

from engine import Ruleset
from engine.rules.routes import routes
from service.boards import atlas
from service.desk import Desk
from service.games import log_files, reading
from service.games.ordering import carrying_out, giving
from tests.service.support.post import MX, Post, confirm
from tests.service.support.tables import table
from tests.service.support.timing import by_hand, sources, table_at

ROUTES = 12
"""Wishes in one reply."""
BOUND = 4000
"""Steps of the clock after which the game must be over."""


def wishes(desk: Desk, post: Post, rules: Ruleset, number: int) -> list[str]:
    """Lines that claim the longest free routes, one after the other."""
    with desk.database.reading() as tx:
        state = desk.positions.of(tx, table_at(desk, post.game)).state
    owners, left = routes.part(state).owners, routes.part(state).trains[number]
    free = [route for route in rules.board.routes.values() if route.id not in owners]
    fit = [route for route in free if route.length <= left]
    longest = sorted(fit, key=lambda route: (-route.length, crc32(f"{route.id} {number}".encode())))
    claims = [f"claim {route.id} when I can, if it is gone: draw" for route in longest[:ROUTES]]
    return [*claims, "draw for 3 turns"]


def test_game_of_three_by_replies_and_orders(desk: Desk) -> None:
    """Nobody makes a move but by mail; the log is whole, and says which moves orders made."""
    rules = atlas.ruleset("usa", (), 3)
    desk, hands = by_hand(desk._replace(settings=replace(desk.settings, mail_authserv=MX)))
    game, players = table(desk, "Ada", "Ben", "Cem", pace="daily")
    for number, account in enumerate(players):
        confirm(desk, account, f"seat{number}@example.org")
    post = Post(desk, game, players)
    for number in range(3):
        post.reply("keep all", number=number)
    for _ in range(BOUND):
        if table_at(desk, game).status != "running":
            break
        for number, account in enumerate(players):
            given = giving.shown(desk, account, game)
            if table_at(desk, game).status == "running" and (
                given is None or given["state"] != "waiting"
            ):
                _answer(desk, post, rules, number)
        if not carrying_out.play_next(desk):
            hands.on(seconds=max(carrying_out.seconds_left(desk) or 0, 1))

    assert "finished" == table_at(desk, game).status
    played = sources(desk, game)
    assert {"mail", "order"} == set(played)
    assert played.count("order") > 4 * played.count("mail")
    assert log_files.checked("\n".join(reading.log(desk, game, None)).encode()).ended


def _answer(desk: Desk, post: Post, rules: Ruleset, number: int) -> None:
    """Leave orders; while it is the seat's turn, a move of it comes first."""
    lines = wishes(desk, post, rules, number)
    decision = reading.decision(desk, post.game, post.players[number])
    if decision is None:
        post.write(*lines, number=number)
        return
    post.reply(decision["default"]["text"], number=number)
    if reading.decision(desk, post.game, post.players[number]) is None:
        post.write(*lines, number=number)
