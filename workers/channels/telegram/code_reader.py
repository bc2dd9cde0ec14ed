"""Reads the codes that people send to the bot, and connects the chats from which they come."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import structlog

from engine.text import clean, shortened
from service.desk import Desk
from service.notify.destinations import connecting
from service.notify.destinations.connecting import Chat, Waiting
from workers.calling.connector import Connector, Unreached
from workers.calling.verdicts import json_of
from workers.channels.telegram.bot import call

CHANNEL = "telegram"
AT_ONCE = 100
"""The most messages in one answer."""
LONGEST_LABEL = 60
_START = re.compile(r"/start(?:@\w+)? ([0-9a-f]{8,64})")

log = structlog.get_logger()


class CodeReader:
    """Reads what people send to the bot, by its method `getUpdates`."""

    def __init__(self, desk: Desk, connector: Connector) -> None:
        self._desk = desk
        self._connector = connector
        self._next = 0
        """The first update that was not read; asking for it confirms those before."""

    def look(self, _: Sequence[Waiting]) -> None:
        """Read all new messages, and connect the chats that have sent a code."""
        while True:
            updates = self._updates()
            for update in updates:
                self._next = max(self._next, int(update["update_id"]) + 1)
                self._connect(update)
            if len(updates) < AT_ONCE:
                return

    def close(self) -> None:
        """Close all connections."""
        self._connector.close()

    def _updates(self) -> list[dict[str, Any]]:
        body = {
            "offset": self._next,
            "limit": AT_ONCE,
            "timeout": 0,
            "allowed_updates": ["message", "channel_post"],
        }
        try:
            answer = self._connector.send("updates", call(self._desk.settings, "getUpdates", body))
        except Unreached as fault:
            log.warning("the messages to the bot could not be read", error=fault.sentence)
            return []
        result = json_of(answer).get("result")
        if answer.status != 200 or not isinstance(result, list):
            # 409: another worker is reading at this moment, or the bot has a webhook.
            log.warning("the messages to the bot could not be read", status=answer.status)
            return []
        return [update for update in result if _is_update(update)]

    def _connect(self, update: Mapping[str, Any]) -> None:
        for message in _messages(update):
            match = _START.fullmatch(str(message.get("text", "")).strip())
            chat = message.get("chat")
            if match and isinstance(chat, dict) and isinstance(chat.get("id"), int):
                connecting.connect(self._desk, CHANNEL, match[1], _chat(chat))


def _is_update(update: object) -> bool:
    return isinstance(update, dict) and isinstance(update.get("update_id"), int)


def _messages(update: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("message", "channel_post"):
        if isinstance(update.get(name), dict):
            yield update[name]


def _chat(chat: Mapping[str, Any]) -> Chat:
    names = (chat.get("title"), chat.get("username"), chat.get("first_name"))
    name = next((clean(str(name)) for name in names if name), str(chat["id"]))
    label = shortened(f"Telegram: {name}", LONGEST_LABEL)
    is_shared = chat.get("type") != "private"
    return Chat({"chat": str(chat["id"])}, f"chat {chat['id']}", label, is_shared)
