"""Opaque names: nobody can guess one, and none looks like a number or an option."""

import secrets
import string

ALPHABET = string.ascii_letters + string.digits


def spelled(number: int, length: int) -> str:
    """A number in letters and digits, always so many."""
    said = ""
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        said = ALPHABET[digit] + said
    return said


def new_id() -> str:
    """128 random bits."""
    return spelled(secrets.randbits(128), 22)
