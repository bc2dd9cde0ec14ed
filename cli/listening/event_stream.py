"""Parses a stream of server-sent events."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

LONGEST = 4 * 1024 * 1024
"""Bytes of an unfinished event; a service that sends more is not ours."""


class ServerEvent(NamedTuple):
    """An event of a stream."""

    name: str
    data: str
    id: str | None = None


def events(pieces: Iterable[bytes]) -> Iterator[ServerEvent]:
    """Yield the events of a stream that arrives in pieces of any size."""
    waiting = b""
    for piece in pieces:
        *blocks, waiting = (waiting + piece).replace(b"\r\n", b"\n").split(b"\n\n")
        if len(waiting) > LONGEST:
            raise ValueError("an event without an end")
        for block in blocks:
            if event := _event(block.decode(errors="replace")):
                yield event


def _event(block: str) -> ServerEvent | None:
    """Parse the lines of an event; None for a comment, or a pause to wait before reconnecting."""
    fields: dict[str, list[str]] = {}
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        fields.setdefault(name, []).append(value.removeprefix(" "))
    if "data" not in fields:
        return None
    names, ids = fields.get("event", ["message"]), fields.get("id", [None])
    return ServerEvent(names[-1], "\n".join(fields["data"]), ids[-1])
