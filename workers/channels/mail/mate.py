"""Mate: composes letters in a process of its own, for a scribe who has many.

`python -m workers.mate LINE` is begun by the scribe, which tells it by this line what to do.
"""

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection

from service.desk import open_desk
from service.notify.outbox import Delivery
from workers.channels.mail.letters.compose import Composed, Composer

READY = "ready"
IDLE = 30.0
"""Seconds without work after which it goes."""
Letter = Sequence[Delivery]
Written = tuple[bool, Composed | None]
"""Whether a letter could be composed, and what came of it."""


def main(line: Connection) -> None:
    """Compose what is asked for, until there is nothing to do, or nobody who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever has begun us hears it, too
    settings, pictures = line.recv()
    desk = open_desk(settings)
    composer = Composer(desk, pictures=pictures)
    line.send(READY)
    while line.poll(IDLE):
        letter = line.recv()
        line.send((letter[0].id, _written(composer, letter)))
    desk.database.close()


def _written(composer: Composer, letter: Letter) -> Written:
    try:
        return True, composer.composed(letter)
    except Exception:  # noqa: BLE001  # who has asked tries it, too, and tells what is wrong
        return False, None


if __name__ == "__main__":
    with suppress(EOFError, OSError):  # nobody needs us any more
        main(Connection(int(sys.argv[1])))
