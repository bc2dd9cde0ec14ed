"""Signed links: URLs with which their reader can act, or read, without a token.

The payload of a link is readable; its signature shows that it comes from us. Nothing is stored for
a link. A link for a decision ends with the decision, all links of a seat end when `seats.links` is
incremented, a calendar link ends when its owner asks for a new one, and every link ends with the
key that signed it.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import cached_property, lru_cache
from typing import Any

import orjson
from itsdangerous import BadData, HMACAlgorithm, Signer, URLSafeSerializer
from itsdangerous.encoding import base64_encode

import store.people.signed_links
from service.desk import Desk
from store import timestamps
from store.games import invitations

SeatLinks = store.people.signed_links.SeatLinks
FIELDS = {
    "action": ("game", "seat", "asked", "links", "entry", "until"),
    "letter": ("game", "seat", "asked", "links", "lines", "until"),
    "commands": ("account", "email", "lines", "until"),
    "turn": ("game", "seat", "asked", "links", "until"),
    "forwarded": ("game", "seat", "links"),
    "address": ("account", "email", "until"),
    "sign_in": ("account", "email", "key", "next", "until"),
    "unsubscribe": ("account", "game"),
    "invitation": ("invitation", "until"),
    "opt_out": ("mailbox",),
    "table": ("game", "number"),
    "calendar": ("account", "number"),
}
"""The fields of the payload of each kind of link. Anybody who has the link can read them."""
PATHS = {
    "action": "/a/{}",
    "letter": "/letter/{}",
    "commands": "/commands/{}",
    "turn": "/turn/{}",
    "forwarded": "/forwarded/{}",
    "address": "/confirm/{}",
    "sign_in": "/sign-in/{}",
    "unsubscribe": "/unsubscribe/{}",
    "invitation": "/invitation/{}",
    "opt_out": "/never/{}",
    "table": "/table/{}",
    "calendar": "/calendar/{}.ics",
}
FOR_DECISION = timedelta(days=100)
"""How long an action or turn link is valid without a deadline; longer than any decision takes."""
FOR_LETTER = timedelta(days=14)
FOR_ADDRESS = timedelta(days=14)
FOR_SIGN_IN = timedelta(hours=1)
FOR_INVITATION = timedelta(days=30)
WHOLE_MENU = ""
"""Instead of the text of an entry: the link to the page that lists all of them."""
PACKED = ("letter", "commands")
"""Kinds of links with a payload long enough to be compressed."""
LONGEST = 900
"""Characters of a link; the server reads paths of at most 1,024."""


def actions(
    desk: Desk,
    game: str,
    seat: int,
    version: int,
    entries: Iterable[str],
    links: SeatLinks | None = None,
) -> dict[str, str]:
    """Return the links to play entries of the menu of one decision, by the text of the entry."""
    links = links or seat_links(desk, game, seat)
    until = _end_of_decision(desk, links)
    return {
        entry: _link(desk, "action", game, seat, version, links.links, entry, until)
        for entry in entries
    }


def turn(desk: Desk, game: str, seat: int, version: int, links: SeatLinks | None = None) -> str:
    """Return the link “Open my turn”: its page opens a session for this seat and this decision."""
    links = links or seat_links(desk, game, seat)
    until = _end_of_decision(desk, links)
    return _link(desk, "turn", game, seat, version, links.links, until)


def _end_of_decision(desk: Desk, links: SeatLinks) -> str:
    """Return when links for the open decision of a seat end at the latest."""
    return timestamps.later(links.awaited_since or desk.now(), FOR_DECISION)


def confirm_letter(
    desk: Desk, game: str, seat: int, version: int | None, lines: list[str], received: str
) -> str:
    """Return the link to confirm a reply whose sender could not be authenticated.

    `version` is that of the decision which it answers, or None if it answers none. Lines at the end
    that would make the link too long are left out; the page shows the others. All links for a mail
    that was received at this time end at the same time.
    """
    links = seat_links(desk, game, seat).links
    return _link_with_lines(desk, "letter", [game, seat, version, links], lines, received)


def confirm_commands(desk: Desk, account: str, email: str, lines: list[str]) -> str:
    """Return the link to confirm a mail to the service whose sender could not be authenticated.

    It ends when the account has another address than the one that it was sent to.
    """
    return _link_with_lines(desk, "commands", [account, fingerprint(email)], lines, desk.now())


def _link_with_lines(
    desk: Desk, purpose: str, values: list[object], lines: list[str], since: str
) -> str:
    """Return a link that carries the lines of a mail, as many as fit."""
    until = timestamps.later(since, FOR_LETTER)
    kept = list(lines)
    while True:
        link = _link(desk, purpose, *values, kept, until)
        if not kept or len(link) <= LONGEST:
            return link
        kept.pop()


def forwarded(desk: Desk, game: str, seat: int, links: SeatLinks | None = None) -> str:
    """Return the link to void all links and reply addresses of a seat, for forwarded mail."""
    links = links or seat_links(desk, game, seat)
    return _link(desk, "forwarded", game, seat, links.links)


def confirm_address(desk: Desk, account: str, email: str) -> str:
    """Return the link to confirm an email address, of which it contains only a fingerprint."""
    until = timestamps.later(desk.now(), FOR_ADDRESS)
    return _link(desk, "address", account, fingerprint(email), until)


def sign_in(desk: Desk, account: str, email: str, request: Mapping[str, str], at: str) -> str:
    """Return the link to sign in once, valid from the time of the request.

    `request` has the idempotency key of the sign-in, and the page to open afterwards.
    """
    until = timestamps.later(at, FOR_SIGN_IN)
    fields = fingerprint(email), request["key"], request.get("next", "")
    return _link(desk, "sign_in", account, *fields, until)


def unsubscribe(desk: Desk, account: str, game: str | None) -> str:
    """Return the link to stop mail, about one game or all of it; it does not expire."""
    return _link(desk, "unsubscribe", account, game)


def invitation(desk: Desk, id: str) -> str:
    """Return the link to accept or decline an invitation."""
    return _link(desk, "invitation", *invitation_payload(desk, id).values())


def invitation_payload(desk: Desk, id: str) -> dict[str, Any]:
    """Return the payload of the link of an invitation."""
    with desk.database.reading() as tx:
        row = invitations.invitation(tx, id)
    since = row.at if row else desk.now()
    return {"invitation": id, "until": timestamps.later(since, FOR_INVITATION)}


def opt_out(desk: Desk, mailbox: str) -> str:
    """Return the link to opt out of strangers' letters; `mailbox` is the mailbox's fingerprint."""
    return _link(desk, "opt_out", mailbox)


def table(desk: Desk, game: str, number: int) -> str:
    """Return the link to take a seat at a table; valid until the table gets a higher number."""
    return _link(desk, "table", game, number)


def calendar(desk: Desk, account: str, number: int) -> str:
    """Return the link for a calendar program; valid until the account gets a higher number."""
    return _link(desk, "calendar", account, number)


def read(desk: Desk, purpose: str, token: str) -> dict[str, Any] | None:
    """Return the payload of a link; None if the signature is wrong, or for another kind of link.

    Whether it has expired is left to `is_expired`, so that its page can say so.
    """
    try:
        values = _serializer(desk.settings.secret_keys, purpose).loads(token)
    except BadData:
        return None
    fields = FIELDS[purpose]
    return dict(zip(fields, values, strict=True)) if len(fields) == len(values) else None


def is_expired(desk: Desk, payload: Mapping[str, Any]) -> bool:
    """Return whether a link has expired."""
    return bool(payload["until"] <= desk.now())


def fingerprint(email: str) -> str:
    """Return a short hash of an email address, to compare it without showing it."""
    return hashlib.sha256(email.lower().encode()).hexdigest()[:16]


def seat_links(desk: Desk, game: str, seat: int) -> SeatLinks:
    """Return what the links of a seat are made of, which is read once for several links."""
    with desk.database.reading() as tx:
        links = store.people.signed_links.seat_links(tx, game, seat)
    if links is None:
        raise LookupError("no such seat")
    return links


def _link(desk: Desk, purpose: str, *values: object) -> str:
    token = _serializer(desk.settings.secret_keys, purpose).dumps(values)
    return desk.settings.public_url + PATHS[purpose].format(token)


class _CachedHMAC(HMACAlgorithm):
    """An HMAC that prepares each key once, because a letter has dozens of links."""

    def __init__(self) -> None:
        super().__init__(hashlib.sha256)
        self._keyed: dict[bytes, hmac.HMAC] = {}

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        keyed = self._keyed.get(key)
        if keyed is None:
            keyed = self._keyed[key] = hmac.new(key, digestmod=self.digest_method)
        digest = keyed.copy()
        digest.update(value)
        return digest.digest()


class _CachedSigner(Signer):
    """A signer that derives each of its keys once."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._derived: dict[Any, bytes] = {}

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        derived = self._derived.get(secret_key)
        if derived is None:
            derived = self._derived[secret_key] = super().derive_key(secret_key)
        return derived


class _PackedSerializer(URLSafeSerializer):
    """A serializer that compresses long payloads, and makes its signer once."""

    default_signer = _CachedSigner

    @cached_property
    def _signer(self) -> Signer:
        return super().make_signer()

    def make_signer(self, salt: str | bytes | None = None) -> Signer:
        return super().make_signer(salt) if salt else self._signer


class _PlainSerializer(_PackedSerializer):
    """A serializer that does not compress, because for short payloads that saves nothing."""

    def dump_payload(self, obj: Any) -> bytes:
        return base64_encode(orjson.dumps(obj))


@lru_cache(maxsize=64)
def _serializer(keys: tuple[str, ...], purpose: str) -> _PackedSerializer:
    """Return the signer for a kind of link: it signs with the first key and verifies with all."""
    serializer = _PackedSerializer if purpose in PACKED else _PlainSerializer
    return serializer(
        list(reversed(keys)),  # itsdangerous signs with the last one
        salt=f"nightmail link: {purpose}",
        signer_kwargs={
            "key_derivation": "hmac",
            "digest_method": hashlib.sha256,
            "algorithm": _CachedHMAC(),
        },
    )
