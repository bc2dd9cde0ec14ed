"""Bots behind URLs, asked as the service asks a hook: the same body, signature and limits.

For whoever gives no move the default is played, as the clock would do, and who gives none three
times in a row is not asked any more.
"""

import base64
import secrets
from collections.abc import Iterable
from statistics import median, quantiles
from time import perf_counter
from typing import Any, NamedTuple

from cli.reading_room import Asked, Happened, ReadingRoom
from engine import Action, Event, Refusal, Ruleset, State, default_for
from engine.options import check, owed_by
from engine.values import Seat
from engine.words import clean, shortened
from service.games import decisions
from service.ids import new_id
from service.memory.positions import Position
from service.notify.hook_bodies import message
from service.notify.hook_targets import Target, target
from service.notify.hooks import Call
from service.notify.outbox import Delivery
from service.settings import Settings
from store import timestamps
from store.games.games import Table
from workers.channels.webhook.channel import NO_MOVE, anywhere, move_of, signed
from workers.channels.webhook.connector import DEADLINE, Answer, Connector, Unreached

PATIENCE = 3
"""So many questions in a row without a move, and a bot is given up."""
KIND = "decision_opened"
UNSIGNED = 401
"""What those answer who do not believe that it is us."""
LATER = "It wants to answer later, and nobody waits for that here."
LONGEST_EXAMPLE = 300
PREFIX = "whsec_"
_ANYWHERE = Settings.of({"WEBHOOK_TARGETS": "any", "SECRET_KEYS": secrets.token_hex()})
"""Whoever tries a bot may call this machine and its neighbours."""


class Fault(NamedTuple):
    """What went wrong, how often, and what was answered the first time."""

    often: int
    example: str


class Conduct(NamedTuple):
    """How a bot behind a URL has answered."""

    times: tuple[float, ...] = ()
    """Seconds that each call has taken, the failed ones too."""
    faults: dict[str, Fault] = {}  # noqa: RUF012  # nobody changes it

    def with_call(self, seconds: float) -> "Conduct":
        return self._replace(times=(*self.times, seconds))

    def with_fault(self, kind: str, example: str) -> "Conduct":
        known = self.faults.get(kind, Fault(0, example))
        return self._replace(faults={**self.faults, kind: known._replace(often=known.often + 1)})


