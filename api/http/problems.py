"""Turns refusals and errors into RFC 9457 problems (`application/problem+json`)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import structlog
from flask import Flask, Response, current_app, request
from structlog.typing import FilteringBoundLogger
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from api.http.slips import request_slips
from engine.errors import Refusal
from engine.translate import say
from service.desk import Away
from service.i18n.catalogue import sayable

MEDIA_TYPE = "application/problem+json"
log: FilteringBoundLogger = structlog.get_logger()


class ProblemType(NamedTuple):
    """What a code means, wherever it is used."""

    status: int
    title: str
    advice: str


TABLE = {
    "unreadable": ProblemType(
        400, sayable("Bad request"), sayable("The request could not be understood.")
    ),
    "unauthenticated": ProblemType(
        401,
        sayable("No valid token"),
        sayable("Send a valid token: Authorization: Bearer nm_…"),
    ),
    "forbidden": ProblemType(
        403, sayable("Not allowed"), sayable("This token does not allow that.")
    ),
    "not_found": ProblemType(
        404,
        sayable("Not found"),
        sayable("There is nothing at this address, or nothing that you can see."),
    ),
    "method_not_allowed": ProblemType(
        405,
        sayable("Method not allowed"),
        sayable("This address does not support that method."),
    ),
    "not_acceptable": ProblemType(
        406,
        sayable("Format not available"),
        sayable("This is not available in the format you asked for."),
    ),
    "not_awaited": ProblemType(
        409, sayable("Not your turn"), sayable("This seat has nothing to decide right now.")
    ),
    "game_over": ProblemType(409, sayable("Game over"), sayable("The game is over.")),
    "not_over": ProblemType(
        409, sayable("Game not over"), sayable("This is available once the game is over.")
    ),
    "seat_taken": ProblemType(
        409, sayable("No free seat"), sayable("There is no such free seat in this game.")
    ),
    "seat_reserved": ProblemType(
        409,
        sayable("Seats reserved"),
        sayable("All free seats are reserved for guests; try again after `until`."),
    ),
    "colour_taken": ProblemType(
        409,
        sayable("Colour taken"),
        sayable("Another player has this colour; choose another one, or none."),
    ),
    "already_started": ProblemType(
        409, sayable("Already started"), sayable("The game has already started.")
    ),
    "too_many_open": ProblemType(
        409, sayable("Too many open games"), sayable("Finish or leave a game first.")
    ),
    "commitment_used": ProblemType(
        409,
        sayable("Commitment already used"),
        sayable("A game has already been opened with this commitment; request another one."),
    ),
    "name_taken": ProblemType(
        409, sayable("Name taken"), sayable("This name, or one very much like it, is taken.")
    ),
    "hook_exists": ProblemType(
        409,
        sayable("Webhook exists"),
        sayable("You already have a webhook for this URL and game; change or delete that one."),
    ),
    "destination_exists": ProblemType(
        409,
        sayable("Destination exists"),
        sayable("You already have a destination there; change or remove that one."),
    ),
    "gone": ProblemType(
        410,
        sayable("Gone"),
        sayable("What was made with this Idempotency-Key no longer exists; use another key."),
    ),
    "stale": ProblemType(
        412, sayable("Out of date"), sayable("The game has moved on; take another look.")
    ),
    "too_large": ProblemType(
        413, sayable("Too large"), sayable("The body must not be larger than 64 KiB.")
    ),
    "unsupported_media_type": ProblemType(
        415,
        sayable("Unsupported media type"),
        sayable("Send JSON with Content-Type: application/json."),
    ),
    "illegal": ProblemType(
        422,
        sayable("Against the rules"),
        sayable("The rules do not allow this move; `rule` names the rule."),
    ),
    "ambiguous": ProblemType(
        422,
        sayable("Ambiguous"),
        sayable("The move fits several options; `candidates` lists them."),
    ),
    "commitment_unknown": ProblemType(
        422,
        sayable("Unknown commitment"),
        sayable("You have no such commitment, or it has expired; request another one."),
    ),
    "idempotency_mismatch": ProblemType(
        422,
        sayable("Key already used"),
        sayable("This Idempotency-Key was used for a different request."),
    ),
    "too_many_waiting": ProblemType(
        429,
        sayable("Too many waiting requests"),
        sayable("End one of your long polls or streams, or wait as long as Retry-After says."),
    ),
    "rate_limited": ProblemType(
        429,
        sayable("Too many requests"),
        sayable("Wait for as long as the Retry-After header says."),
    ),
    "internal": ProblemType(
        500, sayable("Something went wrong"), sayable("Something went wrong on our side.")
    ),
    "unavailable": ProblemType(503, sayable("Not ready"), sayable("The service is not ready.")),
}
"""Every problem code with its HTTP status, its title, and what to do about it."""

BY_STATUS = {
    **{row.status: code for code, row in TABLE.items() if row.status not in (409, 422)},
    414: "unreadable",
    431: "unreadable",
}
"""The code for each HTTP error that Flask or Werkzeug raises."""


class Problem(Refusal):
    """A refusal at the HTTP level, with optional further members."""

    def __init__(self, code: str, sentence: str | None = None, **more: object) -> None:
        super().__init__(code, sentence or say(TABLE[code].advice))
        self.more = more


def problem_body(public_url: str, code: str, detail: str) -> dict[str, Any]:
    """Return the members that every problem has, in a fixed order."""
    status, title, _ = TABLE[code]
    return {
        "type": f"{public_url}/docs/errors#{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }


def problem_response(
    code: str,
    detail: str,
    more: Mapping[str, Any] = MappingProxyType({}),
    headers: Iterable[tuple[str, str]] = (),
) -> Response:
    """Make the response for a problem; the general members come first."""
    status = TABLE[code].status
    body = {**problem_body(current_app.config["PUBLIC_URL"], code, detail), **more}
    response = Response(current_app.json.dumps(body), status, mimetype=MEDIA_TYPE)
    response.headers.extend(headers)
    if "retry_after" in more:
        response.headers["Retry-After"] = str(more["retry_after"])
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="nightmail"'
    return response


def from_refusal(refusal: Refusal) -> Response:
    """Make the response for a refusal of the engine, the service or the HTTP layer."""
    if refusal.code not in TABLE:
        raise LookupError(f"no status for the code {refusal.code}") from refusal
    members = {name: getattr(refusal, name, None) for name in ("rule", "candidates")}
    more = {name: value for name, value in members.items() if value is not None}
    if refusal.place is not None:
        more["place"] = refusal.place._asdict()
    return problem_response(refusal.code, refusal.sentence, more | getattr(refusal, "more", {}))


def from_http_error(error: HTTPException) -> Response | HTTPException:
    """Make the response for an HTTP error of Flask or Werkzeug; headers such as Allow stay."""
    status = error.code or 500
    if status < 400 or error.response is not None:
        return error
    code = BY_STATUS.get(status, "unreadable" if status < 500 else "internal")
    detail = TABLE[code].advice
    if code == "unreadable" and error.description:
        detail = error.description
    elif isinstance(error, MethodNotAllowed) and error.valid_methods:
        meant = None if is_api_path(request.path) else similar_path()
        detail = (
            request_slips.page_for_people(meant)
            if meant
            else request_slips.wrong_method(error.valid_methods)
        )
    elif code == "not_found" and (meant := similar_path()):
        detail = request_slips.unknown_path(meant)
    headers = [pair for pair in error.get_headers(request.environ) if pair[0] != "Content-Type"]
    return problem_response(code, detail, headers=headers)


def is_api_path(path: str) -> bool:
    """Check whether a path is one of the API, and not of a page."""
    return path.startswith(f"{request_slips.PREFIX}/")


def similar_path() -> str | None:
    """Return the path of the API that the current request probably meant, if there is one."""
    return request_slips.similar_path(
        current_app.url_map.bind_to_environ(request.environ), request.path
    )


def internal_error(error: Exception) -> Response:
    """Log an unexpected exception; the client only gets the request id."""
    log.error("internal error", exc_info=error)
    request_id = cast(Any, request).id
    detail = say("Something went wrong on our side; it is logged as {id}.", id=request_id)
    return problem_response("internal", detail)


def database_unavailable(error: Away) -> Response:
    """Answer 503: the database did not answer or was locked for too long; nothing was changed."""
    library = error.__cause__
    driver = library and library.__cause__
    log.warning("database", error=type(library).__name__, cause=type(driver).__name__)
    advice = say("Nothing was changed; send the same request again in a moment.")
    return problem_response("unavailable", advice, {"retry_after": 1})


def register_error_handlers(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(Away, database_unavailable)
    app.register_error_handler(Refusal, from_refusal)
    app.register_error_handler(HTTPException, from_http_error)
    app.register_error_handler(Exception, internal_error)
