"""Secrets that we must be able to read again: encrypted, with keys that no database holds."""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.settings import Settings

PURPOSE = b"nightmail secrets of hooks"
"""So that the key for this is none of those that sign links."""


def seal(settings: Settings, secret: bytes) -> bytes:
    """A secret as it may be stored; the first of our keys seals it."""
    return _box(settings.secret_keys).encrypt(secret)


def unseal(settings: Settings, stored: bytes) -> bytes | None:
    """What was sealed with any of our keys; None if that key is gone."""
    try:
        return _box(settings.secret_keys).decrypt(stored)
    except InvalidToken:
        return None


def is_current(settings: Settings, stored: bytes) -> bool:
    """Whether the first of our keys has sealed this, so that the others can be dropped."""
    try:
        _box(settings.secret_keys[:1]).decrypt(stored)
    except InvalidToken:
        return False
    return True


@lru_cache(maxsize=8)
def _box(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key)) for key in keys])


def _derived(key: str) -> bytes:
    made = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(key.encode())
    return base64.urlsafe_b64encode(made)
