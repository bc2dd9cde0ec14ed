"""The few options of curl that the examples of our documents use, for machines without curl."""

import argparse
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def main() -> None:
    """Send the request that curl would send, and write the body of the response."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("url")
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("-H", "--header", action="append", default=[])
    parser.add_argument("-d", "--data")
    parser.add_argument("-D", "--dump-header")
    given = parser.parse_args()
    headers = dict(header.split(": ", 1) for header in given.header)
    data = None if given.data is None else given.data.encode()
    request = Request(given.url, data, headers)  # noqa: S310  # the address is the tour's
    try:
        with urlopen(request, timeout=30) as answer:  # noqa: S310  # likewise
            body = answer.read()
            if given.dump_header:
                Path(given.dump_header).write_text(str(answer.headers), encoding="utf-8")
    except HTTPError as refused:
        with refused:
            body = refused.read()
    sys.stdout.buffer.write(body)


if __name__ == "__main__":
    main()
