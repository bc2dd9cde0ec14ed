"""A game as text: the table, the players, the board and the result, as the account sees it."""

from collections.abc import Iterator
from typing import Any

from cli.mcp.board_names import BoardNames, words
from cli.mcp.others_words import plain, quoted

Json = dict[str, Any]
ORDINARY = "plain"
"""The kind of a route about which there is nothing to say."""
SHOWN_APART = ("seats", "claimed", "seat")
"""Fields of the state that are not listed with the others."""


def table_text(game: Json, board: Json, *, free: bool) -> str:
    """Return the whole table; `free` adds the routes that nobody has claimed."""
    names = BoardNames(board)
    lines = [*_heading(game, board), *_players(game, names)]
    if state := game["state"]:
        lines += ["", "On the table"]
        lines += _fields(state, names)
        lines += _claimed(game, board)
        if free and game["status"] == "running":
            lines += _free(state, board)
    if game["result"]:
        lines += _result(game["result"], names)
    return "\n".join(lines)


def summary(game: Json) -> str:
    """Return a game in one line."""
    players = ", ".join(map(player_label, game["players"]))
    awaited = ", ".join(f"seat {row['seat']}" for row in game["awaited"]) or "nobody"
    return (
        f"{game['id']} {quoted(game['title'])}: {game['board']}, {game['status']}, "
        f"version {game['version']}. Players: {players}. Waiting for: {awaited}."
    )


def player_label(player: Json) -> str:
    """Return a player's seat and name."""
    return f"seat {player['seat']} {quoted(player['name'])}"


def _heading(game: Json, board: Json) -> Iterator[str]:
    variants = ", ".join(game["variants"])
    yield (
        f"Game {game['id']} {quoted(game['title'])}: {plain(board['name'])}"
        f"{f' with {variants}' if variants else ''}, {game['status']}, version {game['version']}."
    )
    me = game["me"]
    yield "You have no seat and see what spectators see." if me is None else f"You are seat {me}."
    for row in game["awaited"]:
        until = f", until {row['deadline']}" if row["deadline"] else ""
        yield f"Waiting for seat {row['seat']} to {plain(row['for'])}{until}."
    if game["end"]:
        yield f"The end: {quoted(game['end'])}"


def _players(game: Json, names: BoardNames) -> Iterator[str]:
    yield from ("", "Players (seats are counted from 0)")
    seats = {row["seat"]: row for row in (game["state"] or {}).get("seats", ())}
    for player in game["players"]:
        about = [str(player["kind"] or "account deleted"), *filter(None, [player["colour"]])]
        about += ["away"] * player["away"] + ["resigned"] * player["resigned"]
        about += ["you"] * (player["seat"] == game["me"])
        yield f"- {player_label(player)} ({', '.join(about)})"
        yield from _fields(seats.get(player["seat"], {}), names, "    ")


def _fields(state: Json, names: BoardNames, indent: str = "- ") -> Iterator[str]:
    """Yield a line for each field; rules add fields, so none is named here."""
    for field, value in state.items():
        if field not in SHOWN_APART and value is not None:
            yield f"{indent}{words(field)}: {names.of(value)}"


def _claimed(game: Json, board: Json) -> Iterator[str]:
    rows = {row["id"]: row for row in board["routes"]}
    claimed = game["state"]["claimed"]
    yield from ("", "Claimed routes")
    for player in game["players"]:
        own = [rows[id] for id, seats in claimed.items() if player["seat"] in seats and id in rows]
        routes = "; ".join(f"{plain(row['name'])} {row['length']}" for row in own)
        yield f"- {player_label(player)}: {routes or 'none'}"


def _free(state: Json, board: Json) -> Iterator[str]:
    yield from ("", "Free routes: name, id, length, colour")
    closed = {*state["claimed"], *state["closed"]}
    for row in board["routes"]:
        if row["id"] not in closed:
            yield f"- {plain(row['name'])}, {row['id']}, {row['length']}, {_colour(row)}"


def _colour(row: Json) -> str:
    kind = row["kind"] if row["kind"] != ORDINARY else ""
    locomotives = f"locomotives {row['locomotives']}" if row["locomotives"] else ""
    return ", ".join(filter(None, [row["colour"], kind, locomotives]))


def _result(result: Json, names: BoardNames) -> Iterator[str]:
    winners = ", ".join(f"seat {seat}" for seat in result["winners"])
    yield from ("", f"Result: won by {winners} ({words(result['reason'])})")
    for row in result["results"]:
        lines = ", ".join(f"{words(line['kind'])} {line['points']}" for line in row["lines"])
        yield f"- seat {row['seat']}: {row['total']} points, place {row['rank']} ({lines})"
        yield f"    completed: {names.of(row['completed'])}; failed: {names.of(row['failed'])}"
