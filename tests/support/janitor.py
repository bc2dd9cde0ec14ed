"""Cleans up after a killed test run; `tests.support.child_servers` starts it as a script.

Each line of its standard input is the server's current process id, or 0 for none.
The input ends when the test run ends, however that happens, because only the run can write to it.
"""

import os
import shutil
import signal
import sys
import time


def end(pid: int) -> None:
    """Send the server SIGQUIT, and SIGKILL after five seconds."""
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
