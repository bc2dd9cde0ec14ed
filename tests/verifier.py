"""An independent check of a finished game, after docs/fairness.md; not a line is shared."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any


def verify(lines: list[str], facts: dict[str, Any]) -> int:
    """Check commitment and hash chain, and make every draw again; how many there were.

    `facts` are the map's: `deck`, how many of each card, purple … red, locomotive; `tickets` and
    `long`, in map order; `given`, locomotives dealt without a draw; `faces` of a die; `tunnels`,
    how many of a tunnel die's six sides.
    """
    opened, *moves, last = records = [json.loads(line) for line in lines]
    seed = bytes.fromhex(last["seed"])
    assert hashlib.sha256(seed).hexdigest() == opened["commitment"]
    nonces = [nonce.encode() for nonce in moves[0]["nonces"]]
    secret = hmac.digest(seed, b"".join(len(n).to_bytes(4, "big") + n for n in nonces), "sha256")
    head, drawn, discards = b"", 0, Counter[str]()
    for record in records:
        told = {key: value for key, value in record.items() if key != "hash"}
        text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        label = f"{opened['game']}|{record.get('move')}|"
        blind = hmac.digest(secret, f"{label}0".encode(), "sha256") if "move" in record else b""
        head = hashlib.sha256(head + blind + text.encode()).digest()
        assert record["hash"] == head.hex()
        k = 0
        for event in record.get("events", []):
            for pile, wanted in draws(event, facts, opened["seats"]):
                k, drawn = k + 1, drawn + 1
                value = hmac.digest(secret, f"{label}{k}".encode(), "sha256")
                assert wanted == pile[int.from_bytes(value, "big") % len(pile)]
            discards += discarded(event, facts)
            if event["type"] == "deck_reshuffled":
                facts["deck"] = Counter({c: n + discards[c] for c, n in facts["deck"].items()})
                discards = Counter()
    return drawn


def draws(event: Any, facts: dict[str, Any], seats: int) -> Iterator[Any]:
    """What this event drew: what it was drawn from, and what came."""
    kind = event["type"]
    if kind in ("game_started", "opening_closed"):  # Fisher and Yates, from the last place down
        mixed = event["seating"] if kind == "game_started" else event["under"]
        start = sorted(mixed) if kind == "game_started" else sorted(mixed, key=facts["all"].index)
        for at in range(len(mixed) - 1, 0, -1):
            yield start[: at + 1], mixed[at]
            other = start.index(mixed[at])
            start[at], start[other] = start[other], start[at]
    if kind == "tickets_offered":
        for at, ticket in enumerate(event["tickets"][: event["long"] + event["fresh"]]):
            pile = facts["long"] if at < event["long"] else facts["tickets"]
            yield pile, ticket
            pile.remove(ticket)
    if kind == "hand_dealt" and facts["given"] and facts["dealt"] < seats:
        facts["dealt"] += 1
        facts["deck"]["locomotive"] -= len(event["cards"])
        return
    cards = {"card_drawn": [event.get("card")], "card_taken": [event.get("replacement")]}
    several = ("hand_dealt", "market_filled", "cards_revealed", "cards_drawn")
    for card in filter(None, event["cards"] if kind in several else cards.get(kind, [])):
        yield list(facts["deck"].elements()), card
        facts["deck"][card] -= 1
    if kind in ("dice_rolled", "dice_rerolled"):
        for die in event.get("dice", range(1, len(event["faces"]) + 1)):
            yield facts["faces"], event["faces"][die - 1]
    if kind == "tunnel_dice_rolled":
        sides = ["tunnel"] * facts["tunnels"] + ["blank"] * (6 - facts["tunnels"])
        yield from ((sides, face) for face in event["faces"])


def discarded(event: Any, facts: dict[str, Any]) -> Counter[str]:
    """The cards that this event put on the discards."""
    kind, paid = event["type"], event.get("payment", {})
    gone = Counter({card: number for card, number in paid.items() if card in facts["deck"]})
    if kind == "cards_revealed":  # they lie aside until the tunnel is claimed or given up
        facts["aside"] += Counter(event["cards"])
    if kind in ("route_claimed", "tunnel_abandoned"):
        aside, facts["aside"] = facts["aside"], Counter()
        return gone + aside if kind == "route_claimed" else Counter(aside)
    if kind == "market_swept":
        return Counter(event["cards"])
    return gone if kind in ("station_built", "technology_bought") else Counter()
