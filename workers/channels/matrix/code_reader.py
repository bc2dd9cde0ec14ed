"""Joins rooms from which a code may come, and reads their latest messages."""

from collections.abc import Iterator, Sequence

import structlog

from engine.text import shortened
from service.desk import Desk
from service.notify.destinations import connecting
from service.notify.destinations.connecting import Chat, Waiting
from workers.calling.connector import Answer, Connector, Request, Unreached
from workers.calling.verdicts import json_of
from workers.channels.matrix.homeserver import call

CHANNEL = "matrix"
LATEST = "?dir=b&limit=20"
LONGEST_LABEL = 60

log = structlog.get_logger()


class CodeReader:
    """Looks for codes in rooms."""

    def __init__(self, desk: Desk, connector: Connector) -> None:
        self._desk = desk
        self._connector = connector

    def look(self, waiting: Sequence[Waiting]) -> None:
        """Join the room of each destination that waits, if we are invited, and read it."""
        for destination in waiting:
            room = self._joined(destination.parts["room"])
            if room and any(destination.code in text for text in self._texts(room)):
                label = shortened(f"Matrix: {destination.parts['room']}", LONGEST_LABEL)
                chat = Chat({"room": room}, f"room {room}", label, is_shared=True)
                connecting.connect(self._desk, CHANNEL, destination.code, chat)

    def close(self) -> None:
        """Close all connections."""
        self._connector.close()

    def _joined(self, room: str) -> str | None:
        """Join a room, and return its id; None if we are not invited yet."""
        answer = self._sent(call(self._desk.settings, "POST", "join", room, body={}))
        id = json_of(answer).get("room_id") if answer and answer.status == 200 else None
        return id if isinstance(id, str) else None

    def _texts(self, room: str) -> Iterator[str]:
        """Yield the latest messages that others have written in a room."""
        settings = self._desk.settings
        answer = self._sent(call(settings, "GET", "rooms", room, "messages", query=LATEST))
        events = json_of(answer).get("chunk") if answer and answer.status == 200 else None
        for event in events if isinstance(events, list) else ():
            content = event.get("content") if isinstance(event, dict) else None
            is_ours = isinstance(event, dict) and event.get("sender") == settings.matrix_user
            if isinstance(content, dict) and not is_ours:
                yield str(content.get("body", ""))

    def _sent(self, request: Request) -> Answer | None:
        try:
            return self._connector.send("rooms", request)
        except Unreached as fault:
            log.warning("the homeserver could not be reached", error=fault.sentence)
            return None
