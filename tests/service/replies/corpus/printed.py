"""Entries of the menu as an email prints them."""

from engine.menu import Entry
from service.views.menu_entries import titled
from workers.channels.mail.letters.entries import ways_in_words
from workers.channels.mail.letters.render import wrapped


def printed(number: int, entry: Entry, ticket: str = "") -> list[str]:
    """The lines of an entry, broken as in the text of an email."""
    ways = ways_in_words(entry)
    text = titled(entry) + (f": {ways}" if ways else "")
    text += f" – for your ticket {ticket}" if ticket else ""
    return wrapped(text, "     ", f"{number:3}. ").split("\n")
