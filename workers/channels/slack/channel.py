"""Calls incoming webhooks of Slack, and of services that take the same, such as Mattermost."""

import html
from collections.abc import Mapping

import orjson

from engine.translate import say
from service.desk import Desk
from service.notify import hook_targets
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input
from service.settings import Settings
from workers.calling.connector import Request
from workers.calling.plain_text import inert
from workers.calling.posting_channel import PostingChannel
from workers.calling.verdicts import json_headers


class SlackChannel(PostingChannel):
    """Writes to a channel of Slack."""

    name = "slack"
    is_for_rooms = True

    def title(self) -> str:
        """Return the name of the channel."""
        return "Slack"

    def hint(self) -> str:
        """Return what an address is."""
        return say("A channel of Slack or Mattermost, by its incoming webhook")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address."""
        hint = "https://hooks.slack.com/services/…"
        return (Input("url", say("URL of the webhook"), hint, "url"),)

    def address(self, settings: Settings, parts: Mapping[str, str]) -> Address:
        """Check the URL of a webhook."""
        url = parts.get("url", "")
        target = hook_targets.target(settings, url)
        place = f"{target.host}:{target.port}{target.path}"
        return Address({"url": url}, place, target.host, is_shared=True)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that writes a message.

        Slack shows the blocks, in which only our own link is markup; others show the text.
        """
        text = html.escape(inert(message.text), quote=False)
        link = f"<{message.link}|{html.escape(message.link_label, quote=False)}>"
        blocks = [
            {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}},
            {"type": "section", "text": {"type": "mrkdwn", "text": link}},
        ]
        body = {
            "text": f"{text}\n<{message.link}>",
            "blocks": blocks,
            "link_names": False,
            "unfurl_links": False,
            "unfurl_media": False,
        }
        target = hook_targets.target(desk.settings, parts["url"])
        return Request("POST", target, orjson.dumps(body), json_headers())
