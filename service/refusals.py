"""What the service itself refuses, beside the rules of the games."""

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
    *(sayable("title"), sayable("visibility")),
}
"""What people fill in on pages, too; programs know it by these names."""


class Refused(Refusal):
    """A refusal with further facts that help a program to go on."""

    def __init__(self, code: str, sentence: str, **more: Any) -> None:
        super().__init__(code, sentence)
        self.more: Mapping[str, Any] = more


def not_found(sentence: str | None = None) -> Refused:
    """Also for what is there and none of the caller's business; of a game, if nothing is said."""
    return Refused("not_found", sentence or say("There is no such game."))


def stale(version: int) -> Refused:
    return Refused(
        "stale",
        say("The game has moved on: it is at version {version} now.", version=version),
        version=version,
    )


def key_used() -> Refused:
    return Refused(
        "idempotency_mismatch", say("This Idempotency-Key was used before, with another request.")
    )


def made_and_gone(sentence: str) -> Refused:
    """Refuse to repeat an answer about something that a key has made and that is gone since."""
    return Refused("gone", sentence)


def unreadable(sentence: str, at: str | None = None) -> Refused:
    """Something that was sent cannot be; where, if it has a name."""
    if at is None:
        return Refused("unreadable", sentence)
    named = say(at) if at in _FIELDS else at
    return Refused("unreadable", f"{named}: {sentence}", errors=[{"at": at, "says": sentence}])
