"""Checks the log of a finished game as docs/fairness.md describes, byte by byte.

What is checked: the commitment to the seed, the hash of every line, and what you kept from the
game. What is not: whether each draw follows from the seed and each move from the rules, for which
one needs the board; `nightmail verify` checks that, too.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Any

from nightmail_client.errors import InvalidLog

FORMAT = 1
SEED_BYTES = 32


@dataclass(frozen=True)
class VerifiedLog:
    """What a log proves."""

    game: str
    board: str
    variants: tuple[str, ...]
    seats: int
    commitment: str
    nonces: tuple[str, ...]
    """The texts that the players added, by place."""
    seed: bytes
    heads: tuple[str, ...]
    """The hash of every line."""
    is_abandoned: bool

    @property
    def moves(self) -> int:
        """How many moves the players made."""
        return len(self.heads) - 3


def verify_log(
    log: bytes,
    *,
    game: str | None = None,
    commitment: str | None = None,
    nonce: str | None = None,
    head: str | None = None,
) -> VerifiedLog:
    """Verify a log; raises `InvalidLog` with the line that is wrong.

    Pass what you kept: the game's id and its `commitment` from before you gave your `nonce`, and
    the `head` of any move. Without them a log of another game would pass as well.
    """
    records = [_record(line, number) for number, line in enumerate(_lines(log), 1)]
    opening, setup, closing = records[0], records[1], records[-1]
    _check_shape(records)
    seed = _seed(opening, closing, len(records))
    secret = digest(seed, _joined(setup["nonces"]), "sha256")
    heads = _chain(records, str(opening["game"]), secret)
    _check_kept("game", game, [opening["game"]])
    _check_kept("commitment", commitment, [opening["commitment"]])
    _check_kept("nonce", nonce, setup["nonces"])
    _check_kept("head", head, heads)
    return VerifiedLog(
        game=opening["game"],
        board=opening["board"],
        variants=tuple(opening["variants"]),
        seats=opening["seats"],
        commitment=opening["commitment"],
        nonces=tuple(setup["nonces"]),
        seed=seed,
        heads=tuple(heads),
        is_abandoned=closing.get("abandoned") is True,
    )


def _lines(log: bytes) -> list[str]:
    try:
        lines = log.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise InvalidLog("The log is not UTF-8.") from None
    if len(lines) < 3:
        raise InvalidLog("A log has at least three lines: opening, set-up and seed.")
    return lines


def _record(line: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line, object_pairs_hook=_without_repeats)
        _canonical(record)
    except (ValueError, RecursionError):
        raise InvalidLog("This is not JSON, or names a field twice.", number) from None
    if not isinstance(record, dict):
        raise InvalidLog("This is not a JSON object.", number)
    return record


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that names a field twice: readers might see different values."""
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError
    return record


FIELDS: Mapping[str, type] = {
    "game": str,
    "board": str,
    "variants": list,
    "seats": int,
    "commitment": str,
}


def _check_shape(records: list[dict[str, Any]]) -> None:
    """Check that the lines are what they should be, in the right order."""
    opening, *moves, closing = records
    if opening.get("format") != FORMAT:
        raise InvalidLog("Only logs of format 1 can be verified.", 1)
    if not all(isinstance(opening.get(name), kind) for name, kind in FIELDS.items()):
        raise InvalidLog("The first line must describe the game.", 1)
    for number, move in enumerate(moves):
        if move.get("move") != number:
            raise InvalidLog(f"This should be move {number}.", number + 2)
    nonces = moves[0].get("nonces")
    if not isinstance(nonces, list) or not all(isinstance(text, str) for text in nonces):
        raise InvalidLog("The set-up must have the nonces.", 2)
    if len(nonces) != opening["seats"]:
        raise InvalidLog("There must be a nonce for each seat.", 2)
    if "move" in closing or not isinstance(closing.get("seed"), str):
        raise InvalidLog("The last line must have the seed.", len(records))


def _seed(opening: Mapping[str, Any], closing: Mapping[str, Any], last: int) -> bytes:
    """Return the seed, if the commitment is to it."""
    try:
        seed = bytes.fromhex(closing["seed"])
    except ValueError:
        raise InvalidLog("The seed is not in hexadecimal.", last) from None
    if len(seed) != SEED_BYTES:
        raise InvalidLog("The seed must have 32 bytes.", last)
    if not compare_digest(sha256(seed).hexdigest().encode(), opening["commitment"].encode()):
        raise InvalidLog("The commitment is not to this seed.", 1)
    return seed


def _joined(nonces: list[str]) -> bytes:
    """Join the nonces, each after its length."""
    texts = [nonce.encode() for nonce in nonces]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def _chain(records: list[dict[str, Any]], game: str, secret: bytes) -> list[str]:
    """Check the hash of every line, and return them."""
    head, heads = b"", []
    for number, record in enumerate(records, 1):
        move = record.get("move")
        blind = b"" if move is None else digest(secret, f"{game}|{move}|0".encode(), "sha256")
        rest = {name: value for name, value in record.items() if name != "hash"}
        head = sha256(head + blind + _canonical(rest)).digest()
        if record.get("hash") != head.hex():
            raise InvalidLog("The hash does not fit the line and those before it.", number)
        heads.append(head.hex())
    return heads


def _canonical(record: Any) -> bytes:
    """Write JSON in the form that is hashed; raises `ValueError` for half a character."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _check_kept(name: str, kept: str | None, known: list[str]) -> None:
    if kept is not None and kept not in known:
        raise InvalidLog(f"The log does not have the {name} that you kept.")
