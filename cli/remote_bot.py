"""Calls bots behind URLs as the service calls webhooks: same body, signature and limits.

If a bot does not answer with a move, the default is played, as the clock would do. After three
failures in a row the bot is given up.
"""

import base64
import secrets
from collections.abc import Iterable, Mapping
from statistics import median, quantiles
from time import perf_counter
from typing import Any, NamedTuple

from cli.local_game_server import LocalGameServer, LoggedEvent, Snapshot
from engine import Action, Event, Refusal, Ruleset, State, default_for
from engine.options import check, owed_by
from engine.text import clean, shortened
from engine.values import Seat
from service.games import decisions
from service.ids import new_id
from service.memory.positions import Position
from service.notify.hook_bodies import message
from service.notify.hook_targets import Target, target
from service.notify.hook_types import WEBHOOK
from service.notify.hooks import Call
from service.notify.outbox import Delivery
from service.settings import Settings
from store import timestamps
from store.games.games import Table
from workers.calling.connector import DEADLINE, Answer, Connector, Unreached, anywhere
from workers.channels.webhook.sender import NO_MOVE, move_of, signed

PATIENCE = 3
"""After this many failures in a row a bot is given up."""
KIND = "decision_opened"
UNSIGNED = 401
"""The status with which bots refuse a signature."""
LATER = "The bot wants to answer later, which is not possible here."
LONGEST_EXAMPLE = 300
PREFIX = "whsec_"
_ANYWHERE = Settings.of({"WEBHOOK_TARGETS": "any", "SECRET_KEYS": secrets.token_hex()})
"""Settings that allow private addresses, so that a bot can be tried on this machine."""


class Fault(NamedTuple):
    """How often something went wrong, and the first response of this kind."""

    often: int
    example: str


class Conduct(NamedTuple):
    """How a bot behind a URL has behaved."""

    times: tuple[float, ...] = ()
    """Seconds that each call took, including failed ones."""
    faults: Mapping[str, Fault] = {}

    def with_call(self, seconds: float) -> "Conduct":
        return self._replace(times=(*self.times, seconds))

    def with_fault(self, kind: str, example: str) -> "Conduct":
        fault = self.faults.get(kind, Fault(0, example))
        return self._replace(faults={**self.faults, kind: fault._replace(often=fault.often + 1)})


class Failed(Exception):
    """A call brought no move; holds the reason and the response."""

    def __init__(self, kind: str, example: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.example = example


class GivenUp(Exception):
    """A bot failed too often in a row and is not called any more."""


class RemoteBot:
    """A bot behind a URL, which plays one game after another."""

    def __init__(self, url: str, secret: str, deadline: float = DEADLINE) -> None:
        self.url = url
        self._target = target_of(url)
        self._secret = secret
        self._connector = Connector(anywhere, deadline=deadline)
        self._game, self._in_vain = "", 0
        self._version, self._log = 0, list[LoggedEvent]()
        self._server: LocalGameServer | None = None
        self.conduct = Conduct()

    def serve_games(self, port: int) -> str:
        """Start a server from which the bot can read its games, and return its address."""
        self._server = LocalGameServer(port)
        return self._server.address

    def sit(self, game: str) -> None:
        """Start the next game; raises GivenUp if the bot was given up before."""
        self._game, self.conduct = game, Conduct()
        self._log.clear()
        self._require_patience()

    def watch(self, moves: int, news: Iterable[Event]) -> None:
        """Take note of the number of moves so far and the latest events."""
        self._version = moves
        self._log += [LoggedEvent(moves, event) for event in news]

    def __call__(self, rules: Ruleset, view: State, seat: Seat) -> Action:
        """Return the bot's action, or the default if it does not give one."""
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
        """Close connections and stop serving games."""
        self._connector.close()
        if self._server:
            self._server.close()

    def _require_patience(self) -> None:
        if self._in_vain >= PATIENCE:
            raise GivenUp(f"{self.url} failed to answer with a move {PATIENCE} times in a row.")

    def _answered(self, rules: Ruleset, view: State, seat: Seat) -> Action:
        if self._server:
            log = tuple(self._log)
            self._server.snapshot = Snapshot(self._game, self._version, rules, view, seat, log)
        answer = self._posted(_body(self._game, self._version, rules, view, seat))
        example = _example(answer)
        if not 200 <= answer.status < 300:
            hint = " Does the bot know this secret?" if answer.status == UNSIGNED else ""
            raise Failed(f"The server answered with status {answer.status}.{hint}", example)
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
        delivery = Delivery(id, "", WEBHOOK, None, KIND, None, None, None, None, now, 1, now)
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
    """Return whether a bot's name is a URL."""
    return "://" in name


def target_of(url: str) -> Target:
    """Parse the URL of a program, which may be on this machine; refuse what is no URL."""
    return target(_ANYWHERE, url)


def fresh_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def is_secret(text: str) -> bool:
    """Return whether this is a secret of Standard Webhooks: base64 after the prefix."""
    try:
        return text.startswith(PREFIX) and bool(
            base64.b64decode(text[len(PREFIX) :], validate=True)
        )
    except ValueError:
        return False


def report(conduct: Conduct) -> list[str]:
    """Return a bot's conduct as lines for people."""
    lines = []
    if times := [1e3 * seconds for seconds in conduct.times]:
        late = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
        lines.append(
            f"{len(times)} calls: median {median(times):.1f} ms, 95 % under {late:.1f} ms, "
            f"longest {max(times):.1f} ms"
        )
    for kind, (often, example) in conduct.faults.items():
        lines.append(f"{often} × {kind}")
        if example:
            lines.append(f"    first: {example}")
    return lines


def together(conducts: Iterable[Conduct]) -> Conduct:
    """Return the conduct in many games, added up."""
    times: list[float] = []
    faults: dict[str, Fault] = {}
    for conduct in conducts:
        times += conduct.times
        for kind, fault in conduct.faults.items():
            total = faults.get(kind, Fault(0, fault.example))
            faults[kind] = total._replace(often=total.often + fault.often)
    return Conduct(tuple(times), faults)


def _example(answer: Answer) -> str:
    text = clean(" ".join(answer.body.decode(errors="replace").split()))
    return shortened(text, LONGEST_EXAMPLE)


def _body(game: str, version: int, rules: Ruleset, view: State, seat: Seat) -> bytes:
    """Return the body as a webhook gets it, from the seat's view, so that nothing can leak."""
    now = timestamps.now()
    fields: dict[str, Any] = {"id": game, "title": rules.board.name}
    table = Table(**{**dict.fromkeys(Table._fields), **fields})  # a decision needs nothing else
    position = Position(rules, b"", version, 0, b"", view, {}, None)
    data = decisions.document(table, position, seat, now, None)
    return message(KIND, now, data)
