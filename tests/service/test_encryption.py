"""Encrypting secrets with SECRET_KEYS."""

from dataclasses import replace

import pytest

from service import encryption
from service.settings import Settings

OLD, NEW = "an old key of no less than 32 characters", "a new key of no less than 32 characters!"


@pytest.fixture
def settings() -> Settings:
    """Settings with one key."""
    return Settings.of({"SECRET_KEYS": OLD})


def test_a_secret_can_be_read_again(settings: Settings) -> None:
    """The ciphertext decrypts to the secret, does not contain it, and differs each time."""
    stored = encryption.encrypt(settings, b"secret")

    assert b"secret" == encryption.decrypt(settings, stored)
    assert b"secret" not in stored
    assert stored != encryption.encrypt(settings, b"secret")


def test_keys_can_be_replaced(settings: Settings) -> None:
    """The first key encrypts, all keys decrypt, and without its key a secret is lost."""
    stored = encryption.encrypt(settings, b"secret")
    both, only_new = (
        replace(settings, secret_keys=(NEW, OLD)),
        replace(settings, secret_keys=(NEW,)),
    )

    assert b"secret" == encryption.decrypt(both, stored)
    assert encryption.decrypt(only_new, stored) is None
    assert b"secret" == encryption.decrypt(only_new, encryption.encrypt(both, b"secret"))


def test_what_the_first_key_encrypted_is_known(settings: Settings) -> None:
    """`uses_first_key` tells whether the first key encrypted a secret."""
    stored = encryption.encrypt(settings, b"secret")
    both = replace(settings, secret_keys=(NEW, OLD))

    assert encryption.uses_first_key(settings, stored)
    assert not encryption.uses_first_key(both, stored)


def test_a_changed_secret_is_refused(settings: Settings) -> None:
    """Encryption is authenticated: a ciphertext with a changed byte does not decrypt."""
    stored = bytearray(encryption.encrypt(settings, b"secret"))
    stored[20] ^= 1

    assert encryption.decrypt(settings, bytes(stored)) is None
