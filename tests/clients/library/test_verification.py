import json
import random
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from engine import Game
from nightmail_client import InvalidLog, verify_log
from service.boards.atlas import ruleset

SEED = bytes(range(32))
NONCES = ("ada", "Zürich")


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The log of a whole game on the board of USA, with nonces."""
    game = Game(ruleset("usa", seats=2), id="g1", seed=SEED, nonces=NONCES)
    rng = random.Random(1)
    while game.awaited:
        seat = game.awaited[0]
        options = list(game.options(seat))
        claims = [option for option in options if option.text.startswith("claim")]
        game.play(seat, rng.choice(claims or options).action)
    return game.lines()


def log_of(lines: list[str]) -> bytes:
    """The bytes of a log, as the service publishes it."""
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_log_of_the_engine_verifies(lines: list[str]) -> None:
    """What the engine writes fits what docs/fairness.md describes, with the vectors given there."""
    head = json.loads(lines[7])["hash"]
    log = verify_log(log_of(lines), game="g1", nonce="Zürich", head=head)

    assert "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd" == log.commitment
    assert ("g1", "usa", (), 2) == (log.game, log.board, log.variants, log.seats)
    assert (NONCES, SEED) == (log.nonces, log.seed)
    assert len(lines) - 3 == log.moves


Change = Callable[[list[dict[str, Any]]], object]


def _swap(records: list[dict[str, Any]]) -> None:
    records[5], records[6] = records[6], records[5]


FORGERIES: dict[str, tuple[Change, int]] = {
    "another card": (lambda log: log[9]["events"].append({"type": "card_drawn"}), 10),
    "another action": (lambda log: log[4].update(action={"type": "draw_blind"}), 5),
    "another nonce": (lambda log: log[1]["nonces"].__setitem__(0, "adb"), 2),
    "another board": (lambda log: log[0].update(board="europe"), 1),
    "another seed": (lambda log: log[-1].update(seed="00" * 32), 1),
    "a short seed": (lambda log: log[-1].update(seed="00"), -1),
    "a seed that is none": (lambda log: log[-1].update(seed="zz" * 32), -1),
    "a missing seed": (lambda log: log[-1].pop("seed"), -1),
    "a missing line": (lambda log: log.pop(8), 9),
    "lines in another order": (_swap, 6),
    "a game that goes on": (lambda log: log.pop(), -1),
    "another head": (lambda log: log[20].update(hash="0" * 64), 21),
    "no head": (lambda log: log[20].pop("hash"), 21),
    "another last line": (lambda log: log[-1].update(abandoned=True), -1),
    "another format": (lambda log: log[0].update(format=2), 1),
    "too few nonces": (lambda log: log[1]["nonces"].pop(), 2),
    "a field that is no text": (lambda log: log[0].update(game=7), 1),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_log_is_refused(lines: list[str], name: str) -> None:
    """Any change is found, and its line is named."""
    change, line = FORGERIES[name]
    records = [json.loads(text) for text in lines]
    change(records)
    with pytest.raises(InvalidLog) as invalid:
        verify_log(log_of([json.dumps(record, ensure_ascii=False) for record in records]))

    assert (line if line > 0 else len(records)) == invalid.value.line


def test_a_log_with_hashes_of_its_own_needs_the_secret(lines: list[str]) -> None:
    """A chain that was made anew without the blinds is refused."""
    records = [json.loads(text) for text in lines]
    head = b""
    for record in records:
        del record["hash"]
        text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head + text.encode()).digest()
        record["hash"] = head.hex()
    with pytest.raises(InvalidLog, match="Line 2"):
        verify_log(log_of([json.dumps(record) for record in records]))


@pytest.mark.parametrize(
    "kept",
    [{"game": "g2"}, {"commitment": "0" * 64}, {"nonce": "adam"}, {"head": "0" * 64}],
)
def test_a_log_of_another_game_is_refused(lines: list[str], kept: dict[str, str]) -> None:
    """A valid log must be that of the game that was played."""
    with pytest.raises(InvalidLog, match="that you kept"):
        verify_log(log_of(lines), **kept)


COMMITTED_TO_NO_HASH = (
    b'{"format": 1, "game": "g", "board": "usa", "variants": [], "seats": 2, '
    b'"commitment": "\\u00e9"}\n{"move": 0, "nonces": ["", ""]}\n{"seed": "%s"}\n' % (b"00" * 32)
)


@pytest.mark.parametrize(
    "log",
    [
        b"",
        b"\xff\n\n\n",
        b"1\n2\n3\n",
        b"{}\n{}\n{}\n",
        b'{"a": 1, "a": 1}\n{}\n{}\n',
        b"[" * 100_000 + b"\n{}\n{}\n",
        b'{"format": "\\ud800"}\n{}\n{}\n',
        COMMITTED_TO_NO_HASH,
    ],
    ids=range(8),
)
def test_anything_else_is_refused(log: bytes) -> None:
    """Whatever is no log gets a clear error."""
    with pytest.raises(InvalidLog):
        verify_log(log)
