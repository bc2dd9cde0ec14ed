"""Forwards news of an account as webhook messages, and makes the moves that come back."""

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from cli.listening.service_client import NO_SERVICE, Busy, Refused, ServiceAnswer, ServiceClient
from cli.remote_bot import target_of
from engine.text import clean
from service.notify.hook_bodies import message
from service.notify.hook_types import HOOK_TYPES, WEBHOOK
from service.notify.hooks import Call
from service.notify.outbox import Delivery
from store import timestamps
from workers.calling.connector import Answer, Connector, Unreached, anywhere
from workers.channels.webhook.sender import NO_MOVE, move_of, signed

Json = dict[str, Any]
Say = Callable[[str], None]
PAUSES = (5.0, 15.0, 60.0)
"""Seconds before a decision is sent again; the last one is repeated while it stays open."""
WRONG_SECRET = 401
STALE = 412
TOO_LATE = (404, 409)
"""Statuses of moves for a decision that has been made in another way."""


class Open(NamedTuple):
    """A decision that the program has not answered yet."""

    decision: Json
    due: float
    """When it is sent, by the monotonic clock."""
    attempts: int = 0


class Forwarder:
    """Calls a program on this machine as the service calls a webhook."""

    def __init__(
        self, client: ServiceClient, url: str, secret: str, deadline: float, say: Say
    ) -> None:
        self.player = ""
        """The name of the account, whose own messages are not sent to it."""
        self._client = client
        self._target = target_of(url)
        self._secret = secret
        self._connector = Connector(anywhere, deadline=deadline)
        self._say = say
        self._open: dict[str, Open] = {}
        self._done: dict[str, str] = {}
        """The decision of each game that needs no further call, by when it was opened."""
        self._sent: set[str] = set()
        """The ids of messages about other things, which a stream may bring twice."""

    def greet(self) -> str:
        """Return the name of the token's account, as soon as the service answers."""
        me = self._patiently(lambda: self._client.get("/v1/me"))
        if me.status != 200:
            raise Refused(NO_SERVICE)
        self.player = str(me.document["name"])
        return self.player

    def close(self) -> None:
        """Close the connections to the program."""
        self._connector.close()

    def take(self, name: str, data: Json) -> None:
        """Take an event of the stream; decisions wait for `send_due`."""
        game = str(data.get("game", ""))
        if name == "decision":
            opened = self._open.get(game)
            if self._done.get(game) == data["since"]:
                return
            if opened is None or opened.decision["since"] != data["since"]:
                self._open[game] = Open(data, time.monotonic())
        elif name == "decision_gone":
            self._open.pop(game, None)
        elif name == "message" and data["name"] != self.player:
            about = {key: value for key, value in data.items() if key != "game"}
            self._tell("message_posted", game, about["at"], {"game": game, "message": about})
        elif name.startswith("game_") and name in HOOK_TYPES:
            self._tell_of_game(name, game)

    def seconds_to_wait(self) -> float | None:
        """Return the seconds until a decision is due; None if there is none."""
        if not self._open:
            return None
        first = min(opened.due for opened in self._open.values())
        return max(0.0, first - time.monotonic())

    def send_due(self) -> None:
        """Send every decision that is due, the one that has waited longest first."""
        for game, opened in sorted(self._open.items(), key=lambda item: item[1].due):
            if opened.due > time.monotonic():
                return
            self._send(game, opened)

    def _send(self, game: str, opened: Open) -> None:
        """Send a decision, and make the move in the answer."""
        decision = opened.decision
        about = f"decision.opened · {decision['title']} · version {decision['version']}"
        body = message("decision_opened", decision["since"], decision)
        try:
            answer, seconds = self._posted(_id("decision_opened", game, decision["since"]), body)
        except Unreached as fault:
            return self._again(game, opened, f"{about} → {fault.sentence}")
        about = f"{about} → {answer.status} in {1e3 * seconds:.0f} ms"
        if not 200 <= answer.status < 300:
            hint = " Does the program know this secret?" if answer.status == WRONG_SECRET else ""
            return self._again(game, opened, f"{about}.{hint}")
        if answer.status != 200 or not answer.body.strip():
            return self._finish(game, opened, f"{about}: no move yet; it may come later.")
        if move_of(answer) is None:
            return self._again(game, opened, f"{about}: {NO_MOVE}")
        return self._move(game, opened, orjson.loads(answer.body), about)

    def _move(self, game: str, opened: Open, move: Json, about: str) -> None:
        """Make a move of the program; the same one again if the service is busy."""
        decision = opened.decision
        text = f"{_id('move', game, decision['since'])}{json.dumps(move, sort_keys=True)}"
        key = f"hook-listen-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        made = self._patiently(lambda: self._client.move(game, decision["version"], move, key))
        if made.status == 201:
            sentences = filter(None, (event["sentence"] for event in made.document["events"]))
            return self._finish(game, opened, f"{about}: {' '.join(sentences)}")
        if made.status == STALE:
            return self._renew(game, about)
        if made.status in TOO_LATE:
            return self._finish(game, opened, f"{about}: too late. {made.detail}")
        return self._again(game, opened, f"{about}: the move was refused. {made.detail}")

    def _renew(self, game: str, about: str) -> None:
        """Send a decision again after others have moved, as where all choose at once."""
        answer = self._patiently(lambda: self._client.get(f"/v1/games/{game}/decision"))
        self._open.pop(game, None)
        if answer.status == 200 and answer.document:
            self._say(f"{about}: others have moved meanwhile.")
            self._open[game] = Open(answer.document, time.monotonic())
        else:
            self._say(f"{about}: too late.")

    def _patiently(self, request: Callable[[], ServiceAnswer]) -> ServiceAnswer:
        """Send a request, again after a pause as long as the service is busy."""
        while True:
            try:
                return request()
            except Busy as busy:
                self._say(f"The service: {busy}; trying again in {busy.seconds:.0f} s.")
                time.sleep(busy.seconds)

    def _again(self, game: str, opened: Open, line: str) -> None:
        pause = PAUSES[min(opened.attempts, len(PAUSES) - 1)]
        self._open[game] = Open(opened.decision, time.monotonic() + pause, opened.attempts + 1)
        self._say(f"{line} Again in {pause:g} s.")

    def _finish(self, game: str, opened: Open, line: str) -> None:
        self._done[game] = opened.decision["since"]
        del self._open[game]
        self._say(line)

    def _tell_of_game(self, name: str, game: str) -> None:
        """Send that a game has begun or ended, with what the document of the game says."""
        answer = self._patiently(lambda: self._client.get(f"/v1/games/{game}"))
        if answer.status != 200:
            return
        seen = answer.document
        data = {"game": game, "title": seen["title"], "version": seen["version"]}
        data["seat"] = seen["me"]
        if name == "game_finished":
            data["result"] = seen["result"]
        self._tell(name, game, timestamps.now(), data, key=game)

    def _tell(self, kind: str, game: str, at: str, data: Json, key: str | None = None) -> None:
        """Send a message to which no move can be the answer, once."""
        id = _id(kind, game, key or f"{at} {data['message']['number']}")
        if id in self._sent:
            return
        self._sent.add(id)
        about = f"{HOOK_TYPES[kind]} · {game}"
        try:
            answer, seconds = self._posted(id, message(kind, at, data))
        except Unreached as fault:
            self._say(f"{about} → {fault.sentence}")
        else:
            self._say(f"{about} → {answer.status} in {1e3 * seconds:.0f} ms")

    def _posted(self, id: str, body: bytes) -> tuple[Answer, float]:
        """Call the program with a signed message; returns its answer and the seconds it took."""
        now = timestamps.now()
        delivery = Delivery(id, "", WEBHOOK, None, "", None, None, None, None, now, 1, now)
        call = Call(self._target, [self._secret], is_on=True, is_failing=False)
        started = time.perf_counter()
        answer = self._connector.post("", self._target, body, signed(delivery, call, body, now))
        return answer, time.perf_counter() - started


def _id(kind: str, game: str, of: str) -> str:
    """Return the same id for the same message, also after the command was started again."""
    return hashlib.sha256(clean(f"{kind} {game} {of}").encode()).hexdigest()[:22]
