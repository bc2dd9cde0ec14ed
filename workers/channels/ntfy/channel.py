"""Publishes to topics of ntfy, on ntfy.sh or any other server."""

import re
from collections.abc import Mapping

import orjson

from engine.text import shortened
from engine.translate import say
from service.desk import Desk
from service.notify import hook_targets
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input
from service.refusals import unreadable
from service.settings import Settings
from workers.calling.connector import Request
from workers.calling.posting_channel import PostingChannel
from workers.calling.verdicts import json_headers

_TOPIC = re.compile(r"(?P<server>.*/)(?P<topic>[-_A-Za-z0-9]{1,64})")
_TOKEN = re.compile(r"[!-~]{1,200}")
LONGEST_TITLE = 200


class NtfyChannel(PostingChannel):
    """Publishes messages to a topic."""

    name = "ntfy"

    def title(self) -> str:
        """Return the name of the channel."""
        return "ntfy"

    def hint(self) -> str:
        """Return what an address is."""
        return say("A topic in the ntfy app, such as https://ntfy.example.org/my-trains")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address."""
        return (
            Input("url", say("Address of the topic"), "https://ntfy.example.org/my-trains", "url"),
            Input("token", say("Access token, if the topic needs one"), "tk_…", is_required=False),
        )

    def address(self, settings: Settings, parts: Mapping[str, str]) -> Address:
        """Check the address of a topic."""
        url, token = parts.get("url", ""), parts.get("token", "")
        target = hook_targets.target(settings, url)
        match = _TOPIC.fullmatch(target.path)
        if match is None:
            hint = say(
                "must end with the name of a topic, as in https://ntfy.example.org/my-trains."
            )
            raise unreadable(hint, "url")
        if token and not _TOKEN.fullmatch(token):
            raise unreadable(say("must be an access token such as tk_…"), "token")
        place = f"{target.host}:{target.port}{target.path}"
        label = f"{target.host}/{shortened(match['topic'], 8)}"  # who knows the topic can read it
        return Address({"url": url, "token": token}, place, label, is_shared=False)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that publishes a message as JSON (ntfy: “Publish as JSON”)."""
        target = hook_targets.target(desk.settings, parts["url"])
        server, topic = target.path.rpartition("/")[::2]
        body = {
            "topic": topic,
            "title": shortened(message.title, LONGEST_TITLE),
            "message": message.body,
            "click": message.link,
            "tags": ["steam_locomotive"],
        }
        token = parts.get("token")
        headers = json_headers(**({"authorization": f"Bearer {token}"} if token else {}))
        return Request("POST", target._replace(path=f"{server}/"), orjson.dumps(body), headers)
