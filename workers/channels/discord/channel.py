"""Executes webhooks of Discord, each of which leads to one channel there."""

import re
from collections.abc import Mapping

import orjson

from engine.translate import say
from service.desk import Desk
from service.notify import hook_targets
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input
from service.refusals import unreadable
from service.settings import Settings
from workers.calling.connector import Answer, Request
from workers.calling.plain_text import inert, without_markdown
from workers.calling.posting_channel import PostingChannel
from workers.calling.verdicts import (
    Verdict,
    by_status,
    json_headers,
    json_of,
    number_in,
    too_fast,
)

HOSTS = re.compile(r"(?:(?:ptb|canary)\.)?discord(?:app)?\.com")
_PATH = re.compile(
    r"(?P<hook>/api(?:/v[0-9]+)?/webhooks/(?P<id>[0-9]{1,30})/[\w-]{1,200})"
    r"(?:\?thread_id=(?P<thread>[0-9]{1,30}))?",
    re.ASCII,
)
SUPPRESS_EMBEDS = 1 << 2


class DiscordChannel(PostingChannel):
    """Writes to a channel of Discord."""

    name = "discord"
    is_for_rooms = True

    def title(self) -> str:
        """Return the name of the channel."""
        return "Discord"

    def hint(self) -> str:
        """Return what an address is."""
        return say("A channel on a Discord server, by its webhook")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address."""
        hint = "https://discord.com/api/webhooks/…"
        return (Input("url", say("URL of the webhook"), hint, "url"),)

    def address(self, settings: Settings, parts: Mapping[str, str]) -> Address:
        """Check the URL of a webhook."""
        url = parts.get("url", "")
        target = hook_targets.target(settings, url)
        match = _PATH.fullmatch(target.path)
        is_theirs = HOSTS.fullmatch(target.host) or settings.webhook_targets == "any"
        if match is None or not is_theirs:
            hint = say("must be the URL of a Discord webhook: https://discord.com/api/webhooks/…")
            raise unreadable(hint, "url")
        label = f"Discord …{match['id'][-4:]}"
        return Address({"url": url}, f"hook {target.path}", label, is_shared=True)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that writes a message, in which nobody is mentioned."""
        body = {
            "content": f"{without_markdown(inert(message.text))}\n<{message.link}>",
            "allowed_mentions": {"parse": []},
            "flags": SUPPRESS_EMBEDS,
        }
        target = hook_targets.target(desk.settings, parts["url"])
        return Request("POST", target, orjson.dumps(body), json_headers())

    def verdict(self, answer: Answer, now: str) -> Verdict:
        """Return what a response means; the pause after a 429 is in its body."""
        if answer.status == 429:
            return too_fast(answer, now, number_in(json_of(answer), "retry_after"))
        return by_status(answer, now)

    def locating(self, desk: Desk, parts: Mapping[str, str]) -> Request | None:
        """Ask for the channel: several webhooks may lead to the same."""
        target = hook_targets.target(desk.settings, parts["url"])
        bare = target._replace(path=target.path.partition("?")[0])
        return Request("GET", bare, b"", json_headers())

    def located(self, parts: Mapping[str, str], answer: Answer) -> str | None:
        """Return the channel, and the thread in it, to which a webhook leads."""
        channel = json_of(answer).get("channel_id")
        thread = parts["url"].partition("?thread_id=")[2]
        return f"channel {channel} {thread}" if isinstance(channel, str) else None
