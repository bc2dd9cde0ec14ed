"""Rows of devices that wait for somebody to enter their user code."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from store.tables import oauth_devices


class Device(NamedTuple):
    """A row of `oauth_devices`; both codes are stored as hashes."""

    hash: bytes
    user_code: bytes
    client: str
    scopes: str
    expires: str
    interval: int
    """Seconds that it has to wait between two polls."""
    polled: str | None = None
    account: str | None = None
    """Who has decided; None as long as nobody has."""
    session: str | None = None
    approved: int | None = None


_DEVICE = select(*oauth_devices.c[Device._fields])


def add(tx: Connection, device: Device) -> None:
    """Insert a device; a unique constraint refuses a user code that is in use."""
    tx.execute(insert(oauth_devices), [device._asdict()])


def by_hash(tx: Connection, digest: bytes) -> Device | None:
    """Return the device whose device code has this hash."""
    row = tx.execute(_DEVICE.where(oauth_devices.c.hash == digest)).first()
    return Device(*row) if row else None


def by_user_code(tx: Connection, digest: bytes) -> Device | None:
    """Return the device whose user code has this hash."""
    row = tx.execute(_DEVICE.where(oauth_devices.c.user_code == digest)).first()
    return Device(*row) if row else None


def poll(tx: Connection, digest: bytes, at: str, interval: int) -> None:
    """Store when a device has polled, and how long it has to wait from now on."""
    device = oauth_devices.c.hash == digest
    tx.execute(update(oauth_devices).where(device).values(polled=at, interval=interval))


def decide(tx: Connection, digest: bytes, account: str, session: str, *, approved: bool) -> bool:
    """Approve or deny a device, and return whether nobody had decided before."""
    undecided = oauth_devices.c.hash == digest, oauth_devices.c.approved.is_(None)
    values = {"account": account, "session": session, "approved": int(approved)}
    return bool(tx.execute(update(oauth_devices).where(*undecided).values(**values)).rowcount)


def take(tx: Connection, digest: bytes) -> bool:
    """Delete a device that has been approved, and return whether it was still there."""
    approved = oauth_devices.c.hash == digest, oauth_devices.c.approved == 1
    return bool(tx.execute(delete(oauth_devices).where(*approved)).rowcount)


def forget(tx: Connection, before: str) -> None:
    """Delete the devices whose codes expired before this time."""
    tx.execute(delete(oauth_devices).where(oauth_devices.c.expires <= before))
