"""An aiosmtpd mail server that discards every message: `python -m bench.receivers.post PORT`."""

import signal
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Forgetful:
    """A handler that accepts every message."""

    async def handle_DATA(self, _: SMTP, __: Session, ___: Envelope) -> str:  # noqa: N802  # aiosmtpd's name
        return "250 OK"


def serve(port: int) -> None:
    """Accept mail until the process is killed."""
    Controller(Forgetful(), hostname="127.0.0.1", port=port).start()
    print("ready", flush=True)
    signal.pause()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
