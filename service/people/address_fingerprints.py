"""Fingerprints of email addresses: an HMAC with a key that is made once and never changes.

A plain hash would not do: addresses can be guessed and hashed. The key is stored in the database,
encrypted with SECRET_KEYS, so that every process shares it and every backup holds it. When
SECRET_KEYS change, the same key is encrypted again with the new ones.
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

KEY_NAME = "addresses"
"""The name of the key's row in the database."""
DOTLESS_DOMAINS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Domains whose mailboxes ignore dots in the local part, each with its canonical name.

Without this one person would have thousands of addresses there.
"""


def mailbox(email: str) -> str:
    """Return the mailbox that an address leads to: in lower case, without the tag after a `+`."""
    local_part, _, domain = email.lower().rpartition("@")
    folded = local_part.partition("+")[0] or local_part
    if domain in DOTLESS_DOMAINS:
        folded, domain = folded.replace(".", "") or folded, DOTLESS_DOMAINS[domain]
    return f"{folded}@{domain}"


def fingerprint(desk: Desk, tx: Transaction, email: str) -> str:
    """Return the fingerprint of an address's mailbox.

    Needs a writing transaction, to make the key.
    """
    return keyed_hash(desk, tx, f"mailbox {mailbox(email)}")


def keyed_hash(desk: Desk, tx: Transaction, text: str) -> str:
    """Return the HMAC of a text, in a writing transaction, since the first call makes the key."""
    stored = sealed_keys.find(tx, KEY_NAME)
    if stored is None:
        sealed_keys.add(
            tx, KEY_NAME, encryption.encrypt(desk.settings, secrets.token_bytes(32)), desk.now()
        )
        stored = sealed_keys.find(tx, KEY_NAME)  # another process may have stored one first
    return _hmac(desk.settings, stored or b"", text)


def find_fingerprint(desk: Desk, email: str) -> str:
    """Return the fingerprint of an address's mailbox.

    Opens a writing transaction only to make the key.
    """
    with desk.database.reading() as tx:
        stored = sealed_keys.find(tx, KEY_NAME)
    if stored is not None:
        return _hmac(desk.settings, stored, f"mailbox {mailbox(email)}")
    with desk.database.noting() as tx:
        return fingerprint(desk, tx, email)


def is_key_lost(desk: Desk, tx: Transaction) -> bool:
    """Return whether there is a key that none of SECRET_KEYS can decrypt."""
    stored = sealed_keys.find(tx, KEY_NAME)
    return stored is not None and encryption.decrypt(desk.settings, stored) is None


def remove_key(tx: Transaction) -> None:
    """Delete the key, so that a new one is made; fingerprints made with it match no more."""
    sealed_keys.remove(tx, KEY_NAME)


def _hmac(settings: Settings, stored: bytes, text: str) -> str:
    key = encryption.decrypt(settings, stored)
    if key is None:
        # With a new key no opt-out would match any more.
        raise Refused(
            "unavailable",
            say("No mail can be sent right now; please tell the people who run this service."),
        )
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
