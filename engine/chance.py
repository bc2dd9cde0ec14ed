"""The one door for chance: draws that anybody can check once the seed is revealed.

The bytes are specified in docs/fairness.md, with test vectors.
"""

import hashlib
import hmac
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """What is published when a game is opened, so that the seed cannot change later."""
    return hashlib.sha256(seed).hexdigest()


def secret_of(seed: bytes, nonces: Sequence[str]) -> bytes:
    """The game's secret: the seed and what each player added to it, in the order of places."""
    said = b"".join(
        len(nonce).to_bytes(4, "big") + nonce for nonce in (text.encode() for text in nonces)
    )
    return hmac.digest(seed, said, "sha256")


def blind_of(secret: bytes, game: str, move: int) -> bytes:
    """What hides a move behind its hash until the seed is revealed: draw 0, which nothing uses."""
    return hmac.digest(secret, f"{game}|{move}|0".encode(), "sha256")


class Chance:
    """The draws of one move, the same however often the move is decided."""

    __slots__ = ("_drawn", "_label", "_secret")

    def __init__(self, secret: bytes, game: str, move: int) -> None:
        self._secret = secret
        self._label = f"{game}|{move}|"
        self._drawn = 0

    def below(self, n: int) -> int:
        """Draw number k of this move: 256 bits modulo n, a bias far below one in 2^240."""
        self._drawn += 1
        message = f"{self._label}{self._drawn}".encode()
        return int.from_bytes(hmac.digest(self._secret, message, "sha256"), "big") % n


def shuffle(chance: Chance, items: MutableSequence[T]) -> None:
    """Fisher and Yates, from the last place down."""
    for last in range(len(items) - 1, 0, -1):
        other = chance.below(last + 1)
        items[last], items[other] = items[other], items[last]
