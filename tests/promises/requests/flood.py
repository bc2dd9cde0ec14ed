"""An abusive client, in its own process so that it takes no time from the test.

It sends requests at a given rate from several threads, with and without its token, and with a
different forged address each time. At the end it prints how often it got each response.
"""

import http.client
import json
import random
import sys
import threading
import time
from collections import Counter

THREADS = 8


def abuse(port: int, token: str, until: float, pause: float, statuses: Counter[str]) -> None:
    """Send requests over one connection until the time is over, and count the responses."""
    line = http.client.HTTPConnection("127.0.0.1", port, 10, source_address=("127.0.0.66", 0))
    due = time.monotonic()
    while (now := time.monotonic()) < until:
        due += pause
        time.sleep(max(0.0, due - now))
        somebody = ".".join(str(random.randrange(1, 255)) for _ in range(4))
        headers = dict.fromkeys(("X-Forwarded-For", "X-Real-IP", "Forwarded"), somebody)
        if random.random() < 0.5:
            headers["Authorization"] = f"Bearer {token}"
        try:
            line.request("GET", "/v1/games?limit=1", None, headers)
            answer = line.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            line.close()
            statuses["cut"] += 1
            continue
        bare = answer.status == 429 and not answer.headers.get("Retry-After", "").isdigit()
        statuses["429 without Retry-After" if bare else str(answer.status)] += 1


def main() -> None:
    """Flood a port for some seconds, at a rate of requests a second."""
    port, token, seconds, rate = sys.argv[1:]
    until = time.monotonic() + float(seconds)
    counts = [Counter[str]() for _ in range(THREADS)]
    pause = THREADS / float(rate)
    threads = [
        threading.Thread(target=abuse, args=(int(port), token, until, pause, count))
        for count in counts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.stdout.write(json.dumps(sum(counts, Counter())))


if __name__ == "__main__":
    main()
