"""Sends messages by the operator's bot to chats that have sent it a code."""

import re
from collections.abc import Mapping
from threading import Event

from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import sayable
from service.notify.channels import Lane
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input, Steps
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
from workers.channels.telegram.bot import call
from workers.channels.telegram.code_reader import CodeReader

# Stored with the destination in English, and translated when shown.
NO_CHAT = sayable("Telegram does not know this chat any more.")
LEFT = sayable("Telegram does not let the bot write there: it was blocked or removed.")
UPGRADED = sayable("Telegram has turned the group into another one; connect it again.")
_GONE = re.compile(r"chat not found|group chat was deactivated|peer_id_invalid", re.IGNORECASE)


class TelegramChannel(PostingChannel):
    """Writes to chats and groups of Telegram."""

    name = "telegram"

    def title(self) -> str:
        """Return the name of the channel."""
        return "Telegram"

    def hint(self) -> str:
        """Return what an address is."""
        return say("A chat or a group in which our bot writes")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address: none, since the bot learns it with the code."""
        return ()

    def is_available(self, settings: Settings) -> bool:
        """Return whether the operator has a bot."""
        return bool(settings.telegram_token and settings.telegram_bot)

    def address(self, _: Settings, __: Mapping[str, str]) -> Address:
        """Return an address that becomes known with its code."""
        return Address({}, "", self.title(), is_shared=True, needs_code=True)

    def steps(self, settings: Settings, code: str) -> Steps:
        """Return the links that send the code to the bot."""
        bot = settings.telegram_bot
        links = (
            (say("Use a chat with the bot"), f"https://t.me/{bot}?start={code}"),
            (say("Use a group"), f"https://t.me/{bot}?startgroup={code}"),
        )
        return Steps(f"/start@{bot} {code}", links)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that sends a message, as plain text."""
        body = {
            "chat_id": int(parts["chat"]),
            "text": f"{inert(message.text)}\n{message.link}",
            "link_preview_options": {"is_disabled": True},
        }
        return call(desk.settings, "sendMessage", body)

    def verdict(self, answer: Answer, now: str) -> Verdict:
        """Return what a response means, by its error code and description."""
        document = json_of(answer)
        parameters = document.get("parameters")
        if answer.status == 429:
            return too_fast(answer, now, number_in(parameters, "retry_after"))
        if answer.status in (401, 404):  # what is wrong is the token of the bot
            return Verdict("again", OPERATORS)
        if answer.status == 403:
            return Verdict("ended", LEFT)
        if answer.status == 400 and isinstance(parameters, dict):
            return Verdict("ended", UPGRADED)
        if answer.status == 400 and _GONE.search(str(document.get("description"))):
            return Verdict("ended", NO_CHAT)
        return by_status(answer, now)

    def connector(self, _: Settings) -> Connector:
        """Return a connector for the address that the operator has set."""
        return Connector(anywhere, deadline=DEADLINE, most_body=MOST_BODY)

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Return a lane that also reads what people send to the bot, while a code may arrive."""
        reader = CodeReader(desk, self.connector(desk.settings))
        return CodeLane(desk, stopping, self.name, super().lane(desk, stopping), reader)
