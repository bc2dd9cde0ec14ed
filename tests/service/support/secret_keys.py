"""Desks whose SECRET_KEYS have changed."""

from service.desk import Desk

OTHER_KEY = "another key that is as long as it has to be"


def with_keys(desk: Desk, *keys: str) -> Desk:
    """Replace SECRET_KEYS in the desk's own settings; return the same desk."""
    object.__setattr__(desk.settings, "secret_keys", keys)
    return desk
