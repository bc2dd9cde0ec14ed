"""What the responses of services mean, and the JSON in requests and responses."""

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

import orjson

from service.i18n.catalogue import sayable
from workers.calling import retry_after
from workers.calling.connector import Answer

AGENT = "Nightmail"
UNASKED_PAUSE = timedelta(minutes=1)
"""The pause after a 429 that names none."""

# Stored with the destination in English, and translated when shown.
UNKNOWN = sayable("The other side does not know this address any more.")
FORBIDDEN = sayable("The other side does not let us write there any more.")
TOO_FAST = sayable("The other side has asked us to wait.")
OPERATORS = sayable("The other side does not accept the token of this service.")


class Verdict(NamedTuple):
    """What the response of a service means."""

    state: str
    """sent; again (a retry may succeed); failed (this message); ended (the destination, too);
    removed (its device has given it up)."""
    reason: str = ""
    wait: timedelta | None = None
    """How long the service has asked us to wait."""


def by_status(answer: Answer, now: str) -> Verdict:
    """Return what a response means by its status alone."""
    if 200 <= answer.status < 300:
        return Verdict("sent")
    if answer.status == 429:
        return too_fast(answer, now)
    if answer.status in (404, 410):
        return Verdict("ended", UNKNOWN)
    if answer.status in (401, 403):
        return Verdict("ended", FORBIDDEN)
    is_final = 400 <= answer.status < 500 and answer.status != 408
    return Verdict(
        "failed" if is_final else "again", f"The other side answered with status {answer.status}."
    )


def too_fast(answer: Answer, now: str, seconds: float | None = None) -> Verdict:
    """Return the verdict on an answer that asks us to wait, in its body or by `Retry-After`."""
    if seconds is not None:
        wait: timedelta | None = retry_after.bounded(timedelta(seconds=seconds))
    else:
        wait = retry_after.pause(answer, now)
    return Verdict("again", TOO_FAST, wait or UNASKED_PAUSE)


def json_of(answer: Answer) -> Mapping[str, object]:
    """Return the JSON object in the body of an answer; empty if there is none."""
    try:
        document = orjson.loads(answer.body) if answer.is_whole else None
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def number_in(document: object, name: str) -> float | None:
    """Return a number of a JSON object; None if there is none."""
    value = document.get(name) if isinstance(document, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 10**9 else None


def json_headers(**more: str) -> dict[str, str]:
    """Return the headers of a request with JSON in its body."""
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": AGENT,
        **named,
    }
