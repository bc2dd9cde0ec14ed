"""Refusals of the service itself; those of a game's rules come from the engine."""

from collections.abc import Mapping
from typing import Any

from engine import Refusal
from engine.translate import say
from service.i18n.catalogue import sayable

_FIELDS = {
    *(sayable("name"), sayable("email"), sayable("locale"), sayable("time_zone")),
    *(sayable("notifications.mode"), sayable("notifications.quiet_hours"), sayable("absences")),
    *(sayable("label"), sayable("scopes"), sayable("url"), sayable("types"), sayable("text")),
    *(sayable("board"), sayable("variants"), sayable("seats"), sayable("bots"), sayable("pace")),
    *(sayable("title"), sayable("visibility"), sayable("notes")),
}
"""Fields that people fill in on pages, too, and so are translated; programs use these names."""


class Refused(Refusal):
    """A refusal with further fields for programs, such as `retry_after`."""

    def __init__(self, code: str, sentence: str, **more: Any) -> None:
        super().__init__(code, sentence)
        self.more: Mapping[str, Any] = more


def not_found(sentence: str | None = None) -> Refused:
    """Return the refusal for a game, or something else, that does not exist or is hidden."""
    return Refused("not_found", sentence or say("There is no such game."))


def stale(version: int) -> Refused:
    """Return the refusal of a move for an older version of the game."""
    return Refused(
        "stale",
        say("The game has moved on: it is now at version {version}.", version=version),
        version=version,
    )


def key_used() -> Refused:
    """Return the refusal of an Idempotency-Key that came with a different request before."""
    return Refused(
        "idempotency_mismatch",
        say(
            "This Idempotency-Key was already used for a different request. Make a new key for "
            "each request; the same key only repeats the same request."
        ),
    )


def made_and_gone(sentence: str) -> Refused:
    """Return the refusal to repeat an answer about something that has been deleted meanwhile."""
    return Refused("gone", sentence)


def unreadable(sentence: str, at: str | None = None) -> Refused:
    """Return the refusal of a value that cannot be accepted; `at` names its field."""
    if at is None:
        return Refused("unreadable", sentence)
    name = say(at) if at in _FIELDS else at
    return Refused("unreadable", f"{name}: {sentence}", errors=[{"at": at, "says": sentence}])
