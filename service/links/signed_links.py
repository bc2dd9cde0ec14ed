"""Signed links: addresses with which somebody can act, or read, without a token.

A link says everything itself, in the open; the signature says that it comes from us. Nothing is
stored for it: a link for a decision dies with the decision, all links of a seat die when its
number in `seats.links` is raised, a calendar's link dies when its owner asks for the next, and all
links die with the key that has signed them.
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

from service.desk import Desk
from store import timestamps
from store.games import invitations as guests
from store.people import signed_links as store

FIELDS = {
    "action": ("game", "seat", "asked", "links", "group", "until"),
    "letter": ("game", "seat", "asked", "links", "lines", "until"),
    "forwarded": ("game", "seat", "links"),
    "address": ("account", "email", "until"),
    "sign_in": ("account", "email", "key", "next", "until"),
    "unsubscribe": ("account", "game"),
    "invitation": ("invitation", "until"),
    "opt_out": ("mailbox",),
    "calendar": ("account", "number"),
}
"""What each kind of link says. It can be read by anybody who has the link."""
PATHS = {
    "action": "/a/{}",
    "letter": "/letter/{}",
    "forwarded": "/forwarded/{}",
    "address": "/confirm/{}",
    "sign_in": "/sign-in/{}",
    "unsubscribe": "/unsubscribe/{}",
    "invitation": "/invitation/{}",
    "opt_out": "/never/{}",
    "calendar": "/calendar/{}.ics",
}
FOR_DECISION = timedelta(days=100)
"""Longer than any decision may take, for those without a deadline; a deadline counts besides."""
FOR_LETTER = timedelta(days=14)
FOR_ADDRESS = timedelta(days=14)
FOR_SIGN_IN = timedelta(hours=1)
FOR_INVITATION = timedelta(days=30)
PACKED = ("letter",)
"""Links that may say so much that they are worth packing."""
LONGEST = 900
"""A path of 1,024 characters is the longest that we read."""


def action(desk: Desk, game: str, seat: int, asked: int, group: str) -> str:
    """Where one group of the options of a decision is played."""
    return actions(desk, game, seat, asked, [group])[group]


def actions(desk: Desk, game: str, seat: int, asked: int, groups: Iterable[str]) -> dict[str, str]:
    """The same for several groups of one decision, with a single look at the seat."""
    links, since = _standing(desk, game, seat)
    until = timestamps.later(since, FOR_DECISION)
    return {
        group: _link(desk, "action", game, seat, asked, links, group, until) for group in groups
    }


def confirm_letter(desk: Desk, game: str, seat: int, asked: int, lines: list[str]) -> str:
    """Where a reply that could not be trusted is played, line by line, after a look at it.

    What is too long for an address is left out; the page shows what is left.
    """
    links, _ = _standing(desk, game, seat)
    until = timestamps.later(desk.now(), FOR_LETTER)
    kept = list(lines)
    while True:
        link = _link(desk, "letter", game, seat, asked, links, kept, until)
        if not kept or len(link) <= LONGEST:
            return link
        kept.pop()


def forwarded(desk: Desk, game: str, seat: int) -> str:
    """Where all links and reply addresses of a seat are made void."""
    links, _ = _standing(desk, game, seat)
    return _link(desk, "forwarded", game, seat, links)


def confirm_address(desk: Desk, account: str, email: str) -> str:
    """Where somebody says that an address is theirs. The address itself does not stand in it."""
    until = timestamps.later(desk.now(), FOR_ADDRESS)
    return _link(desk, "address", account, fingerprint(email), until)


def sign_in(desk: Desk, account: str, email: str, asked: Mapping[str, str], at: str) -> str:
    """Where whoever reads the mail of an address, and has asked for it then, may sign in, once.

    It says with which key they have asked, and to which page they wanted to go.
    """
    until = timestamps.later(at, FOR_SIGN_IN)
    said = fingerprint(email), asked["key"], asked.get("next", "")
    return _link(desk, "sign_in", account, *said, until)


def unsubscribe(desk: Desk, account: str, game: str | None) -> str:
    """Where mail is stopped, about one game or all of it; good for ever."""
    return _link(desk, "unsubscribe", account, game)


def invitation(desk: Desk, id: str) -> str:
    """Where an invitation is accepted or declined."""
    with desk.database.reading() as tx:
        found = guests.invitation(tx, id)
    since = found.at if found else desk.now()
    return _link(desk, "invitation", id, timestamps.later(since, FOR_INVITATION))


def opt_out(desk: Desk, mailbox: str) -> str:
    """Where the reader of a mailbox, named by its fingerprint, opts out of strangers' letters."""
    return _link(desk, "opt_out", mailbox)


