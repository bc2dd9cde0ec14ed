"""Desks whose SECRET_KEYS have changed."""

from service.desk import Desk

OTHER_KEY = "another key that is as long as it has to be"


def with_keys(desk: Desk, *keys: str) -> Desk:
    """The desk, whose settings have these SECRET_KEYS from now on."""
    object.__setattr__(desk.settings, "secret_keys", keys)
    return desk
