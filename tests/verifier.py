"""An independent check of a finished card game, after docs/fairness.md; not a line is shared."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any


def verify(lines: list[str], deck: Counter[str], tickets: list[str]) -> int:
    """Check commitment and hash chain, and draw every card and ticket again; how many there were.

    `deck` counts the cards in the order purple … red, locomotive; `tickets` are in map order.
    """
    opened, *moves, last = records = [json.loads(line) for line in lines]
    seed = bytes.fromhex(last["seed"])
    assert hashlib.sha256(seed).hexdigest() == opened["commitment"]
    nonces = [nonce.encode() for nonce in moves[0]["nonces"]]
    secret = hmac.digest(seed, b"".join(len(n).to_bytes(4, "big") + n for n in nonces), "sha256")
    head, drawn, discards, fresh = b"", 0, Counter[str](), list(tickets)
    for record in records:
        told = {key: value for key, value in record.items() if key != "hash"}
        text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        label = f"{opened['game']}|{record.get('move')}|"
        blind = hmac.digest(secret, f"{label}0".encode(), "sha256") if "move" in record else b""
        head = hashlib.sha256(head + blind + text.encode()).digest()
        assert record["hash"] == head.hex()
        k = 0
        for event in record.get("events", []):
            for pile, wanted in draws(event, deck, fresh, tickets):
                k, drawn = k + 1, drawn + 1
                value = hmac.digest(secret, f"{label}{k}".encode(), "sha256")
                assert wanted == pile[int.from_bytes(value, "big") % len(pile)]
            discards += Counter(event.get("payment", {}))
            if event["type"] == "market_swept":
                discards += Counter(event["cards"])
            if event["type"] == "deck_reshuffled":
                deck, discards = Counter({c: deck[c] + discards[c] for c in deck}), Counter()
    return drawn


def draws(event: Any, deck: Counter[str], fresh: list[str], tickets: list[str]) -> Iterator[Any]:
    """What this event drew: the pile it came from, and what came."""
    kind = event["type"]
    if kind in ("game_started", "opening_closed"):  # Fisher and Yates, from the last place down
        mixed = event["seating"] if kind == "game_started" else event["under"]
        start = sorted(mixed) if kind == "game_started" else [t for t in tickets if t in mixed]
        for at in range(len(mixed) - 1, 0, -1):
            yield start[: at + 1], mixed[at]
            other = start.index(mixed[at])
            start[at], start[other] = start[other], start[at]
    if kind == "tickets_offered":
        for ticket in event["tickets"][: event["fresh"]]:
            yield fresh, ticket
            fresh.remove(ticket)
    cards = {"card_drawn": [event.get("card")], "card_taken": [event.get("replacement")]}
    cards |= dict.fromkeys(("hand_dealt", "market_filled"), event.get("cards", []))
    for card in filter(None, cards.get(kind, [])):
        yield list(deck.elements()), card
        deck[card] -= 1
