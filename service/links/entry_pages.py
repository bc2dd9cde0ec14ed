"""The page of an action link while it is open: one entry of the menu, or all of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import Chosen, Ruleset, chosen, text_of
from engine.kinds import Action
from engine.translate import say
from engine.values import Seat
from service.desk import Desk
from service.links import signed_links
from service.links.link_state import Payload
from service.memory.positions import Position
from service.views.menu_sections import Item, Section, locomotives_for

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


def find(sections: Sequence[Section], text: str) -> Item | None:
    """The entry with this text; None for all of them, and for a text of an older letter."""
    items = (item for section in sections for item in section.items)
    return next((item for item in items if item.entry.text == text), None)


def entry_page(rules: Ruleset, item: Item) -> Page:
    """One entry, with its ways or its things to choose from."""
    entry = item.entry
    page: Page = {"heading": entry.title, "details": item.details, "reveals": entry.reveals}
    page |= {"item": item, "ways": [], "things": []}
    if entry.choice:
        page["how_many"] = item.how_many
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
    return page | {"locomotives": locomotives_for(rules, [entry])}


def _thing(value: str | int, title: str) -> Page:
    return {"value": str(value), "title": title}


def menu_page(desk: Desk, payload: Payload, sections: Sequence[Section]) -> Page:
    """All entries by what is done, each with the link to its own page."""
    texts = [item.entry.text for section in sections for item in section.items]
    place = payload["game"], payload["seat"], payload["asked"]
    links = signed_links.actions(desk, *place, texts)
    tokens = {text: link.rpartition("/")[2] for text, link in links.items()}
    return {"heading": say("All your moves"), "sections": sections, "tokens": tokens}


def action_of(position: Position, seat: Seat, item: Item, answer: Answer) -> Action:
    """The action that an answer to the form of an entry means; raises a Refusal if it is none."""
    entry, rules, state = item.entry, position.rules, position.state
    if entry.choice:
        known = {str(thing.value): thing.value for thing in entry.choice.things}
        ticked = () if answer.things == (NONE,) and not entry.choice.least else answer.things
        things = tuple(known.get(value, value) for value in ticked)
        return chosen(rules, state, seat, Chosen(item.n, things=things))
    way = next(way for way in entry.ways if text_of(rules, way.action) == answer.choice)
    locomotives = _number(answer.locomotives)
    return chosen(rules, state, seat, Chosen(item.n, way.text or None, locomotives))


def offers(rules: Ruleset, item: Item, answer: Answer) -> bool:
    """Whether an answer names one of the entry's ways, or any things if it has some."""
    entry = item.entry
    if entry.choice:
        return bool(answer.things)
    return answer.choice in [text_of(rules, way.action) for way in entry.ways]


def _number(text: str) -> int | None:
    """A number that was typed; None for none. Anything else is no number of locomotives."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
