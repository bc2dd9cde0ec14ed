"""Answers from the menu of a decision."""

from collections.abc import Sequence
from typing import Any

from nightmail_client import models


def answer(
    entry: models.Entry,
    *,
    way: str | None = None,
    locomotives: int | None = None,
    things: Sequence[Any] | None = None,
) -> models.ChooseRequest:
    """Return what `POST …/moves` takes as `choose`; completes what was left open."""
    body: models.ChooseRequest = {"entry": entry["n"]}
    if entry["ways"]:
        body["way"] = way or entry["ways"][0]
        if locomotives is not None:
            body["locomotives"] = locomotives
    if choice := entry.get("choice"):
        values = [thing["value"] for thing in choice["things"]]
        body["things"] = values[: choice["least"]] if things is None else list(things)
    return body


def is_same(decision: models.Decision, other: models.Decision) -> bool:
    """Whether two decisions of a game are one, read at different versions of the game."""
    return (
        decision["seat"] == other["seat"]
        and decision["kind"] == other["kind"]
        and decision["since"] == other["since"]
        and decision["menu"] == other["menu"]
        and decision["ways"] == other["ways"]
    )
