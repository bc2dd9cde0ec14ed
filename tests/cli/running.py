"""Runs commands in tests, and provides a finished game for them."""

import hashlib
import json
from functools import lru_cache
from typing import Any

from click.testing import CliRunner, Result

from cli.main import nightmail
from engine.chance import blind_of, secret_of
from engine.log import canonical
from service.boards import atlas
from service.games.bots.selfplay import Series

Record = dict[str, Any]


def run(*words: str, given: bytes | None = None) -> Result:
    """Run a command, and return its result; an unexpected exception is raised again."""
    result = CliRunner().invoke(nightmail, words, input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@lru_cache(maxsize=1)
def finished() -> tuple[str, ...]:
    """The lines of a finished game of three seats on the USA board."""
    return tuple(Series(atlas.ruleset("usa", (), 3), "tests").play(1).lines())


def records() -> list[Record]:
    """The same lines, parsed anew so that a test can change them."""
    return [json.loads(line) for line in finished()]


def written(lines: list[Record] | list[str]) -> bytes:
    """Lines as the bytes of a file."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return "".join(f"{line}\n" for line in texts).encode()


def rehashed(lines: list[Record]) -> list[Record]:
    """The lines with matching hashes, as a forger who knows the seed would make them."""
    secret = secret_of(bytes.fromhex(lines[-1]["seed"]), lines[1]["nonces"])
    head, made = b"", []
    for line in lines:
        record = {key: value for key, value in line.items() if key != "hash"}
        blind = blind_of(secret, lines[0]["game"], record["move"]) if "move" in record else b""
        head = hashlib.sha256(head + blind + canonical(record)).digest()
        made.append({**record, "hash": head.hex()})
    return made


def line_with(kind: str) -> int:
    """The number of the first line that holds an event of this kind."""
    for number, record in enumerate(records(), 1):
        if any(event["type"] == kind for event in record.get("events", ())):
            return number
    raise LookupError(kind)
