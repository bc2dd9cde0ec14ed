"""How gunicorn runs the application."""

from contextlib import suppress
from typing import Any

import orjson
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException

from api.http import problems
from api.http.headers import ALWAYS
from api.server.doorway import Doorway
from service.settings import Settings


class ServerLog(Logger):
    """gunicorn's own lines go where all others go; requests are logged by the application."""

    def setup(self, cfg: Config) -> None:
        """Let the root logger write them."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


NO_HTTP = "This is not HTTP, or a line or a header of it is too long."


def worker(settings: Settings) -> type[Doorway]:
    """Gunicorn's threads, which refuse what is hardly HTTP as everything else is refused."""
    body = orjson.dumps(problems.problem_body(settings.public_url, "unreadable", NO_HTTP))
    headers = ALWAYS | {
        "Content-Type": problems.MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
    }
    lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items())]
    refusal = "\r\n".join([*lines, "", ""]).encode() + body

    class Worker(Doorway):
        def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
            """Gunicorn's own answer would be a page for browsers, with the caller's words in it."""
            if not isinstance(exc, ParseException):
                super().handle_error(req, client, addr, exc)
                return
            self.log.info("not HTTP: %s", type(exc).__name__)
            with suppress(OSError):  # whoever sent it may be gone already
                client.sendall(refusal)

    return Worker


def options(settings: Settings) -> dict[str, Any]:
    """What gunicorn is started with."""
    return {
        "bind": settings.bind,
        "workers": settings.web_workers,
        "threads": settings.web_threads,
        "worker_class": worker(settings),
        "logger_class": ServerLog,
        "accesslog": None,
        "limit_request_line": 8190,  # so that our own limits speak first
        "loglevel": settings.log_level,
        "sendfile": False,  # it would wait for whoever does not read, and for ever
        # Nobody but the proxies that TRUSTED_PROXIES counts is believed, and ProxyFix sees to that.
        "forwarded_allow_ips": "",
        "control_socket_disable": True,  # it would lie in the home folder
    }
