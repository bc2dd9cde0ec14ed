"""The page of an action link while it is open: one entry of the menu, or all of them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from engine import Chosen, Ruleset, chosen, text_of
from engine.choosing import how_many
from engine.display import title_of
from engine.kinds import Action
from engine.translate import say
from engine.values import Seat
from service.desk import Desk
from service.links import signed_links
from service.links.link_state import Payload
from service.memory.positions import Position
from service.views.menu_entries import NumberedEntry, titled

Page = dict[str, Any]

NONE = "none"
"""The value of the box that chooses no thing, where that is allowed."""


class Answer(NamedTuple):
    """What was chosen in the form of an entry."""

    choice: str = ""
    """The text of the way that was chosen."""
    things: tuple[str, ...] = ()
    """The values of the boxes that were ticked."""
    locomotives: str = ""
    """With how many locomotives or jokers to pay; empty for the fewest."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was chosen."""
        return not (self.choice or self.things)


def find(entries: Sequence[NumberedEntry], text: str) -> NumberedEntry | None:
    """The entry with this text; None for all of them, and for a text of an older letter."""
    return next((one for one in entries if one.entry.text == text), None)


def entry_page(rules: Ruleset, one: NumberedEntry) -> Page:
    """One entry, with its ways or its things to choose from."""
    entry = one.entry
    page: Page = {"heading": titled(entry), "reveals": entry.reveals, "ways": [], "things": []}
    if entry.choice:
        page["how_many"] = how_many(entry.choice)
        page["things"] = [_thing(thing.value, thing.title) for thing in entry.choice.things]
        if not entry.choice.least:
            page["things"].append(_thing(NONE, say("None of them")))
        return page
    page["ways"] = [
        {
            "text": text_of(rules, way.action),
            "label": way.label or entry.title,
            "costs": entry.field == "payment",
        }
        for way in entry.ways
    ]
    ranges = [way for way in entry.ways if len(way.actions) > 1]
    if ranges:
        least = min(way.locomotives for way in entry.ways)
        page["locomotives"] = (least, max(way.most_locomotives for way in ranges))
    return page


def _thing(value: str | int, title: str) -> Page:
    return {"value": str(value), "title": title}


def menu_page(
    desk: Desk, rules: Ruleset, payload: Payload, entries: Sequence[NumberedEntry]
) -> Page:
    """All entries by what is done, each with the link to its own page."""
    texts = [one.entry.text for one in entries]
    place = payload["game"], payload["seat"], payload["asked"]
    links = signed_links.actions(desk, *place, texts)
    groups = [
        {
            "title": title_of(rules, verb),
            "entries": [
                {
                    "number": one.number,
                    "title": titled(one.entry),
                    "ways": [way.label for way in one.entry.ways if way.label],
                    "token": links[one.entry.text].rpartition("/")[2],
                }
                for one in same
            ],
        }
        for verb, same in groupby(entries, lambda one: one.entry.group)
    ]
    return {"heading": say("All your moves"), "groups": groups}


def action_of(position: Position, seat: Seat, one: NumberedEntry, answer: Answer) -> Action:
    """The action that an answer to the form of an entry means; raises a Refusal if it is none."""
    entry, rules, state = one.entry, position.rules, position.state
    if entry.choice:
        known = {str(thing.value): thing.value for thing in entry.choice.things}
        ticked = () if answer.things == (NONE,) and not entry.choice.least else answer.things
        things = tuple(known.get(value, value) for value in ticked)
        return chosen(rules, state, seat, Chosen(one.number, things=things))
    way = next(way for way in entry.ways if text_of(rules, way.action) == answer.choice)
    locomotives = _number(answer.locomotives)
    return chosen(rules, state, seat, Chosen(one.number, way.text or None, locomotives))


def offers(rules: Ruleset, one: NumberedEntry, answer: Answer) -> bool:
    """Whether an answer names one of the entry's ways, or any things if it has some."""
    entry = one.entry
    if entry.choice:
        return bool(answer.things)
    return answer.choice in [text_of(rules, way.action) for way in entry.ways]


def _number(text: str) -> int | None:
    """A number that was typed; None for none. Anything else is no number of locomotives."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
