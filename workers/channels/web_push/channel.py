"""Sends notifications to browsers by the push service that each has named (RFC 8030)."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta

import orjson
from cryptography.hazmat.primitives.asymmetric import ec

from engine.text import shortened
from engine.translate import say
from service.desk import Desk
from service.notify import hook_targets
from service.notify.destinations import push_keys
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import Address, Input
from service.refusals import unreadable
from service.settings import Settings
from workers.calling.connector import Answer, Request
from workers.calling.posting_channel import PostingChannel
from workers.calling.verdicts import AGENT, Verdict, by_status

LONGEST_TITLE, LONGEST_BODY = 120, 600
"""Characters; even if each takes 4 bytes, a message stays below the 4096 that services take."""
TIME_TO_LIVE = timedelta(days=1)
"""How long a push service keeps a message for a device that is off, if nothing ends before."""
LEAST_TO_LIVE = timedelta(minutes=1)
AUTH_BYTES = 16


class WebPushChannel(PostingChannel):
    """Shows notifications on the devices of an account."""

    name = "web_push"
    needs_script = True

    def title(self) -> str:
        """Return the name of the channel."""
        return say("Notifications on this device")

    def hint(self) -> str:
        """Return what an address is."""
        return say("A browser on a computer or a phone, also while Nightmail is closed")

    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address, which a script asks the browser for."""
        return (
            Input("endpoint", say("Endpoint"), "https://…", "hidden"),
            Input("p256dh", say("Public key of the browser"), "", "hidden"),
            Input("auth", say("Secret of the browser"), "", "hidden"),
        )

    def facts(self, desk: Desk) -> dict[str, str]:
        """Return the key for which a browser makes its subscription."""
        return {"application_server_key": push_keys.public_key(desk)}

    def address(self, settings: Settings, parts: Mapping[str, str]) -> Address:
        """Check a subscription that a browser has made."""
        url = parts.get("endpoint", "")
        target = hook_targets.target(settings, url, "endpoint")
        _check_point(parts.get("p256dh", ""))
        if len(_decoded(parts.get("auth", ""), "auth")) != AUTH_BYTES:
            raise unreadable(say("must be what the browser has given."), "auth")
        kept = {name: parts[name] for name in ("endpoint", "p256dh", "auth")}
        place = f"{target.host}:{target.port}{target.path}"
        return Address(kept, place, say("A browser"), is_shared=False)

    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the encrypted request (RFC 8291), signed with our key (RFC 8292)."""
        from py_vapid import Vapid02  # noqa: PLC0415  # slow to import, and few processes send
        from pywebpush import WebPusher  # noqa: PLC0415  # likewise

        target = hook_targets.target(desk.settings, parts["endpoint"], "endpoint")
        keys = {name: parts[name] for name in ("p256dh", "auth")}
        pusher = WebPusher({"endpoint": parts["endpoint"], "keys": keys})
        body: bytes = pusher.encode(payload(message), "aes128gcm")["body"]
        claims = {
            "sub": f"mailto:{desk.settings.mail_from}",
            "aud": parts["endpoint"].removesuffix(target.path),
            "exp": int(datetime.fromisoformat(desk.now()).timestamp()) + 12 * 3600,
        }
        headers = {
            **Vapid02(push_keys.private_key(desk)).sign(claims),
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "accept-encoding": "identity",
            "user-agent": AGENT,
            "ttl": str(_time_to_live(desk, message)),
            "urgency": "normal",
            "topic": hashlib.sha256(message.tag.encode()).hexdigest()[:32],
        }
        return Request("POST", target, body, headers)

    def verdict(self, answer: Answer, now: str) -> Verdict:
        """Return what a response means; a subscription that has ended is removed."""
        verdict = by_status(answer, now)
        is_gone = answer.status in (404, 410)
        return verdict._replace(state="removed") if is_gone else verdict


def payload(message: Announcement) -> bytes:
    """Return what the service worker reads."""
    document = {
        "title": shortened(message.title, LONGEST_TITLE),
        "body": shortened(message.body, LONGEST_BODY),
        "url": message.link,
        "tag": message.tag,
    }
    return orjson.dumps(document)


def _time_to_live(desk: Desk, message: Announcement) -> int:
    """Return for how many seconds a message matters."""
    left = TIME_TO_LIVE
    if message.until is not None:
        left = datetime.fromisoformat(message.until) - datetime.fromisoformat(desk.now())
    return int(min(max(left, LEAST_TO_LIVE), TIME_TO_LIVE).total_seconds())


def _check_point(text: str) -> None:
    """Refuse a public key that is no point on the curve."""
    point = _decoded(text, "p256dh")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise unreadable(say("must be what the browser has given."), "p256dh") from None


def _decoded(text: str, name: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except (binascii.Error, ValueError):
        raise unreadable(say("must be what the browser has given."), name) from None
