"""The application as a server runs it: on the settings of its environment."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from flask import Flask
from gunicorn.app.base import BaseApplication

from api.app import create_app
from api.http import request_log
from api.server.serving import options
from service import readiness, upkeep
from service.desk import Desk, open_desk
from service.people import tokens
from service.settings import Settings


def app_at(desk: Desk) -> Flask:
    """The application that works at this desk."""
    return create_app(
        desk.settings,
        desk,
        caller_of=partial(tokens.caller_of, desk),
        ready=partial(readiness.faults, desk),
    )


def application() -> Flask:
    """The application and a desk of its own, as the environment says."""
    settings = Settings.of(os.environ)
    upkeep.restrict_files(settings)
    return app_at(open_desk(settings))


class Beside(Protocol):
    """What is done in a web process beside answering requests."""

    desk: Desk

    def start(self) -> None: ...
    def stop(self) -> None: ...


class Server(BaseApplication):
    """gunicorn with our settings. Each of its processes opens a desk of its own, after the fork."""

    def __init__(
        self,
        settings: Settings,
        ready: Callable[[], None],
        beside: Callable[[Desk], Beside] | None,
    ) -> None:
        self._settings = settings
        self._ready = ready
        self._begin = beside
        self._beside: Beside | None = None
        self._desk: Desk | None = None
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn what we know; it reads neither files nor variables of its own."""
        chosen: dict[str, Any] = options(self._settings) | {
            "preload_app": False,
            "when_ready": lambda _: self._ready(),
            "worker_exit": lambda _, __: self._close(),
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The application of one web process; gunicorn's own type for it fits none of Flask's."""
        self._desk = open_desk(self._settings)
        if self._begin is not None:
            self._beside = self._begin(self._desk)
            self._desk = self._beside.desk
            self._beside.start()
        return app_at(self._desk)

    def _close(self) -> None:
        if self._beside is not None:
            self._beside.stop()
        if self._desk is not None:
            self._desk.database.close()


def serve(
    settings: Settings,
    ready: Callable[[], None],
    beside: Callable[[Desk], Beside] | None = None,
) -> None:
    """Answer requests until somebody stops us; `ready` is called when we listen."""
    request_log.set_up(settings)
    upkeep.restrict_files(settings)
    if settings.metrics_dir is not None:
        settings.metrics_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    Server(settings, ready, beside).run()
