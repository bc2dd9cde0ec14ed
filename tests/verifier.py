"""Checks a finished game as docs/fairness.md describes, without any code of the engine."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from hmac import digest
from itertools import count
from typing import Any

Drawn = Callable[[Sequence[Any]], Any]
More = Callable[[Any, Drawn, Counter[str], Counter[str]], bool]


def verify(lines: list[str], deck: Counter[str], tickets: list[str], more: More) -> None:
    """Check commitment and hash chain, and make every draw of the game again.

    `deck` counts the cards in the order purple … red, locomotive; `tickets` are in map order.
    `more` is asked about each event first: it deals with what the USA board does not have.
    """
    opened, *moves, last = records = [json.loads(line) for line in lines]
    seed, head, fresh, discards = bytes.fromhex(last["seed"]), b"", list(tickets), Counter[str]()
    assert sha256(seed).hexdigest() == opened["commitment"]
    nonces = [text.encode() for text in moves[0]["nonces"]]
    secret = digest(seed, b"".join(len(n).to_bytes(4, "big") + n for n in nonces), "sha256")

    def drawn(pile: Sequence[Any]) -> Any:
        return pile[int.from_bytes(next(chance), "big") % len(pile)]

    for record in records:
        label = f"{opened['game']}|{record.get('move')}|"
        chance = (digest(secret, f"{label}{k}".encode(), "sha256") for k in count())
        blind = next(chance) if "move" in record else b""
        unsigned = {key: value for key, value in record.items() if key != "hash"}
        text = json.dumps(unsigned, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head + blind + text.encode()).digest()
        assert record["hash"] == head.hex()
        for event in record.get("events", []):
            kind = event["type"]
            if more(event, drawn, deck, discards):
                continue
            if kind in ("game_started", "opening_closed"):
                mixed = event["seating"] if kind == "game_started" else event["under"]
                some = sorted(mixed, key=[0, 1, 2, 3, 4, *tickets].index)
                assert mixed == (some if kept(opened, kind) else shuffled(some, drawn))
            for ticket in event["tickets"][: event["fresh"]] if kind == "tickets_offered" else []:
                assert ticket == drawn(fresh)
                fresh.remove(ticket)
            dealt = kind in ("hand_dealt", "market_filled")
            for card in filter(None, event["cards"] if dealt else [event.get(NEW.get(kind))]):
                assert card == drawn(list(deck.elements()))
                deck[card] -= 1
            discards.update(event["cards"] if kind == "market_swept" else event.get("payment", {}))
            if kind == "deck_reshuffled":
                deck.update(discards)
                discards.clear()


def kept(opened: dict[str, Any], kind: str) -> bool:
    """Whether this is the seating of a game whose seats were not drawn by lot."""
    return kind == "game_started" and opened.get("seating") == "kept"


NEW = {"card_drawn": "card", "card_taken": "replacement", "locomotive_taken": "replacement"}


def shuffled(some: list[Any], drawn: Drawn) -> list[Any]:
    """Fisher and Yates, from the last place down."""
    for at in range(len(some) - 1, 0, -1):
        other = drawn(range(at + 1))
        some[at], some[other] = some[other], some[at]
    return some
