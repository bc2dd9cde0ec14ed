"""Requests to the API of Telegram's bots."""

from collections.abc import Mapping

import orjson

from service.notify.hook_targets import url_target
from service.settings import Settings
from workers.calling.connector import Request
from workers.calling.verdicts import json_headers


def call(settings: Settings, method: str, body: Mapping[str, object]) -> Request:
    """Return the request that calls a method of the bot."""
    target = url_target(f"{settings.telegram_api}/bot{settings.telegram_token}/{method}")
    return Request("POST", target, orjson.dumps(body), json_headers())
