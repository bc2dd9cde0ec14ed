"""A real mail server that keeps nothing: `python -m bench.post PORT`."""

import signal
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Forgetful:
    """Takes every letter."""

    async def handle_DATA(self, _: SMTP, __: Session, ___: Envelope) -> str:  # noqa: N802  # aiosmtpd calls it so
        return "250 OK"


def serve(port: int) -> None:
    """Take letters until nobody wants it any more."""
    Controller(Forgetful(), hostname="127.0.0.1", port=port).start()
    print("ready", flush=True)
    signal.pause()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
