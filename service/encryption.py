"""Encrypts secrets that must be readable again, with SECRET_KEYS, which no database holds."""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from service.settings import Settings

PURPOSE = b"nightmail secrets of hooks"
"""Keeps the keys that are derived for encryption apart from those that sign links."""


def encrypt(settings: Settings, secret: bytes) -> bytes:
    """Encrypt a secret with the first of SECRET_KEYS."""
    return _fernet(settings.secret_keys).encrypt(secret)


def decrypt(settings: Settings, stored: bytes) -> bytes | None:
    """Decrypt a secret with any of SECRET_KEYS; None if its key is no longer among them."""
    try:
        return _fernet(settings.secret_keys).decrypt(stored)
    except InvalidToken:
        return None


def uses_first_key(settings: Settings, stored: bytes) -> bool:
    """Return whether a secret is encrypted with the first of SECRET_KEYS, so that others can go."""
    try:
        _fernet(settings.secret_keys[:1]).decrypt(stored)
    except InvalidToken:
        return False
    return True


@lru_cache(maxsize=8)
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(_fernet_key(key)) for key in keys])


def _fernet_key(key: str) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(key.encode())
    return base64.urlsafe_b64encode(derived)
