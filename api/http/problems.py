"""Every refusal and every accident as RFC 9457 `application/problem+json`."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import structlog
from flask import Flask, Response, current_app, request
from structlog.typing import FilteringBoundLogger
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from engine.errors import Refusal
from engine.tongue import say
from engine.words import listed
from service.desk import Away
from service.i18n.catalogue import sayable

MEDIA_TYPE = "application/problem+json"
log: FilteringBoundLogger = structlog.get_logger()


class Row(NamedTuple):
    """What a code means, wherever it is answered."""

    status: int
    title: str
    advice: str


TABLE = {
    "unreadable": Row(
        400, sayable("Cannot be understood"), sayable("The request cannot be understood.")
    ),
    "unauthenticated": Row(
        401, sayable("No valid token"), sayable("Send a valid token: Authorization: Bearer nm_…")
    ),
    "forbidden": Row(403, sayable("Not allowed"), sayable("This token does not allow it.")),
    "not_found": Row(
        404, sayable("Not found"), sayable("There is nothing at this address, or nothing for you.")
    ),
    "method_not_allowed": Row(
        405, sayable("Not possible here"), sayable("This address has other methods.")
    ),
    "not_acceptable": Row(
        406, sayable("No such form"), sayable("It cannot be given in the form you ask for.")
    ),
    "not_awaited": Row(409, sayable("Not asked"), sayable("Nothing is asked of this seat now.")),
    "game_over": Row(409, sayable("Game over"), sayable("The game is over.")),
    "not_over": Row(409, sayable("Game not over"), sayable("It can be had when the game is over.")),
    "seat_taken": Row(409, sayable("No seat"), sayable("There is no such free seat in this game.")),
    "already_started": Row(
        409, sayable("Already started"), sayable("The game has started already.")
    ),
    "too_many_open": Row(
        409, sayable("Too many open games"), sayable("Finish or leave a game first.")
    ),
    "commitment_used": Row(
        409,
        sayable("Commitment used"),
        sayable("A game was opened with it already; ask for another one."),
    ),
    "name_taken": Row(
        409, sayable("Name taken"), sayable("Somebody has this name, or one too much like it.")
    ),
    "hook_exists": Row(
        409,
        sayable("Hook exists"),
        sayable("You have a hook for this URL and game; change that one, or delete it."),
    ),
    "gone": Row(
        410,
        sayable("Gone"),
        sayable("What this Idempotency-Key has made is not there any more; send another key."),
    ),
    "stale": Row(412, sayable("Outdated"), sayable("The game has moved on; look at it again.")),
    "too_large": Row(
        413, sayable("Too large"), sayable("The body must not be larger than 64 KiB.")
    ),
    "unsupported_media_type": Row(
        415, sayable("Not JSON"), sayable("Send JSON: Content-Type: application/json.")
    ),
    "illegal": Row(
        422, sayable("Against the rules"), sayable("The rules do not allow it; `rule` says which.")
    ),
    "ambiguous": Row(
        422, sayable("Ambiguous"), sayable("It fits several options; `candidates` lists them.")
    ),
    "commitment_unknown": Row(
        422,
        sayable("No such commitment"),
        sayable("You have none like it, or it has expired; ask for another one."),
    ),
    "idempotency_mismatch": Row(
        422, sayable("Key used"), sayable("This key was used for another request.")
    ),
    "too_many_waiting": Row(
        429,
        sayable("Too many requests wait"),
        sayable("End one of your long polls or streams, or wait as long as Retry-After says."),
    ),
    "rate_limited": Row(
        429, sayable("Too many requests"), sayable("Wait as long as Retry-After says.")
    ),
    "internal": Row(500, sayable("Our mistake"), sayable("Something broke on our side.")),
    "unavailable": Row(503, sayable("Not ready"), sayable("The service is not ready.")),
}
"""Every code there is: its status, its title, and what to do about it."""

BY_STATUS = {
    **{row.status: code for code, row in TABLE.items() if row.status not in (409, 422)},
    414: "unreadable",
    431: "unreadable",
}
"""The code for a status with which Flask or Werkzeug itself gives up."""


class Problem(Refusal):
    """A refusal that is about HTTP; it may carry further members."""

    def __init__(self, code: str, sentence: str | None = None, **more: object) -> None:
        super().__init__(code, sentence or say(TABLE[code].advice))
        self.more = more


def document(public_url: str, code: str, detail: str) -> dict[str, Any]:
    """The members that every problem has, in their order."""
    status, title, _ = TABLE[code]
    return {
        "type": f"{public_url}/docs/errors#{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }


def answer(
    code: str,
    detail: str,
    more: Mapping[str, Any] = MappingProxyType({}),
    headers: Iterable[tuple[str, str]] = (),
) -> Response:
    """The problem as a response; members come in a fixed order, the general ones first."""
    status = TABLE[code].status
    body = {**document(current_app.config["PUBLIC_URL"], code, detail), **more}
    response = Response(current_app.json.dumps(body), status, mimetype=MEDIA_TYPE)
    response.headers.extend(headers)
    if "retry_after" in more:
        response.headers["Retry-After"] = str(more["retry_after"])
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="nightmail"'
    return response


def of_refusal(refusal: Refusal) -> Response:
    """What a service, the engine or this frame has refused."""
    if refusal.code not in TABLE:
        raise LookupError(f"no status for the code {refusal.code}") from refusal
    members = {name: getattr(refusal, name, None) for name in ("rule", "candidates")}
    more = {name: value for name, value in members.items() if value is not None}
    return answer(refusal.code, refusal.sentence, more | getattr(refusal, "more", {}))


def of_http(error: HTTPException) -> Response | HTTPException:
    """What Flask or Werkzeug has refused; their headers, such as Allow, stay."""
    status = error.code or 500
    if status < 400 or error.response is not None:
        return error
    code = BY_STATUS.get(status, "unreadable" if status < 500 else "internal")
    detail = TABLE[code].advice
    if code == "unreadable" and error.description:
        detail = error.description
    elif isinstance(error, MethodNotAllowed) and error.valid_methods:
        detail = f"Here you can {listed(sorted(error.valid_methods))}."
    kept = [pair for pair in error.get_headers(request.environ) if pair[0] != "Content-Type"]
    return answer(code, detail, headers=kept)


def of_accident(error: Exception) -> Response:
    """Our own mistake: the log learns everything, the caller only where to find it."""
    log.error("accident", exc_info=error)
    known_as = cast(Any, request).id
    return answer(
        "internal", say("Something broke on our side; it is logged as {name}.", name=known_as)
    )


def of_database(error: Away) -> Response:
    """The database is away, or others were in the way too long: nothing has happened."""
    library = error.__cause__
    driver = library and library.__cause__
    log.warning("database", error=type(library).__name__, cause=type(driver).__name__)
    advice = say("Nothing has been done; send the same request again in a moment.")
    return answer("unavailable", advice, {"retry_after": 1})


def install(app: Flask) -> None:
    """Answer everything that goes wrong with a problem."""
    app.register_error_handler(Away, of_database)
    app.register_error_handler(Refusal, of_refusal)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(Exception, of_accident)
