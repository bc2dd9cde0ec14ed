"""Explains moves that are sent in a form close to the right one."""

from collections.abc import Mapping
from typing import Any

FORMS = ("action", "text", "choose")
"""The fields of a move, of which a body has exactly one."""


def slip_in_move(body: Any) -> str | None:
    """Say what to send instead of this body; None if its form is right or not known."""
    if not isinstance(body, Mapping):
        return None
    if isinstance(version := body.get("version"), int):
        return f'“version” is not part of the body; send it as a header: If-Match: "{version}".'
    if _is_entry(body):
        return _entry_sent(body)
    if "type" in body and not body.keys() & set(FORMS):
        return "This is an action by itself; send it as {“action”: {…}}."
    for form in FORMS:
        if isinstance(given := body.get(form), Mapping) and _is_entry(given):
            return _entry_sent(given)
    return _slip_in_choice(body.get("choose"))


def _slip_in_choice(choice: Any) -> str | None:
    """Say how to write a choice from the menu."""
    if isinstance(choice, int) and not isinstance(choice, bool):
        return f"“choose” must be an object: {{“choose”: {{“entry”: {choice}}}}}."
    if not isinstance(choice, Mapping):
        return None
    if isinstance(entry := choice.get("entry"), Mapping) and _is_entry(entry):
        return _entry_sent(entry)
    if isinstance(choice.get("way"), Mapping):
        return "“way” must be one of the texts in the entry's “ways”, not the whole way."
    return None


def _is_entry(value: Mapping[str, Any]) -> bool:
    """Check whether this is an entry of a menu as a decision lists it."""
    return isinstance(value.get("n"), int) and {"title", "ways"} <= value.keys()


def _entry_sent(entry: Mapping[str, Any]) -> str:
    parts = [f"“entry”: {entry['n']}"]
    if entry.get("ways"):
        parts.append("“way”: one of its “ways”")
    if entry.get("choice"):
        parts.append("“things”: some values of its “choice”")
    return (
        "This is a whole entry of the menu; send only its number, and what you choose: "
        f"{{“choose”: {{{', '.join(parts)}}}}}."
    )
