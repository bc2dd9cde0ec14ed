"""How gunicorn runs the application."""

from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.settings import Settings


class ServerLog(Logger):
    """gunicorn's own lines go where all others go; requests are logged by the application."""

    def setup(self, cfg: Config) -> None:
        """Let the root logger write them."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


def options(settings: Settings) -> dict[str, Any]:
    """What gunicorn is started with."""
    return {
        "bind": settings.bind,
        "workers": settings.web_workers,
        "threads": settings.web_threads,
        "worker_class": "gthread",
        "logger_class": ServerLog,
        "accesslog": None,
        "limit_request_line": 8190,  # so that our own limits speak first
        "loglevel": settings.log_level,
        # Nobody but the proxies that TRUSTED_PROXIES counts is believed, and ProxyFix sees to that.
        "forwarded_allow_ips": "",
        "control_socket_disable": True,  # it would lie in the home folder
    }
