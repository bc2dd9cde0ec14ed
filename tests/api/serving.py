"""The whole application on a database of its own, for tests that call it like a client."""

import threading
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from api.wsgi import app_at
from service.desk import Desk, open_desk
from service.games.bots import house
from service.people import sessions, tokens
from service.settings import Settings
from store import schema
from tests.support.databases import lay_ready

KEY = "k" * 32
OFTEN = {
    "RATE_LIMIT_TOKEN": "1000000/minute",
    "RATE_LIMIT_ADDRESS": "1000000/minute",
    "RATE_LIMIT_ACCOUNTS": "1000000/minute",
    "RATE_LIMIT_SIGN_INS": "1000000/minute",
    "RATE_LIMIT_INVITATIONS": "1000000/minute",
    "RATE_LIMIT_LETTERS": "1000000/minute",
    "RATE_LIMIT_MESSAGES": "1000000/minute",
    "RATE_LIMIT_FAILURES": "1000000/minute",
}
"""Rate limits so high that no test reaches them by accident."""


class AtOnce:
    """A wake-up that lets the house play at once, without waiting for a worker."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._rung = False
        self._playing = threading.Lock()

    def send(self) -> None:
        """Play every turn of the house; its own moves trigger another wake-up."""
        self._rung = True
        while self._rung and self._playing.acquire(blocking=False):
            self._rung = False
            try:
                while house.play_next(self._desk):
                    pass
            finally:
                self._playing.release()


def fresh_app(url: str, **environ: str) -> tuple[Flask, Desk]:
    """Create the application on the empty database at this URL, and create the tables first.

    House bots play at once, without a worker.
    """
    quiet = {"SECRET_KEYS": KEY, "LOG_FORMAT": "json", "LOG_LEVEL": "error"}
    settings = Settings.of({**quiet, **OFTEN, **environ, "DATABASE_URL": url})
    lay_ready(url)
    desk = open_desk(settings)
    desk = desk._replace(wakeup=AtOnce(desk))
    schema.upgrade(desk.database)
    return app_at(desk), desk


def newcomer(web: FlaskClient, name: str, **more: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Create an account, and return it with its Authorization header."""
    answer = web.post("/v1/accounts", json={"name": name, **more})
    assert answer.json is not None
    assert 201 == answer.status_code, answer.text
    return answer.json["account"], {"Authorization": f"Bearer {answer.json['token']['token']}"}


def signed_in(desk: Desk, account: str, browser: str = "browser") -> str:
    """Sign an account in, and return its session cookie."""
    minted = tokens.mint(desk, account, None)
    with desk.database.writing() as tx:
        sessions.begin_session(desk, tx, minted, account, browser)
    return minted.text
