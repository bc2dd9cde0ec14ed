"""The counter of moves that this process has stored, for its metrics."""

from prometheus_client import Counter

HOUSE, CLOCK, PLAYER = "house", "clock", "player"


def new_move_counter() -> Counter:
    """Create a counter in no registry; the metrics of the API add it to theirs."""
    return Counter("nightmail_moves", "Moves that were stored.", ["by"], registry=None)


def count_move(counter: Counter, source: str) -> None:
    """Count a move; the way in which a player made it is not told, since it may be by orders."""
    counter.labels(source if source in (HOUSE, CLOCK) else PLAYER).inc()
