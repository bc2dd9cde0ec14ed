"""Tally: the score sheet that the rule modules fill in when a game ends."""

from collections.abc import Sequence

from engine.values import Result, ScoreLine, Seat, TicketId


class Tally:
    """The score lines and tie-breaking measures of every seat while they are counted."""

    def __init__(self, seats: int) -> None:
        self.lines: list[list[ScoreLine]] = [[] for _ in range(seats)]
        self.completed: list[tuple[TicketId, ...]] = [()] * seats
        self.failed: list[tuple[TicketId, ...]] = [()] * seats
        self.trails: list[int] = [0] * seats
        self.measures: dict[str, list[int]] = {}
        """Measures that break ties, by name, with a value per seat; more is better."""

    def add(self, seat: Seat, kind: str, points: int, of: Sequence[str] = ()) -> None:
        """Give a seat points of a kind, and say what for."""
        self.lines[seat].append(ScoreLine(kind, points, tuple(of)))

    def total(self, seat: Seat) -> int:
        return sum(line.points for line in self.lines[seat])

    def results(self, ties: Sequence[str]) -> tuple[Result, ...]:
        """Every seat's result; seats equal in total and all tie-breakers share a rank (R-TIE)."""
        seats = range(len(self.lines))
        worth = [
            (self.total(seat), *(self.measures[name][seat] for name in ties)) for seat in seats
        ]
        return tuple(
            Result(
                seat,
                tuple(self.lines[seat]),
                self.total(seat),
                self.completed[seat],
                self.failed[seat],
                self.trails[seat],
                1 + sum(other > worth[seat] for other in worth),
            )
            for seat in seats
        )
