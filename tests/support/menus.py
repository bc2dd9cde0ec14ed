"""Answers made from the menu of a decision alone, as a client without rules makes them."""

import random
from typing import Any

Json = dict[str, Any]


def preferred(decision: Json, rng: random.Random, *groups: str) -> Json:
    """An entry of one of these groups if there is one, otherwise any entry."""
    entries: list[Json] = decision["menu"]
    return rng.choice([entry for entry in entries if entry["group"] in groups] or entries)


def by_choice(entry: Json, rng: random.Random) -> Json:
    """A request that chooses this entry, with one of its ways or some of its things."""
    answer = {"entry": entry["n"]}
    if entry["ways"]:
        answer["way"] = rng.choice(entry["ways"])
    if entry.get("choice"):
        answer["things"] = _some(entry["choice"], rng)
    return {"choose": answer}


def by_action(decision: Json, entry: Json, rng: random.Random) -> Json:
    """A request with the entry's action, completed by a way or by chosen things."""
    action = dict(entry["action"])
    if entry["ways"]:
        action |= decision["ways"][rng.choice(entry["ways"])]["fill"]
    if entry.get("choice"):
        action[entry["choice"]["field"]] = _some(entry["choice"], rng)
    return {"action": action}


def any_form(decision: Json, rng: random.Random, *groups: str) -> Json:
    """A request for an entry of these groups, if possible, in one of the forms."""
    entry = preferred(decision, rng, *groups)
    return by_choice(entry, rng) if rng.random() < 0.5 else by_action(decision, entry, rng)


def _some(choice: Json, rng: random.Random) -> list[Any]:
    values = [thing["value"] for thing in choice["things"]]
    return rng.sample(values, rng.randint(choice["least"], choice["most"]))
