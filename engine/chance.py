"""The only source of randomness: draws that anybody can check once the seed is revealed.

docs/fairness.md specifies the bytes and has test vectors.
"""

import hashlib
import hmac
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """The hash of the seed, published when a game is opened, so that the seed cannot change."""
    return hashlib.sha256(seed).hexdigest()


def secret_of(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The game's secret: an HMAC, keyed by the seed, of the players' nonces in order of places."""
    message = b"".join(
        len(nonce).to_bytes(4, "big") + nonce for nonce in (text.encode() for text in nonces)
    )
    return hmac.digest(seed, message, "sha256")


def blind_of(secret: bytes, game: str, move: int) -> bytes:
    """The blinding value in a move's hash until the seed is revealed: draw 0, otherwise unused."""
    return hmac.digest(secret, f"{game}|{move}|0".encode(), "sha256")


class Chance:
    """The random draws of one move; deciding the move again gives the same draws."""

    __slots__ = ("_drawn", "_label", "_secret")

    def __init__(self, secret: bytes, game: str, move: int) -> None:
        self._secret = secret
        self._label = f"{game}|{move}|"
        self._drawn = 0

    def below(self, n: int) -> int:
        """The next draw, from 0 to n - 1: 256 bits modulo n, with a bias below one in 2^240."""
        self._drawn += 1
        message = f"{self._label}{self._drawn}".encode()
        return int.from_bytes(hmac.digest(self._secret, message, "sha256"), "big") % n


def shuffle(chance: Chance, items: MutableSequence[T]) -> None:
    """Shuffle in place (Fisher–Yates, from the last item down)."""
    for last in range(len(items) - 1, 0, -1):
        other = chance.below(last + 1)
        items[last], items[other] = items[other], items[last]
