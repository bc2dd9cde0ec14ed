"""Drawing tickets by order, and keeping all of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action
from engine.notation import alone, not_understood, without
from engine.rules.tickets import DrawTickets, KeepTickets, tickets
from engine.state import State
from engine.text import shown
from engine.translate import say
from engine.wishes import PlainWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def _draw() -> Wish:
    return PlainWish("tickets", lambda rules, state, action: isinstance(action, DrawTickets))


@tickets.orders("tickets")
def order_draw(rules: "Ruleset", words: str) -> list[Wish]:
    alone("tickets", words)
    return [_draw()]


@tickets.orders("draw")
def order_draw_tickets(rules: "Ruleset", words: str) -> list[Wish]:
    if without(words, "some", "new", "more") not in ("ticket", "tickets"):
        raise Unreadable(not_understood(f"draw {shown(words)}", "draw tickets"))
    return [_draw()]


@tickets.orders("keep")
def order_keep(rules: "Ruleset", words: str) -> list[Wish]:
    """Only all of them: nobody knows yet which tickets will be offered."""
    if without(words, "them", "the", "tickets") != "all":
        raise Unreadable(
            say("Nobody knows which tickets will be offered: only “keep all” can be ordered.")
        )
    return [KeepAll("keep all")]


class KeepAll(Wish):
    """Keeping all tickets that are offered."""

    __slots__ = ()

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        keeps = [action for action in actions if isinstance(action, KeepTickets)]
        return [*sorted(keeps, key=lambda action: -len(action.keep))[:1]]
