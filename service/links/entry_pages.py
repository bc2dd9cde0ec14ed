"""The page of an action link while it is open: one entry of the menu, or all of them."""

from collections.abc import Sequence
from typing import Any

from engine import Ruleset
from engine.translate import say
from service.desk import Desk
from service.games.menu_forms import MenuForm
from service.links import signed_links
from service.links.link_state import Payload
from service.views.menu_sections import Item, Section, locomotives_for

Page = dict[str, Any]

NONE = "none"
"""The value of the box that chooses no thing, where that is allowed."""


def find(sections: Sequence[Section], text: str) -> Item | None:
    """Return the entry with this text; None for all of them, and for a text of an older letter."""
    items = (item for section in sections for item in section.items)
    return next((item for item in items if item.entry.text == text), None)


def entry_page(rules: Ruleset, item: Item) -> Page:
    """Return one entry, with its ways or its things to choose from."""
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
            "choice": item.choice(way),
            "label": way.label or entry.title,
            "costs": entry.field == "payment",
        }
        for way in entry.ways
    ]
    return page | {"locomotives": locomotives_for(rules, [entry])}


def _thing(value: str | int, title: str) -> Page:
    return {"value": str(value), "title": title}


def menu_page(desk: Desk, payload: Payload, sections: Sequence[Section]) -> Page:
    """Return all entries by what is done, each with the link to its own page."""
    texts = [item.entry.text for section in sections for item in section.items]
    place = payload["game"], payload["seat"], payload["asked"]
    links = signed_links.actions(desk, *place, texts)
    tokens = {text: link.rpartition("/")[2] for text, link in links.items()}
    return {"heading": say("All your moves"), "sections": sections, "tokens": tokens}


def answered(item: Item, form: MenuForm) -> MenuForm | None:
    """Return the form with the entry of its link; None if it names no way or thing of it."""
    choice = item.entry.choice
    if choice is None:
        ways = [item.choice(way) for way in item.entry.ways]
        return form if form.choice in ways else None
    if form.choice or not form.things:
        return None
    is_none = form.things == (NONE,) and not choice.least
    return form._replace(choice=str(item.n), things=() if is_none else form.things)
