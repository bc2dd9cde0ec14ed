"""Calls hooks according to Standard Webhooks, and plays the moves in their answers.

A program may answer at once: 200 with a choice, an action or a text is its move. Any other body is
an error of the program, which is called again a few times.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import orjson
from standardwebhooks import Webhook

from engine import Refusal
from engine.text import clean, shortened
from service.desk import Desk
from service.games import moves
from service.games.move_requests import MoveRequest, from_body
from service.notify import hook_bodies, hooks
from service.notify.hook_targets import is_public
from service.notify.hook_types import PING
from service.notify.hooks import Call
from service.notify.notice_kinds import TURNS
from service.notify.outbox import Delivery, Outcome
from workers.calling import retry_after
from workers.calling.connector import NOT_CALLED, Answer, Connector, Unreached, anywhere

AGENT = "Nightmail (Standard Webhooks)"
GONE = 410
MOST_NONSENSE = 3
"""Attempts for a decision, while the program answers without a legal move."""
LEGAL_ONCE = ("stale", "not_awaited", "game_over", "forbidden", "not_found")
"""Refusals of a move that was only too late: the decision was made in the meantime."""
LONGEST_ERROR = 300
LONGEST_TEXT = 400
MOST_BRACKETS = 40
"""Brackets in the JSON of an answer; no move has more."""
UNREADABLE_SECRET = "The secret can no longer be decrypted; create a new one."  # noqa: S105  # a sentence
NO_MOVE = "The answer is not a move: it must be JSON with a “choose”, an “action” or a “text”."


class NoLegalMove(Exception):
    """An answer that is not a legal move; the sentence says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Message(NamedTuple):
    """What is sent to a hook, and how."""

    call: Call
    body: bytes
    obstacle: str | None = None
    """Why the hook is not called at all."""


class Webhooks:
    """Calls hooks."""

    def __init__(self, desk: Desk, connector: Connector | None = None) -> None:
        self._desk = desk
        self._connector = connector or Connector(
            anywhere if desk.settings.webhook_targets == "any" else is_public
        )

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """Return the body and what is needed to send it; None if there is nothing left to send."""
        (delivery,) = deliveries
        call = hooks.call(self._desk, delivery)
        if call is None:
            return None
        if obstacle := _obstacle(delivery, call):
            return Message(call, b"", obstacle)
        body = hook_bodies.body(self._desk, delivery)
        return None if body is None else Message(call, body)

    def deliver(self, deliveries: Sequence[Delivery], message: Message) -> Outcome:
        """Call the hook, and play the move in its answer."""
        (delivery,) = deliveries
        if message.obstacle:
            return Outcome("failed", error=message.obstacle)
        return self._called(delivery, message.call, message.body)

    def close(self) -> None:
        """Close all connections."""
        self._connector.close()

    def _called(self, delivery: Delivery, call: Call, body: bytes) -> Outcome:
        try:
            answer = self._posted(delivery, call, body)
        except Unreached as fault:
            return self._missed(delivery, Outcome("again", error=fault.sentence))
        outcome = Outcome("again", answer.status, None, len(body), len(answer.body))
        if 200 <= answer.status < 300:
            if call.is_failing:
                hooks.arrived(self._desk, delivery)
            return self._arrived(delivery, call, answer, outcome)
        error = f"The server answered with status {answer.status}."
        wait = retry_after.pause(answer, self._desk.now())
        return self._missed(delivery, outcome._replace(error=error, retry_after=wait))

    def _arrived(self, delivery: Delivery, call: Call, answer: Answer, outcome: Outcome) -> Outcome:
        """Return the outcome of a successful call; without a legal move it is repeated."""
        try:
            error = self._answered(delivery, answer)
        except NoLegalMove as fault:
            if delivery.attempts < MOST_NONSENSE:
                return outcome._replace(error=fault.sentence)
            hooks.refused(self._desk, delivery, fault.sentence)
            return outcome._replace(state="failed", error=fault.sentence)
        if call.is_refused and delivery.kind in TURNS:
            hooks.understood(self._desk, delivery)
        return outcome._replace(state="sent", error=error)

    def _posted(self, delivery: Delivery, call: Call, body: bytes) -> Answer:
        if call.target is None:
            raise Unreached(NOT_CALLED)
        headers = signed(delivery, call, body, self._desk.now())
        return self._connector.post(delivery.hook or "", call.target, body, headers)

    def _missed(self, delivery: Delivery, outcome: Outcome) -> Outcome:
        worth_it = hooks.missed(self._desk, delivery, gone=outcome.status == GONE)
        # A ping is not repeated: its owner wants to know now, and can ping again.
        again = worth_it and delivery.kind != PING
        return outcome if again else outcome._replace(state="failed")

    def _answered(self, delivery: Delivery, answer: Answer) -> str | None:
        """Play the move in an answer, if there is one; return the refusal if it came too late."""
        if delivery.kind not in TURNS or answer.status != 200 or not answer.body.strip():
            return None
        request = move_of(answer)
        if request is None:
            raise NoLegalMove(NO_MOVE)
        request = request._replace(
            decision_version=delivery.version, key=f"webhook {delivery.id}", source="webhook"
        )
        try:
            moves.submit(self._desk, delivery.account, delivery.game or "", request)
        except Refusal as refusal:
            why = f"The move was refused ({refusal.code}): {refusal.sentence}"
            why = shortened(clean(why), LONGEST_ERROR)
            if refusal.code in LEGAL_ONCE:
                return why
            raise NoLegalMove(why) from None
        return None


def _obstacle(delivery: Delivery, call: Call) -> str | None:
    """Return why a hook is not called at all."""
    if not call.is_on and delivery.kind != PING:
        return hooks.SWITCHED_OFF
    return None if call.secrets else UNREADABLE_SECRET


def signed(delivery: Delivery, call: Call, body: bytes, now: str) -> dict[str, str]:
    """Return the headers of Standard Webhooks; with two signatures while a secret is replaced."""
    id = f"msg_{delivery.id}"
    at = datetime.fromisoformat(now).astimezone(UTC)  # the library treats any other time as UTC
    text = body.decode()
    signatures = [Webhook(secret).sign(id, at, text) for secret in call.secrets]
    return {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "user-agent": AGENT,
        "webhook-id": id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def move_of(answer: Answer) -> MoveRequest | None:
    """Return the move in an answer; None if there is none."""
    body = answer.body
    if not answer.is_whole or body.count(b"[") + body.count(b"{") > MOST_BRACKETS:
        return None
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    forms = ({"action"}, {"text"}, {"choose"})
    if not isinstance(document, dict) or document.keys() not in forms:
        return None
    (value,) = document.values()
    is_text = isinstance(value, str) and len(value) <= LONGEST_TEXT
    is_move = is_text if "text" in document else isinstance(value, dict)
    return from_body(document) if is_move else None
