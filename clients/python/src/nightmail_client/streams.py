"""Events of streams."""

from typing import Any, NamedTuple


class StreamEvent(NamedTuple):
    """An event of a stream."""

    name: str
    """What it is, such as `decision`; `message` if the service gives it no name."""
    data: Any
