"""Clears up after a test run that was killed; a script that `tests.support.child_servers` starts.

It reads the server's process id from its standard input, the newest counting, and 0 for none.
The input ends when the test run does, in whatever way, because only the run holds the other end.
"""

import os
import shutil
import signal
import sys
import time


def end(pid: int) -> None:
    """Ask the server to stop at once, and insist after five seconds."""
    try:
        os.kill(pid, signal.SIGQUIT)
        for _ in range(100):
            time.sleep(0.05)
            os.kill(pid, 0)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    last = 0
    for line in sys.stdin:
        last = int(line)
    if last:
        end(last)
    shutil.rmtree(sys.argv[1], ignore_errors=True)
