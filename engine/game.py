"""Game: a whole game in memory, from the set-up to the reveal of its seed."""

from collections.abc import Sequence

from engine.chance import Chance, commitment, secret_of
from engine.fold import replay
from engine.kinds import Action, Event
from engine.log import Log, Move, Opening, chained, lines_of
from engine.menu import Menu, menu
from engine.notation import read
from engine.options import Options, options
from engine.play import begin, decide
from engine.ruleset import Ruleset
from engine.state import State
from engine.values import Seat
from engine.views import log_seen_by


class Game:
    """A game in memory; the service keeps the same data in a database."""

    def __init__(
        self, rules: Ruleset, id: str, seed: bytes, nonces: Sequence[str] | None = None
    ) -> None:
        self.rules = rules
        self.id = id
        self.seed = seed
        self.nonces = tuple(nonces) if nonces is not None else ("",) * rules.seats
        if len(self.nonces) != rules.seats:
            raise ValueError(f"{rules.seats} seats need {rules.seats} nonces")
        self.secret = secret_of(seed, self.nonces)
        set_up = begin(rules, Chance(self.secret, id, 0))
        self.state = set_up.state
        self.moves = [Move(0, None, None, set_up.events, self.nonces)]

    @property
    def version(self) -> int:
        """The number of moves so far; the set-up is not counted."""
        return len(self.moves) - 1

    @property
    def is_over(self) -> bool:
        return not self.state.awaiting

    @property
    def awaited(self) -> list[Seat]:
        """The seats that have a decision to make."""
        return [decision.seat for decision in self.state.awaiting]

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return [event for move in self.moves for event in move.events]

    def options(self, seat: Seat) -> Options:
        """Everything this seat may do now."""
        return options(self.rules, self.state, seat)

    def menu(self, seat: Seat) -> Menu:
        """The same as a short list of entries."""
        return menu(self.rules, self.state, seat)

    def play(self, seat: Seat, move: Action | str) -> tuple[Event, ...]:
        """Make a move, given as an action or as text; a Refusal changes nothing."""
        action = read(self.rules, self.state, seat, move) if isinstance(move, str) else move
        number = len(self.moves)
        outcome = decide(self.rules, self.state, seat, action, Chance(self.secret, self.id, number))
        self.state = outcome.state
        self.moves.append(Move(number, seat, action, outcome.events))
        return outcome.events

    def seen_by(self, seat: Seat | None) -> list[Event]:
        """The events as this seat may see them, None for a spectator; at the end all of them."""
        return self.events if self.is_over else list(log_seen_by(self.events, seat))

    def view(self, seat: Seat | None) -> State:
        """The state as this seat knows it."""
        return replay(self.rules, self.seen_by(seat))

    def log(self) -> Log:
        """The log so far; with the seed only when the game is over."""
        board = self.rules.board
        opening = Opening(
            self.id, board.id, board.variants, self.rules.seats, commitment(self.seed)
        )
        return Log(opening, tuple(self.moves), self.seed if self.is_over else None)

    def lines(self) -> list[str]:
        """The log as the lines of a file, which `nightmail verify` reads."""
        return lines_of(chained(self.log(), self.secret))
