"""Decisions, their menus, and what moves have caused, as text."""

from collections.abc import Iterator
from typing import Any

from cli.mcp.others_words import plain, quoted

Json = dict[str, Any]
HOW_TO_ANSWER = (
    "Answer with make_move: this game and version, and either `entry` with the `way` or `things` "
    "that its line names, or `text`, such as the text of an entry followed by what is paid. A way "
    "ending in +2 can be paid with up to two locomotives more; `locomotives` says with how many."
)


def decision_line(decision: Json) -> str:
    """Return a decision in one line."""
    return (
        f"{decision['game']} {quoted(decision['title'])}: version {decision['version']}, "
        f"seat {decision['seat']}{_deadline(decision)}. {plain(decision['prompt'])}"
    )


def menu_text(decision: Json) -> str:
    """Return a decision with its whole menu."""
    lines = [decision_line(decision), "", "Menu"]
    lines += map(_entry, decision["menu"])
    lines += ["", f"Played if you do nothing in time: {plain(decision['default']['label'])}."]
    return "\n".join([*lines, HOW_TO_ANSWER])


def events_text(events: list[Json]) -> list[str]:
    """Return what happened, a line for each event that has a sentence."""
    return [f"{row['seq']}. {quoted(row['sentence'])}" for row in events if row["sentence"]]


def message_line(message: Json) -> str:
    """Return a message at the table, with its author."""
    seat = "a former player" if message["seat"] is None else f"seat {message['seat']}"
    author = f"{seat} {quoted(message['name'])}"
    return f"{message['number']}. {author} at {message['at']}: {quoted(message['text'])}"


def _deadline(decision: Json) -> str:
    return f", until {decision['deadline']}" if decision["deadline"] else ", without a deadline"


def _entry(entry: Json) -> str:
    return f"{entry['n']}. {plain(entry['title'])} ({'; '.join(_details(entry))})"


def _details(entry: Json) -> Iterator[str]:
    yield f"text: {entry['text']}"
    if entry["costs"]:
        yield f"costs {plain(entry['costs'])}"
    if entry["points"]:
        yield f"points {entry['points']}"
    if entry["reveals"]:
        yield "depends on chance"
    if entry["ways"]:
        yield f"way: {' or '.join(f'“{key}”' for key in entry['ways'])}"
    if choice := entry.get("choice"):
        things = ", ".join(f"{row['value']} = {plain(row['title'])}" for row in choice["things"])
        yield f"choose {choice['least']} to {choice['most']} things: {things}"
