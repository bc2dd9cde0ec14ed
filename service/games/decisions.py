"""An open decision as a document, for the API, webhooks and bots."""

from typing import Any

from engine import Entry, Menu, Option, Ruleset, default_for, menu, options, question
from engine.codec import write, write_without
from engine.menu import Choice, Way, number_of
from engine.state import decision_of
from engine.values import Seat
from service.memory.positions import Position
from store.games.games import Table

Document = dict[str, Any]


def document(
    table: Table,
    position: Position,
    seat: Seat,
    since: str | None,
    deadline: str | None,
    *,
    all_options: bool = False,
) -> Document | None:
    """Return the open decision of this seat, with its menu; None if it has none.

    With `all_options` every option is listed as well, with all payments and selections.
    """
    rules, state = position.rules, position.state
    decision = decision_of(state.awaiting, seat)
    if decision is None:
        return None
    entries = menu(rules, state, seat)
    default = Option(rules, state, default_for(rules, state, seat))
    body = {
        "game": table.id,
        "title": table.title,
        "version": position.version,
        "seat": seat,
        "kind": decision.kind,
        "prompt": question(rules, state, decision),
        "since": since,
        "deadline": deadline,
        "menu": [_entry(number, entry) for number, entry in enumerate(entries, 1)],
        "ways": {
            way.key: _way(way, entry.field)
            for entry in entries
            if entry.field
            for way in entry.ways
        },
        "default": _option(rules, entries, default),
    }
    if all_options:
        listed = options(rules, state, seat)
        body["options"] = [_option(rules, entries, option) for option in listed]
    return body


def _entry(number: int, entry: Entry) -> Document:
    action = entry.choice.build(()) if entry.choice else entry.ways[0].action
    body: Document = {
        "n": number,
        "group": entry.group,
        "about": entry.about,
        "title": entry.title,
        "text": entry.text,
        "action": write_without(action, entry.field)[0],
        "costs": ", ".join(filter(None, (entry.costs, entry.note))),
        "points": entry.points,
        "reveals": entry.reveals,
        "ways": [way.key for way in entry.ways] if entry.field else [],
    }
    if entry.choice:
        body["choice"] = _choice(entry.field, entry.choice)
    return body


def _way(way: Way, field: str) -> Document:
    return {
        "text": way.text,
        "label": way.label,
        "fill": write_without(way.action, field)[1],
        "locomotives": way.locomotives,
        "most_locomotives": way.most_locomotives,
    }


def _choice(field: str, choice: Choice) -> Document:
    return {
        "field": field,
        "least": choice.least,
        "most": choice.most,
        "things": [thing._asdict() for thing in choice.things],
    }


def _option(rules: Ruleset, entries: Menu, option: Option) -> Document:
    return {
        "entry": number_of(rules, entries, option.action),
        "text": option.text,
        "label": option.label,
        "action": write(option.action),
    }
