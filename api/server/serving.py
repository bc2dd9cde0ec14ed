"""How uvicorn runs the application."""

import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import structlog
import uvicorn
from uvicorn.supervisors import Multiprocess

from api.server.asgi import Receive, Scope, Send
from service.settings import Settings

GRACE = 4
"""Seconds in which requests in flight are answered when we stop."""
HEALTH = 60
"""Seconds after which a process that does not say that it is alive is replaced; uvicorn's 5 are too
few for a busy machine, on which a process takes longer to start."""
SPARE_FILES = 200
"""Files that a process needs beside its connections."""
BACKLOG = 2048
"""Connections that the kernel keeps until they are accepted."""

Application = Callable[[Scope, Receive, Send], Any]
log = structlog.get_logger()


def config(settings: Settings, application: Application) -> uvicorn.Config:
    """What uvicorn is started with."""
    return uvicorn.Config(
        application,
        workers=settings.web_workers,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,  # its lines go where all others go
        log_level=settings.log_level,
        access_log=False,  # requests are logged by the application
        proxy_headers=False,  # TRUSTED_PROXIES counts proxies, and ProxyFix believes them
        server_header=False,
        limit_concurrency=settings.web_connections,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=HEALTH,
    )


def listen(bind: str) -> socket.socket:
    """The socket of BIND; OSError if it cannot be had."""
    if bind.startswith("unix:"):
        path = Path(bind.removeprefix("unix:"))
        if path.is_socket():
            path.unlink()  # a server that was killed has left it
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        path.chmod(0o666)
    else:
        host, _, port = bind.rpartition(":")
        family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), int(port)))
    listener.listen(BACKLOG)
    return listener


def run(settings: Settings, application: Application, listener: socket.socket) -> None:
    """Answer requests until SIGTERM or SIGINT; several processes if the settings say so."""
    chosen = config(settings, application)
    signal.signal(signal.SIGTERM, _quit)  # uvicorn raises it again when it is done
    try:
        if settings.web_workers > 1:
            Multiprocess(chosen, sockets=[listener]).run()
        else:
            uvicorn.Server(chosen).run(sockets=[listener])
    except KeyboardInterrupt:  # likewise
        pass


def _quit(_: int, __: FrameType | None) -> None:
    sys.exit(0)


def before_stopping(stop: Callable[[], object]) -> None:
    """Call this as soon as a signal tells us to stop, and then do what uvicorn does at it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, before: Any = before) -> None:
            stop()
            before(number, frame)

        signal.signal(number, handle)


def raise_file_limit(settings: Settings) -> None:
    """Raise the soft limit of open files as far as needed, and say if that is too low."""
    needed = settings.web_connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        possible = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
        if possible < needed:
            log.warning("few open files", limit=possible, needed=needed, setting="WEB_CONNECTIONS")
