"""Sends messages by the service's account on a homeserver to rooms that have sent it a code."""

import hashlib
import html
import re
from collections.abc import Mapping
from threading import Event

from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import sayable
from service.notify.channels import Lane
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input, Steps
from service.refusals import unreadable
from service.settings import Settings
from workers.calling.code_lane import CodeLane
from workers.calling.connector import Answer, Connector, Request, anywhere
from workers.calling.plain_text import inert
from workers.calling.posting_channel import DEADLINE, MOST_BODY, PostingChannel
from workers.calling.verdicts import (
    OPERATORS,
    Verdict,
    by_status,
    json_of,
    number_in,
    too_fast,
)
from workers.channels.matrix.code_reader import CodeReader
from workers.channels.matrix.homeserver import call

# Stored with the destination in English, and translated when shown.
NOT_IN_ROOM = sayable("We are not in this room any more, or may not write there.")
_ROOM = re.compile(r"[!#][!-~]{1,250}")


class MatrixChannel(PostingChannel):
    """Writes to rooms of Matrix."""

    name = "matrix"
    is_for_rooms = True

    def title(self) -> str:
        """Return the name of the channel."""
        return "Matrix"

    def hint(self) -> str:
        """Return what an address is."""
        return say("A room without encryption to which you have invited us")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address."""
        return (Input("room", say("Address of the room"), "#trains:example.org"),)

    def is_available(self, settings: Settings) -> bool:
        """Return whether the operator has an account on a homeserver."""
        return all((settings.matrix_homeserver, settings.matrix_token, settings.matrix_user))

    def address(self, _: Settings, parts: Mapping[str, str]) -> Address:
        """Check the id or the alias of a room; a code has to come from there."""
        room = parts.get("room", "")
        if not _ROOM.fullmatch(room):
            hint = say("must be the address of a room, such as #trains:example.org.")
            raise unreadable(hint, "room")
        return Address({"room": room}, "", self.title(), is_shared=True, needs_code=True)

    def steps(self, settings: Settings, code: str) -> Steps:
        """Return the message that has to be written in the room."""
        before = say("Invite {user} to the room.", user=settings.matrix_user)
        return Steps(f"nightmail {code}", before=before)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that sends a message, in which nobody is mentioned."""
        text = inert(message.text)
        shown = html.escape(text).replace("\n", "<br>")
        link = f'<a href="{html.escape(message.link)}">{html.escape(message.link_label)}</a>'
        body = {
            "msgtype": "m.text",
            "body": f"{text}\n{message.link}",
            "format": "org.matrix.custom.html",
            "formatted_body": f"{shown}<br>{link}",
            "m.mentions": {},
        }
        # The homeserver ignores a repeated transaction, so its id names what is told in it.
        events = "\n".join(line.event for line in message.lines)
        transaction = f"{message.id}.{hashlib.sha256(events.encode()).hexdigest()[:16]}"
        path = "rooms", parts["room"], "send", "m.room.message", transaction
        return call(desk.settings, "PUT", *path, body=body)

    def verdict(self, answer: Answer, now: str) -> Verdict:
        """Return what a response means, by its status and its error code."""
        document = json_of(answer)
        if answer.status == 429:
            wait = number_in(document, "retry_after_ms")
            return too_fast(answer, now, None if wait is None else wait / 1000)
        if answer.status == 401:
            return Verdict("again", OPERATORS)
        if answer.status in (403, 404) and document.get("errcode") != "M_UNRECOGNIZED":
            return Verdict("ended", NOT_IN_ROOM)
        return by_status(answer, now)

    def connector(self, _: Settings) -> Connector:
        """Return a connector for the homeserver that the operator has set."""
        return Connector(anywhere, deadline=DEADLINE, most_body=MOST_BODY)

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Return a lane that also reads rooms from which a code may come."""
        reader = CodeReader(desk, self.connector(desk.settings))
        return CodeLane(desk, stopping, self.name, super().lane(desk, stopping), reader)
