"""Real messages to webhooks fit the schemas that the OpenAPI document declares for them."""

import random
from pathlib import Path
from typing import Any

import orjson
import pytest

from service.notify import hook_bodies
from service.notify.hook_types import HOOK_TYPES
from service.notify.outbox import Delivery
from tests.api.serving import fresh_app
from tests.clients.documents import Documented, document
from tests.clients.test_answers import Critic, moved

AT = "2026-01-01T12:00:00.000Z"
BOUND = 3000


class CheckedMessages:
    """Builds messages for an account, and checks each of them."""

    def __init__(self, critic: Critic, token: str, game: str) -> None:
        self.critic = critic
        self.account: str = critic.got("GET /v1/me", token=token)["id"]
        self.game = game
        self.seen: set[str] = set()
        self._webhooks = document()["webhooks"]

    def about(self, kind: str, version: int, data: Any = None) -> None:
        """Build the message of this kind about a version of the game, and check it."""
        delivery = Delivery(
            "id", self.account, "webhook", "hook", kind, self.game, None, version, data, AT, 1, AT
        )
        body = hook_bodies.body(self.critic.desk, delivery)
        if body is None:
            return
        name = HOOK_TYPES[kind]
        content = self._webhooks[name]["post"]["requestBody"]["content"]["application/json"]
        message = orjson.loads(body)
        assert [] == self.critic.documented.misfits(content["schema"], message), message
        assert name == message["type"]
        self.seen.add(name)


@pytest.mark.parametrize("board", ["europe", "usa"])
def test_every_message_of_a_whole_game_is_documented(tmp_path: Path, board: str) -> None:
    """From the start to the result, no message has a field that its schema does not name."""
    _, desk = fresh_app(f"sqlite:///{tmp_path}/hooks.db")
    critic, rng = Critic(desk, Documented(document())), random.Random(board)
    ada, ben = critic.newcomer("Ada"), critic.newcomer("Ben")
    game = critic.got("POST /v1/games", {"board": board, "seats": 2}, ada)["id"]
    critic.got(f"POST /v1/games/{game}/seats", {}, ben)
    critic.got(f"POST /v1/games/{game}/messages", {"text": "Good luck!"}, ben)
    messages = CheckedMessages(critic, ada, game)
    messages.about("webhook_ping", 0)
    messages.about("message_posted", 1)
    messages.about("game_started", 0)
    played = {"text": "keep all", "label": "Keep all tickets", "deadline": AT}
    messages.about("decision_expired", 0, played)
    for version in range(BOUND):
        for kind in ("decision_opened", "decision_reminder", "game_moved"):
            messages.about(kind, version)
        if not (moved(critic, game, ada, rng) or moved(critic, game, ben, rng)):
            break
    messages.about("game_finished", version)
    assert set(HOOK_TYPES.values()) == messages.seen
