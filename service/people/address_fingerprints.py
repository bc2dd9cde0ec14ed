"""Fingerprints of mail addresses: an HMAC under a key that is made once and never changed.

A plain hash of an address can be guessed, so the key is not to be had from the database alone: it
stands there sealed with SECRET_KEYS. So every process shares it, every backup holds it, and when
SECRET_KEYS change it is sealed anew and stays the same.
"""

import hashlib
import hmac
import secrets

from engine.translate import say
from service import encryption
from service.desk import Desk
from service.refusals import Refused
from service.settings import Settings
from store import sealed_keys
from store.database import Transaction

NAME = "addresses"
WITHOUT_DOTS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains whose mailboxes ignore dots, as their provider documents, and their usual name.

One reader has thousands of addresses there.
"""


def mailbox(email: str) -> str:
    """The mailbox that an address leads to: without case and without the tag after a `+`."""
    local_part, _, domain = email.lower().rpartition("@")
    folded = local_part.partition("+")[0] or local_part
    if domain in WITHOUT_DOTS:
        folded, domain = folded.replace(".", "") or folded, WITHOUT_DOTS[domain]
    return f"{folded}@{domain}"


def fingerprint(desk: Desk, tx: Transaction, email: str) -> str:
    """The fingerprint of an address's mailbox, in a transaction that may store the key."""
    return keyed(desk, tx, f"mailbox {mailbox(email)}")


def keyed(desk: Desk, tx: Transaction, text: str) -> str:
    """The fingerprint of a text, in a transaction that may store the key."""
    stored = sealed_keys.find(tx, NAME)
    if stored is None:
        sealed_keys.add(
            tx, NAME, encryption.seal(desk.settings, secrets.token_bytes(32)), desk.now()
        )
        stored = sealed_keys.find(tx, NAME)  # somebody else may have been quicker
    return _hmac(desk.settings, stored or b"", text)


def known_fingerprint(desk: Desk, email: str) -> str:
    """The fingerprint of an address's mailbox, for callers that only read."""
    with desk.database.reading() as tx:
        stored = sealed_keys.find(tx, NAME)
    if stored is not None:
        return _hmac(desk.settings, stored, f"mailbox {mailbox(email)}")
    with desk.database.noting() as tx:
        return fingerprint(desk, tx, email)


def is_lost(desk: Desk, tx: Transaction) -> bool:
    """Whether there is a key that none of SECRET_KEYS can open."""
    stored = sealed_keys.find(tx, NAME)
    return stored is not None and encryption.unseal(desk.settings, stored) is None


def remove(tx: Transaction) -> None:
    """Take the key away, so that a new one is made; whatever was stored under it is lost."""
    sealed_keys.remove(tx, NAME)


def reseal(desk: Desk) -> None:
    """Seal the key with the first of SECRET_KEYS, so that the older ones can be dropped."""
    with desk.database.reading() as tx:
        stored = sealed_keys.find(tx, NAME)
    if stored is None or encryption.is_current(desk.settings, stored):
        return
    key = encryption.unseal(desk.settings, stored)
    if key is not None:
        with desk.database.writing() as tx:
            sealed_keys.reseal(tx, NAME, stored, encryption.seal(desk.settings, key))


def _hmac(settings: Settings, stored: bytes, text: str) -> str:
    key = encryption.unseal(settings, stored)
    if key is None:
        # To go on with another key would be to forget every opt-out.
        raise Refused("unavailable", say("No letter can be sent now; tell whoever runs this."))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
