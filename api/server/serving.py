"""Runs the application with uvicorn."""

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
"""Seconds that requests in flight have to finish at shutdown."""
HEALTH = 60
"""Seconds after which an unresponsive process is replaced; uvicorn's default of 5 is too short for
a busy machine, on which a process takes longer to start."""
SPARE_FILES = 200
"""Open files that a process needs beside its connections."""
BACKLOG = 2048
"""The listen backlog: connections that the kernel queues until they are accepted."""

Application = Callable[[Scope, Receive, Send], Any]
log = structlog.get_logger()


def config(settings: Settings, application: Application) -> uvicorn.Config:
    """Make the configuration of uvicorn."""
    return uvicorn.Config(
        application,
        workers=settings.web_workers,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        interface="asgi3",
        log_config=None,  # uvicorn logs through our logging
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
    """Open the socket of BIND; raises OSError if that fails."""
    if bind.startswith("unix:"):
        path = Path(bind.removeprefix("unix:"))
        if path.is_socket():
            path.unlink()  # left behind by a killed server
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
    signal.signal(signal.SIGTERM, _quit)  # uvicorn raises the signal again when it is done
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
    """Call `stop` on SIGTERM or SIGINT, before uvicorn's own handler."""
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def handle(number: int, frame: FrameType | None, before: Any = before) -> None:
            stop()
            before(number, frame)

        signal.signal(number, handle)


def raise_file_limit(settings: Settings) -> None:
    """Raise the soft limit of open files as far as needed, and warn if it is too low."""
    needed = settings.web_connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        possible = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
        if possible < needed:
            log.warning("few open files", limit=possible, needed=needed, setting="WEB_CONNECTIONS")
