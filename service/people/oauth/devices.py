"""Devices without a browser: they show a short code, which their user enters on a page (RFC 8628).

The device polls with a long code of its own until somebody has entered the short one and decided.
"""

import re
import secrets
from datetime import timedelta
from typing import NamedTuple

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.ids import encoded
from service.people import tokens
from service.people.oauth import grants
from service.people.oauth.codes import lock_session
from service.people.oauth.grants import Approval, TokenTexts, digest_of
from service.people.tokens import Caller
from store import timestamps
from store.errors import Clash
from store.people import oauth_devices
from store.people.oauth_devices import Device

LIFETIME = timedelta(minutes=10)
"""How long both codes are valid."""
INTERVAL = 5
"""Seconds that a device waits between two polls, at first."""
SLOWER = 5
"""Seconds by which it has to wait longer for each poll that came too early."""
LETTERS = 8
"""Letters in the code that people enter."""


class WaitingDevice(NamedTuple):
    """A device that waits for a decision, as its user sees it."""

    client: str
    scopes: str
    user_code: str


class Decision(NamedTuple):
    """What somebody has decided about a device."""

    account: str
    approved: bool


def new_device_code() -> str:
    """Return a new code for a device to poll with."""
    return f"nmd_{encoded(secrets.randbits(256), 43)}"


def start(desk: Desk, client: str, scopes: str, device_code: str, user_code: str) -> None:
    """Store the codes of a device that wants to be connected."""
    device = Device(
        hash=digest_of(device_code),
        user_code=_user_digest(user_code),
        client=client,
        scopes=scopes,
        expires=timestamps.later(desk.now(), LIFETIME),
        interval=INTERVAL,
    )
    try:
        with desk.database.writing() as tx:
            oauth_devices.add(tx, device)
    except Clash:  # another device shows the same code
        raise refusals.Refused("unavailable", say("Please try again."), retry_after=1) from None


def by_device_code(desk: Desk, device_code: str) -> Device | None:
    """Return the device with this long code."""
    with desk.database.reading() as tx:
        return oauth_devices.by_hash(tx, digest_of(device_code))


def is_expired(desk: Desk, device: Device) -> bool:
    """Return whether the codes of a device are no longer valid."""
    return device.expires <= desk.now()


def decision(desk: Desk, user_code: bytes) -> Decision | None:
    """Return what was decided about the device whose user code has this hash; None if nothing."""
    with desk.database.reading() as tx:
        device = oauth_devices.by_user_code(tx, user_code)
    if device is None or device.account is None or device.approved is None:
        return None
    return Decision(device.account, bool(device.approved))


def polls_too_fast(desk: Desk, device: Device) -> bool:
    """Store that a device has polled; if it came too early, it has to wait longer from now on."""
    at, interval = desk.now(), timedelta(seconds=device.interval)
    too_fast = device.polled is not None and at < timestamps.later(device.polled, interval)
    longer = device.interval + SLOWER if too_fast else device.interval
    with desk.database.writing() as tx:
        oauth_devices.poll(tx, device.hash, at, longer)
    return too_fast


def redeem(desk: Desk, device: Device, texts: TokenTexts) -> bool:
    """Begin the grant of a device that was approved; return False if that was done before."""
    with desk.database.reading() as tx:
        stored = oauth_devices.by_hash(tx, device.hash)
    if stored is None or stored.account is None or stored.session is None:
        return False
    with desk.database.writing() as tx:
        tokens.lock_account(tx, stored.account)
        if not oauth_devices.take(tx, stored.hash):
            return False
        approval = Approval(stored.account, stored.client, None, stored.scopes, stored.session)
        grants.begin(desk, tx, approval, texts)
    return True


def waiting(desk: Desk, user_code: str) -> WaitingDevice | None:
    """Return the device that shows this code and waits for a decision."""
    device = _by_user_code(desk, user_code)
    if device is None:
        return None
    letters = _letters(user_code)
    shown = f"{letters[: LETTERS // 2]}-{letters[LETTERS // 2 :]}"
    return WaitingDevice(device.client, device.scopes, shown)


def _by_user_code(desk: Desk, user_code: str) -> Device | None:
    if len(_letters(user_code)) != LETTERS:
        return None
    with desk.database.reading() as tx:
        device = oauth_devices.by_user_code(tx, _user_digest(user_code))
    if device is None or is_expired(desk, device) or device.approved is not None:
        return None
    return device


def decide(desk: Desk, caller: Caller, user_code: str, *, approved: bool) -> bool:
    """Approve or deny a device for the caller's account; return False if none waits any more."""
    device = _by_user_code(desk, user_code)
    if device is None:
        return False
    with desk.database.writing() as tx:
        lock_session(tx, caller.account, caller.token)
        return oauth_devices.decide(
            tx, device.hash, caller.account, caller.token, approved=approved
        )


def _user_digest(user_code: str) -> bytes:
    return digest_of(_letters(user_code))


def _letters(user_code: str) -> str:
    """Return the letters of a code that somebody typed, however they wrote it."""
    return re.sub(r"[^A-Z]", "", user_code.upper())
