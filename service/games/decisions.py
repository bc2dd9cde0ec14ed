"""An open decision as a document, for the API, webhooks, pages and bots (contract 4)."""

from typing import Any

from engine import Option, default_for, options, question
from engine.codec import write
from engine.state import decision_of
from engine.values import Seat
from service.memory.positions import Position
from store.games.games import Table


def document(
    table: Table, position: Position, seat: Seat, since: str | None, deadline: str | None
) -> dict[str, Any] | None:
    """The open decision of this seat, with all its options; None if it has none."""
    rules, state = position.rules, position.state
    decision = decision_of(state.awaiting, seat)
    if decision is None:
        return None
    listed = options(rules, state, seat)
    default = default_for(rules, state, seat)
    return {
        "game": table.id,
        "title": table.title,
        "version": position.version,
        "seat": seat,
        "kind": decision.kind,
        "prompt": question(rules, state, decision),
        "since": since,
        "deadline": deadline,
        "options": [_option(n, option) for n, option in enumerate(listed, 1)],
        "default": listed.actions.index(default) + 1,
    }


def _option(n: int, option: Option) -> dict[str, Any]:
    action = write(option.action)
    payment = getattr(option.action, "payment", None)
    return {
        "n": n,
        "text": option.text,
        "label": option.label,
        "group": option.group,
        "action": action,
        "reveals": option.reveals,
        "spends": None if payment is None else str(payment),
    }