class Failed(Exception):
    """There is no move; why, and what was answered instead."""

    def __init__(self, kind: str, example: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.example = example


class GivenUp(Exception):
    """A bot is not worth asking any more."""


class Remote:
    """A bot behind a URL, at one table after another."""

    def __init__(self, url: str, secret: str, deadline: float = DEADLINE) -> None:
        self.url = url
        self._target: Target = target(_ANYWHERE, url)
        self._secret = secret
        self._connector = Connector(anywhere, deadline=deadline)
        self._game, self._in_vain = "", 0
        self._version, self._log = 0, list[Happened]()
        self._room: ReadingRoom | None = None
        self.conduct = Conduct()

    def open_room(self, port: int) -> str:
        """Let the bot read its games from now on; where."""
        self._room = ReadingRoom(port)
        return self._room.address

    def sit(self, game: str) -> None:
        """Take a seat in the next game, unless it was given up in one before."""
        self._game, self.conduct = game, Conduct()
        self._log.clear()
        self._require_patience()

    def watch(self, moves: int, news: Iterable[Event]) -> None:
        """So many moves were made before the next question, and the last brought this about."""
        self._version = moves
        self._log += [Happened(moves, event) for event in news]

    def __call__(self, rules: Ruleset, view: State, seat: Seat) -> Action:
        """What the bot answers; the default, if that is nothing."""
        try:
            action = self._answered(rules, view, seat)
        except Failed as failure:
            self.conduct = self.conduct.with_fault(failure.kind, failure.example)
            self._in_vain += 1
            action = default_for(rules, view, seat)
        else:
            self._in_vain = 0
        self._require_patience()
        return action

    def close(self) -> None:
        """Hang up."""
        self._connector.close()
        if self._room:
            self._room.close()

    def _require_patience(self) -> None:
        if self._in_vain >= PATIENCE:
            raise GivenUp(f"{self.url} gave no move {PATIENCE} times in a row.")

    def _answered(self, rules: Ruleset, view: State, seat: Seat) -> Action:
        if self._room:
            log = tuple(self._log)
            self._room.asked = Asked(self._game, self._version, rules, view, seat, log)
        answer = self._posted(_body(self._game, self._version, rules, view, seat))
        example = _example(answer)
        if not 200 <= answer.status < 300:
            hint = " Does the bot know this secret?" if answer.status == UNSIGNED else ""
            raise Failed(f"The server has answered {answer.status}.{hint}", example)
        if answer.status != 200 or not answer.body.strip():
            raise Failed(LATER)
        request = move_of(answer)
        if request is None:
            raise Failed(NO_MOVE, example)
        try:
            action = request.action(rules, view, seat)
            check(rules, view, owed_by(view, seat), action)
        except Refusal as refusal:
            why = f"The move was refused ({refusal.code})."
            raise Failed(why, f"{example}: {clean(refusal.sentence)}") from None
        return action

    def _posted(self, body: bytes) -> Answer:
        now, id = timestamps.now(), new_id()
        delivery = Delivery(id, "", None, KIND, None, None, None, None, now, 1, now)
        call = Call(self._target, [self._secret], is_on=True, is_failing=False)
        headers = signed(delivery, call, body, now)
        started = perf_counter()
        try:
            return self._connector.post("", self._target, body, headers)
        except Unreached as fault:
            raise Failed(fault.sentence) from None
        finally:
            self.conduct = self.conduct.with_call(perf_counter() - started)


def is_url(name: str) -> bool:
    """Whether this names a bot by its address."""
    return "://" in name


def fresh_secret() -> str:
    """A secret for whoever has none."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def is_secret(said: str) -> bool:
    """Whether this can sign: base64 after the prefix, as Standard Webhooks writes it."""
    try:
        return said.startswith(PREFIX) and bool(
            base64.b64decode(said[len(PREFIX) :], validate=True)
        )
    except ValueError:
        return False


def report(conduct: Conduct) -> list[str]:
    """How a bot has answered, in lines for people."""
    lines = []
    if times := [1e3 * seconds for seconds in conduct.times]:
        late = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
        lines.append(
            f"{len(times)} calls: {median(times):.1f} ms in the middle, 95 % under {late:.1f} ms, "
            f"longest {max(times):.1f} ms"
        )
    for kind, (often, example) in conduct.faults.items():
        lines.append(f"{often} × {kind}")
        if example:
            lines.append(f"    first: {example}")
    return lines


def together(some: Iterable[Conduct]) -> Conduct:
    """The conduct in many games as one."""
    times: list[float] = []
    faults: dict[str, Fault] = {}
    for one in some:
        times += one.times
        for kind, fault in one.faults.items():
            known = faults.get(kind, Fault(0, fault.example))
            faults[kind] = known._replace(often=known.often + fault.often)
    return Conduct(tuple(times), faults)


def _example(answer: Answer) -> str:
    said = clean(" ".join(answer.body.decode(errors="replace").split()))
    return shortened(said, LONGEST_EXAMPLE)


def _body(game: str, version: int, rules: Ruleset, view: State, seat: Seat) -> bytes:
    """The message as a hook gets it; from the seat's own view, so nothing more can be in it."""
    now = timestamps.now()
    known: dict[str, Any] = {"id": game, "title": rules.board.name}
    table = Table(**{**dict.fromkeys(Table._fields), **known})  # no more of it is in a decision
    position = Position(rules, b"", version, 0, b"", view, {}, None)
    data = decisions.document(table, position, seat, now, None)
    return message(KIND, now, data)
