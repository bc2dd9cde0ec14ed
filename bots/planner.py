"""How a planning bot answers each kind of decision; the default action is the fallback."""

from collections.abc import Callable

from bots.mind import Mind
from bots.style import Style
from bots.turns import cards, dice, passengers, technologies, tickets
from engine import Action, Decision, Ruleset, State, default_for
from engine.rules.cards import DrawSecondCard
from engine.rules.coloured_passengers import ChoosePassengers
from engine.rules.dice_purse import SpendDice
from engine.rules.dice_turn import FinishTurn
from engine.rules.passengers import ChoosePassengerCity
from engine.rules.ticket_mix import ChooseMix
from engine.rules.tickets import ChooseTickets
from engine.rules.tunnels import PaySurcharge
from engine.rules.turns import TakeTurn
from engine.values import Seat


def think(style: Style, rules: Ruleset, view: State, seat: Seat) -> Action:
    """Return the action of a bot with this style."""
    mind = Mind(rules, view, seat, style)
    if len(mind.actions) == 1:
        return mind.actions[0]
    answer = ANSWERS.get(type(mind.decision))
    return (answer(mind) if answer else None) or default_for(rules, view, seat)


def _choose(mind: Mind) -> Action | None:
    return tickets.keep(mind, mind.decision) if isinstance(mind.decision, ChooseTickets) else None


def _turn(mind: Mind) -> Action | None:
    if mind.situation.dice:
        return None
    return (
        technologies.buy(mind)
        or passengers.ride(mind)
        or cards.claim(mind)
        or cards.build(mind)
        or tickets.draw_tickets(mind)
        or cards.draw(mind)
        or cards.anything(mind)
        or passengers.last_ride(mind)
    )


ANSWERS: dict[type[Decision], Callable[[Mind], Action | None]] = {
    ChooseTickets: _choose,
    TakeTurn: _turn,
    DrawSecondCard: cards.draw,
    PaySurcharge: cards.pay,
    ChooseMix: tickets.mix,
    ChoosePassengerCity: passengers.place,
    ChoosePassengers: passengers.pick,
    SpendDice: dice.spend,
    FinishTurn: dice.finish,
}
