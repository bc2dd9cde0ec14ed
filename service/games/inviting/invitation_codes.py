"""Codes with which a guest without an account accepts an invitation by mail."""

import hashlib
import hmac
from typing import Any

from service.desk import Desk
from service.links import signed_links

LENGTH = 20
"""Characters of the signature that follows the invitation's id in a code."""


def code_of(desk: Desk, id: str) -> str:
    """Return the code of an invitation; its host knows the id, but cannot forge the signature."""
    return f"{id}{_mac(desk.settings.secret_keys[0], id)}"


def payload_of(desk: Desk, code: str) -> dict[str, Any] | None:
    """Return the payload of the link of the invitation with this code; None if there is none."""
    id, mac = code[:-LENGTH], code[-LENGTH:]
    keys = desk.settings.secret_keys
    if not any(hmac.compare_digest(mac.encode(), _mac(key, id).encode()) for key in keys):
        return None
    return signed_links.invitation_payload(desk, id)


def _mac(key: str, id: str) -> str:
    return hmac.new(key.encode(), f"join {id}".encode(), hashlib.sha256).hexdigest()[:LENGTH]
