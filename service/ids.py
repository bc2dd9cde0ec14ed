"""Random ids that cannot be guessed, and do not look like a number or an option."""

import secrets
import string

ALPHABET = string.ascii_letters + string.digits


def encoded(number: int, length: int) -> str:
    """Encode a number with exactly `length` letters and digits."""
    text = ""
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        text = ALPHABET[digit] + text
    return text


def new_id() -> str:
    """Return a new id of 128 random bits, in 22 characters."""
    return encoded(secrets.randbits(128), 22)