def calendar(desk: Desk, account: str, number: int) -> str:
    """Where a calendar program reads somebody's deadlines; good until there is a higher number."""
    return _link(desk, "calendar", account, number)


def read(desk: Desk, purpose: str, token: str) -> dict[str, Any] | None:
    """What a link says; None if it is not ours, or was made for something else.

    Whether it has expired is asked on its own: its page says so, and a guess must not.
    """
    try:
        said = _serializer(desk.settings.secret_keys, purpose).loads(token)
    except BadData:
        return None
    fields = FIELDS[purpose]
    return dict(zip(fields, said, strict=True)) if len(fields) == len(said) else None


def expired(desk: Desk, said: Mapping[str, Any]) -> bool:
    """Whether the time of a link is over."""
    return bool(said["until"] <= desk.now())


def fingerprint(email: str) -> str:
    """Tells one address from another."""
    return hashlib.sha256(email.lower().encode()).hexdigest()[:16]


def _standing(desk: Desk, game: str, seat: int) -> tuple[int, str]:
    """The number of a seat's present links, and since when it is awaited."""
    with desk.database.reading() as tx:
        found = store.seat_links(tx, game, seat)
    if found is None:
        raise LookupError("no such seat")
    return found.links, found.awaited_since or desk.now()


def _link(desk: Desk, purpose: str, *said: object) -> str:
    token = _serializer(desk.settings.secret_keys, purpose).dumps(said)
    return desk.settings.public_url + PATHS[purpose].format(token)


class _Begun(HMACAlgorithm):
    """Takes up each key once: a letter has dozens of links."""

    def __init__(self) -> None:
        super().__init__(hashlib.sha256)
        self._begun: dict[bytes, hmac.HMAC] = {}

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        begun = self._begun.get(key)
        if begun is None:
            begun = self._begun[key] = hmac.new(key, digestmod=self.digest_method)
        signing = begun.copy()
        signing.update(value)
        return signing.digest()


class _Signer(Signer):
    """Derives each of its keys once."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._derived: dict[Any, bytes] = {}

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        known = self._derived.get(secret_key)
        if known is None:
            known = self._derived[secret_key] = super().derive_key(secret_key)
        return known


class _Signed(URLSafeSerializer):
    """Makes its signer once."""

    default_signer = _Signer

    @cached_property
    def _signer(self) -> Signer:
        return super().make_signer()

    def make_signer(self, salt: str | bytes | None = None) -> Signer:
        return super().make_signer(salt) if salt else self._signer


class _Plain(_Signed):
    """Reads what is packed, but packs nothing: of a few words that takes long and saves nothing."""

    def dump_payload(self, obj: Any) -> bytes:
        return base64_encode(orjson.dumps(obj))


@lru_cache(maxsize=64)
def _serializer(keys: tuple[str, ...], purpose: str) -> _Signed:
    """Signs with the first key and verifies with all; one purpose's links are nothing to others."""
    made = _Signed if purpose in PACKED else _Plain
    return made(
        list(reversed(keys)),  # here the last one signs
        salt=f"nightmail link: {purpose}",
        signer_kwargs={
            "key_derivation": "hmac",
            "digest_method": hashlib.sha256,
            "algorithm": _Begun(),
        },
    )
