"""Operations on games: list, open, read, draw, join and leave."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key, not_modified, set_etag, unchanged
from api.http.desk import desk, json_response, reader
from api.http.problems import Problem
from api.schemas.fields import file_schema
from api.schemas.game_requests import (
    GamePictureQuery,
    GameRequest,
    GamesQuery,
    SeatRequest,
    TableBotRequest,
)
from api.schemas.game_schemas import Game, GameList, JoinedGame, TableLink
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, has_etag, has_pages, may_refuse, returns_etag, takes
from service.games import lobby, reading, rematches
from service.games.seating import hosting, table_answers
from service.views import board_picture

LOG = (
    "JSON lines: the opening, one move per line with its events, and the seed. Each line has a "
    "hash of itself and of all lines before it."
)

blueprint = Blueprint(
    "games", __name__, url_prefix="/v1/games", description="Games: open, join, read and leave them."
)


@blueprint.route("")
@welcomes
@blueprint.arguments(GamesQuery, location="query")
@blueprint.response(200, GameList)
@has_pages
def list_games(query: dict[str, Any]) -> Response:
    """List public games and your own, newest first.

    Without a token only public games are listed. Open games are those that you can still join.
    """
    account, limit = reader(), query["limit"]
    if (query["mine"] or query["known"]) and account is None:
        raise Problem("unauthenticated")
    games = reading.listed(
        desk(),
        reading.GameFilter(
            account,
            query["mine"],
            query.get("status"),
            query.get("board"),
            paging.decode_cursor(query.get("cursor")),
            limit + 1,
            query.get("pace"),
            query.get("seats"),
            query["known"],
        ),
    )
    response = json_response({"games": games[:limit]})
    if games[limit:]:
        last = games[limit - 1]
        paging.link_next(response, cursor=paging.encode_cursor(last["created"], last["id"]))
    return response


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.arguments(GameRequest)
@blueprint.response(201, JoinedGame)
@may_refuse(
    "too_many_open", "commitment_used", "commitment_unknown", "gone", "idempotency_mismatch"
)
@takes("Idempotency-Key")
@returns_etag
def open_game(body: dict[str, Any]) -> Response:
    """Open a game and take a seat; it starts when the last seat is taken.

    House bots sit down at once. Seats are drawn by lot when the game starts, so look at `me` again
    then. The number of open games of an account is limited.
    """
    opened = lobby.NewGame(**{**body, "variants": tuple(body["variants"])})
    created = lobby.open_game(desk(), caller().account, opened, idempotency_key())
    set_etag(created.pop("tag"))
    response = json_response(created, 201)
    response.headers["Location"] = f"/v1/games/{created['id']}"
    return response


@blueprint.route("/<id:game>")
@welcomes
@blueprint.response(200, Game)
@has_etag
def read_game(game: str) -> Response:
    """Get a game as you may see it: its players, the position, whose turn it is, the result.

    Without a token, or without a seat, you see what spectators see. Anything hidden from you is
    `?`. A private game does not exist for anyone who is not at its table.
    """
    tag, page = reading.game(desk(), game, reader())
    return not_modified() if unchanged(tag) else json_response(page)


@blueprint.route("/<id:game>/board.svg")
@welcomes
@blueprint.arguments(GamePictureQuery, location="query")
@blueprint.response(200, file_schema("The picture."), content_type="image/svg+xml")
@has_etag
def draw_game_svg(query: dict[str, Any], game: str) -> Response:
    """Get a picture of the board as SVG.

    The last move is highlighted. Hidden information is not shown; your own tickets are, on request.
    """
    picture = board_picture.game(desk(), game, reader(), tickets=query["tickets"])
    if unchanged(picture.tag):
        return not_modified()
    return Response(picture.svg(query["theme"]), mimetype="image/svg+xml")


@blueprint.route("/<id:game>/board.png")
@welcomes
@blueprint.arguments(GamePictureQuery, location="query")
@blueprint.response(200, file_schema("The picture."), content_type="image/png")
@has_etag
def draw_game_png(query: dict[str, Any], game: str) -> Response:
    """Get a picture of the board as PNG, 1400 pixels wide.

    It shows the same as the SVG: the last move is highlighted, and hidden information is not shown.
    """
    picture = board_picture.game(desk(), game, reader(), tickets=query["tickets"])
    if unchanged(picture.tag):
        return not_modified()
    return Response(picture.png(query["theme"]), mimetype="image/png")


@blueprint.route("/<id:game>/seats", methods=["POST"])
@needs("play")
@blueprint.arguments(SeatRequest, required=False)
@blueprint.response(201, JoinedGame)
@may_refuse(
    "seat_taken",
    "seat_reserved",
    "colour_taken",
    "already_started",
    "too_many_open",
    "gone",
    "idempotency_mismatch",
)
@takes("Idempotency-Key")
@returns_etag
def take_seat(body: dict[str, Any] | None, game: str) -> Response:
    """Take a seat; the game starts when the last seat is taken.

    For a private game you need an invitation. A seat that is reserved for a guest cannot be taken
    by others (`seat_reserved`): wait until the reservation ends, or join another game. A `colour`
    that another player has chosen is refused (`colour_taken`). Only bots may join a rated game.
    Seats are drawn by lot when the game starts, so look at `me` again then.
    """
    seat = lobby.NewSeat(**(body or {}))
    joined = lobby.take_seat(desk(), caller().account, game, seat, idempotency_key())
    set_etag(joined.pop("tag"))
    return json_response(joined, 201)


@blueprint.route("/<id:game>/bots", methods=["POST"])
@needs("play")
@blueprint.arguments(TableBotRequest)
@blueprint.response(201, JoinedGame)
@may_refuse("seat_reserved", "already_started", "too_many_open")
@returns_etag
def add_house_bot(body: dict[str, Any], game: str) -> Response:
    """Give a free seat at your open table to a house bot; with the last seat the game starts.

    Only the host can do this: the player who has been at the table for the longest time. Reserved
    seats stay reserved; withdraw the invitation first.
    """
    filled = lobby.fill_with_bot(desk(), caller().account, game, body["strength"])
    set_etag(filled.pop("tag"))
    return json_response(filled, 201)


@blueprint.route("/<id:game>/link")
@needs("play")
@blueprint.response(200, TableLink)
@may_refuse("already_started")
def read_table_link(game: str) -> Response:
    """Get the link with which anybody can take a seat at your open table, even if it is private.

    Only the host can do this. A link reserves no seat.
    """
    return json_response({"link": hosting.link(desk(), caller().account, game)})


@blueprint.route("/<id:game>/link", methods=["POST"])
@needs("play")
@blueprint.response(201, TableLink)
@may_refuse("already_started")
def renew_table_link(game: str) -> Response:
    """Make the link to your open table void, and get a new one.

    Only the host can do this. Whoever has taken a seat with the old link keeps it.
    """
    return json_response({"link": hosting.renew_link(desk(), caller().account, game)}, 201)


@blueprint.route("/<id:game>/rematch", methods=["POST"])
@needs("play")
@blueprint.response(201, JoinedGame)
@may_refuse(
    "not_over", "seat_reserved", "already_started", "too_many_open", "gone", "idempotency_mismatch"
)
@takes("Idempotency-Key")
@returns_etag
def open_rematch(game: str) -> Response:
    """Open a rematch of a finished game: the same board, variants, pace, people and bots.

    A seat is reserved for everybody who played with you. If another player has opened the rematch
    already, you get a seat at that table. The seats are those of the old game, moved on by one:
    whoever was second begins. They are assigned when the game starts, so look at `me` again then.
    """
    account = caller().account
    opened = rematches.open_rematch(desk(), account, game, idempotency_key())
    table = table_answers.current(desk(), account, opened.game)
    set_etag(table.pop("tag"))
    response = json_response(table, 201)
    response.headers["Location"] = f"/v1/games/{opened.game}"
    return response


@blueprint.route("/<id:game>/seats/mine", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
@may_refuse("game_over")
def leave_seat(game: str) -> Response:
    """Leave the table; once the game has started this means resigning, and the house plays on.

    A caretaker of the house takes over the seat, so that the others can go on. From then on you
    see the game as spectators do. When the last player leaves, the game is abandoned.
    """
    lobby.leave(desk(), caller().account, game)
    return Response(status=204)


@blueprint.route("/<id:game>/log")
@welcomes
@blueprint.response(200, file_schema(LOG), content_type="application/jsonl")
@may_refuse("not_over")
def read_log(game: str) -> Response:
    """Get the complete log of a finished game, with its seed; `nightmail verify` checks it.

    An abandoned game is finished, too, although it has no result.
    """
    lines = reading.log(desk(), game, reader())
    return Response("\n".join(lines) + "\n", mimetype="application/jsonl")
