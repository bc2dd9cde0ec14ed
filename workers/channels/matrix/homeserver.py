"""Requests to the operator's homeserver (Matrix client-server API, v3)."""

from collections.abc import Mapping
from urllib.parse import quote

import orjson

from service.notify.hook_targets import url_target
from service.settings import Settings
from workers.calling.connector import Request
from workers.calling.verdicts import json_headers

LONGEST_URL = 2000


def call(
    settings: Settings,
    method: str,
    *path: str,
    body: Mapping[str, object] | None = None,
    query: str = "",
) -> Request:
    """Return the request of the service's account for a path of the API."""
    quoted = "/".join(quote(part, safe="") for part in path)
    url = f"{settings.matrix_homeserver}/_matrix/client/v3/{quoted}{query}"
    target = url_target(url, longest=LONGEST_URL)
    headers = json_headers(authorization=f"Bearer {settings.matrix_token}")
    return Request(method, target, b"" if body is None else orjson.dumps(body), headers)
