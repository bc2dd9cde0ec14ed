"""The judge: what a seat's orders do at its decision.

A pure function of the rules, the seat's own view and its orders. It sees nothing that the seat
does not see, and the list of options decides what is legal. Each call makes one decision or stops.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import Refusal
from engine.kinds import Action, Decision
from engine.menu import menu
from engine.notation import read
from engine.options import Option, actions_for, capped, owed_by, question
from engine.orders.places import placed, places
from engine.orders.values import (
    IF_GONE,
    Finished,
    Orders,
    Play,
    Progress,
    Step,
    Stop,
    Task,
    Terms,
    Verdict,
)
from engine.orders.writing import written_step
from engine.purse import PaidWay
from engine.state import State
from engine.translate import say
from engine.values import Payment, Seat
from engine.wishes import Need, PaidWish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def check_orders(rules: "Ruleset", view: State, seat: Seat, orders: Orders, text: str) -> None:
    """Refuse orders with a step that is lost already, such as a claim of a route that is taken.

    What comes after a purchase is not checked, because it may make more possible.
    """
    for step, place in zip(orders.steps, places(rules, text), strict=True):
        if any(task.wish is not None and task.wish.free for task in step.tasks):
            return
        reasons = [
            task.paid.why_lost(rules, view, seat) if task.paid else "" for task in step.tasks
        ]
        if all(reasons):
            raise placed(Refusal("illegal", reasons[0]), place, text)


class _Now(NamedTuple):
    """A decision for which orders are judged."""

    rules: "Ruleset"
    view: State
    seat: Seat
    decision: Decision
    is_new_turn: bool

    @property
    def actions(self) -> tuple[Action, ...]:
        return actions_for(self.rules, self.view, self.decision)


class _Failed(NamedTuple):
    """A task that cannot be done now."""

    reason: str
    is_lost: bool = False
    """Whether collecting cannot help: the route is taken, or no such card lies in the market."""


_DONE = "done"
_Result = Action | _Failed | str
"""What a task comes to: an action, a failure, or `_DONE` without an action."""


def judge(
    rules: "Ruleset",
    view: State,
    seat: Seat,
    orders: Orders,
    progress: Progress,
    *,
    is_new_turn: bool,
) -> Verdict:
    """The next move of these orders, or why they stop.

    `is_new_turn` says that this seat has not yet moved in this turn.
    """
    now = _Now(rules, view, seat, owed_by(view, seat), is_new_turn)
    while progress.step < len(orders.steps):
        step = orders.steps[progress.step]
        verdict = None if _is_over(now, step, progress) else _tried(now, step, progress)
        if verdict is not None:
            return verdict
        progress = Progress(progress.step + 1)
    return _finished(now, progress) or Finished(progress)


def _is_over(now: _Now, step: Step, progress: Progress) -> bool:
    """Whether the limit of a step is reached; never in the middle of a turn that it has begun."""
    if progress.turns and not now.is_new_turn:
        return False
    if step.bound is not None and step.bound.is_reached(now.rules, now.view):
        return True
    return step.turns is not None and progress.turns >= step.turns


def _tried(now: _Now, step: Step, progress: Progress) -> Verdict | None:
    """The verdict of a step; None if it is done, and the next one is judged."""
    if now.rules.all("caps", type(now.decision)):
        return _surcharge(now, step, progress)
    if progress.pending is not None:
        task = step.tasks[progress.pending]
        if task.paid and task.paid.is_done(now.rules, now.view, now.seat):
            return None
        if not task.waits:
            return Stop(say("“{order}” has failed.", order=written_step(step)), progress)
        progress = progress._replace(pending=None)
    failed: _Failed | None = None
    for number, task in enumerate(step.tasks):
        if failed is not None and task.tried == IF_GONE and not failed.is_lost:
            continue
        result = _result(now, task)
        if isinstance(result, str):
            return None
        if not isinstance(result, _Failed):
            return Play(result, _after(now, step, number, result, progress))
        failed = failed if failed is not None and task.wish is None else result
    return _finished(now, progress) or Stop(failed.reason if failed else "", progress)


def _after(now: _Now, step: Step, number: int, action: Action, progress: Progress) -> Progress:
    """The progress after this move of a step."""
    task = step.tasks[number]
    turns = progress.turns + (now.is_new_turn or not progress.turns)
    makes_it = task.wish and task.wish.picks(now.rules, now.view, (action,))
    if task.only_collects or not makes_it or (step.repeats and not task.paid):
        return Progress(progress.step, turns)
    if task.paid and Option(now.rules, now.view, action).reveals:
        laid = _locomotives_in(now, action)
        return Progress(progress.step, turns, pending=number, locomotives=laid)
    return Progress(progress.step + 1)


def _surcharge(now: _Now, step: Step, progress: Progress) -> Verdict:
    """Pay a surcharge as far as the order allows, or give up; ask if it says nothing."""
    terms = Terms() if progress.pending is None else step.tasks[progress.pending].terms
    chosen = None
    if terms.surcharge is not None:
        chosen = capped(now.rules, now.view, now.seat, terms.surcharge)
    if chosen is not None and terms.locomotives is not None:
        laid = progress.locomotives + _locomotives_in(now, chosen)
        chosen = chosen if laid <= terms.locomotives else None
    if chosen is None:
        return Stop(question(now.rules, now.view, now.decision), progress)
    return Play(chosen, progress)


def _locomotives_in(now: _Now, action: Action) -> int:
    """How many locomotives or jokers an option pays."""
    for entry in menu(now.rules, now.view, now.seat):
        for way in entry.ways:
            if action in way.actions:
                return way.locomotives + way.actions.index(action)
    return 0


def _finished(now: _Now, progress: Progress) -> Play | None:
    """End a turn of which only optional steps are left."""
    for run in now.rules.all("finishes", type(now.decision)):
        if not now.is_new_turn:
            return Play(run(now.rules, now.view, now.decision), progress)
    return None


def _result(now: _Now, task: Task) -> _Result:
    """What a task comes to at this decision."""
    if task.wish is None:
        return _Failed(say("You wanted to be asked here."))
    if task.paid is not None:
        return _bought(now, task, task.paid)
    picks = task.wish.picks(now.rules, now.view, now.actions)
    return picks[0] if picks else _Failed(_why(now, task.wish.text), is_lost=True)


def _bought(now: _Now, task: Task, wish: PaidWish) -> _Result:
    """Pay for what is wished, or collect for it."""
    if wish.is_done(now.rules, now.view, now.seat):
        return _DONE
    action = _payable(now, task.terms, wish)
    if action is not None:
        return _DONE if task.only_collects else action
    if barred := wish.why_barred(now.rules, now.view, now.seat):
        return _Failed(barred, is_lost=True)
    if not (task.waits or task.only_collects):
        return _Failed(_why(now, _priced(task.terms, wish)))
    if task.meanwhile is not None:
        result = _result(now, task.meanwhile)
        if result != _DONE:
            return result
    return _collected(now, task.terms, wish)


def _collected(now: _Now, terms: Terms, wish: PaidWish) -> Action | _Failed:
    """The option with which the seat comes nearer to paying."""
    need = Need(tuple(wish.bills(now.rules, now.view, now.seat)), terms.paying)
    for run in now.rules.all("collects"):
        action: Action | None = run(now.rules, now.view, now.decision, now.actions, need)
        if action is not None:
            return action
    if not now.is_new_turn:  # a choice within a turn, such as where a passenger is to stand
        return _Failed(question(now.rules, now.view, now.decision))
    return _Failed(say("There is nothing to collect for “{order}” now.", order=wish.text))


def _payable(now: _Now, terms: Terms, wish: PaidWish) -> Action | None:
    """The option that buys what is wished on these terms, paid as thriftily as they allow."""
    purse = now.rules.purse
    for bill, options in wish.offers(now.rules, now.view, now.seat, now.actions):
        ways = purse.ways(bill, options)
        if terms.paying:
            payments = purse.read(terms.paying, ways)
        else:
            payments = [way.payments[0] for way in purse.unasked(ways)]
        for payment in payments:
            if payment in options and _is_within(terms, ways, payment):
                return options[payment]
    if not terms.paying:
        return None
    try:  # these very cards, which the list of options need not have
        return read(now.rules, now.view, now.seat, _priced(terms, wish))
    except Refusal:
        return None


def _is_within(terms: Terms, ways: Iterable[PaidWay], payment: Payment) -> bool:
    """Whether a payment has no more locomotives than the order allows."""
    if terms.locomotives is None:
        return True
    laid = [
        way.locomotives + way.payments.index(payment) for way in ways if payment in way.payments
    ]
    return min(laid, default=0) <= terms.locomotives


def _priced(terms: Terms, wish: PaidWish) -> str:
    return f"{wish.text} with {terms.paying}" if terms.paying else wish.text


def _why(now: _Now, text: str) -> str:
    """Why a move is not made now: what the rules say of it, or that the terms exclude it."""
    try:
        read(now.rules, now.view, now.seat, text)
    except Refusal as refusal:
        return refusal.sentence
    return say("“{order}” is possible now, but not on your terms.", order=text)
