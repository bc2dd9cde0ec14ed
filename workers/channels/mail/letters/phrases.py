"""What letters say that takes more than a text: subjects, deadlines, and how to answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from engine import Board, Goal
from engine.text import listed, shortened, together
from engine.translate import say, says
from engine.values import Route
from pictures import Scene
from service.i18n import dates
from service.i18n.catalogue import sayable
from service.replies import quoting

LONGEST_SUBJECT = 140
MOST_OPEN = 6
"""Tickets of which a letter says what they lack; the others are only named."""
MOST_LACKING = 6
"""Routes of such a ticket that are named; all of them if that leaves out only one."""


def marker() -> str:
    """Return the line below which everything in an answer is ours."""
    return f"--- {say(quoting.MARKER)} ---"


def answering() -> tuple[str, ...]:
    """Return how a reply is read."""
    return (
        say("Reply to this mail, and write above the marked line. Each line is one thing."),
        say("Several lines are done in their order, as far as they are accepted."),
        say("You can also write: help, status, board, hand, history, say Hello, or stop"),
        say("Or follow the link of a move. Opening it plays nothing; its page asks."),
    )


def answering_several() -> tuple[str, ...]:
    """Return how a reply about several games is read."""
    return (
        say("Reply to this mail, and write above the marked line. Each line is one thing."),
        say("Begin each move with the letter of its game. One reply can answer several games."),
        say("Lines for the same game are done in their order, as far as they are accepted."),
        say("You can also write: A status, A resign, help, or absence 3 Jul - 10 Jul"),
        say("Or follow the link of a move. Opening it plays nothing; its page asks."),
    )


def until(deadline: datetime, now: datetime, time_zone: str) -> str:
    """Return a request to answer before the deadline, or that it has passed."""
    left, moment = deadline - now, dates.letter_time(deadline, time_zone)
    if left <= timedelta(0):
        return say("The time ran out on {moment}.", moment=moment)
    return say(
        "Please answer before {moment}: {span} after this mail was sent.",
        moment=moment,
        span=dates.duration(left),
    )


def news(headline: str, prompt: str, deadline: datetime | None, now: datetime) -> str:
    """Return the latest news, or else the question, and the time left; for lists of letters."""
    headline = headline or say("{prompt}.", prompt=brief(prompt))
    if deadline is None or deadline <= now:
        return headline
    left = say("You have {span}.", span=dates.duration(deadline - now))
    return together(headline, left)


def tickets_held(board: Board, goals: Sequence[Goal], most: int | None = None) -> tuple[str, ...]:
    """Return the tickets of a seat: what each open one lacks, which are done, and which are lost.

    Only of the nearest `most` it is said what they lack, by default of MOST_OPEN.
    """
    reachable = [goal for goal in goals if not goal.done and goal.missing is not None]
    nearest = sorted(reachable, key=lambda goal: _trains(board, goal))[: most or MOST_OPEN]
    lines = [
        say("{ticket}: missing {routes}", ticket=_worth(goal), routes=_lacking(board, goal))
        for goal in reachable
        if goal in nearest
    ]
    blocked = [goal for goal in goals if not goal.done and goal.missing is None]
    further = [
        (sayable("Also open: {tickets}"), [goal for goal in reachable if goal not in nearest]),
        (sayable("No free way is left: {tickets}"), [goal for goal in blocked if not goal.lost]),
        (
            sayable("Cannot be completed any more: {tickets}"),
            [goal for goal in blocked if goal.lost],
        ),
        (sayable("Done: {tickets}"), [goal for goal in goals if goal.done]),
    ]
    lines += [say(text, tickets=", ".join(map(_worth, group))) for text, group in further if group]
    return tuple(lines)


def _worth(goal: Goal) -> str:
    return f"{goal.name} ({goal.worth})"


def _trains(board: Board, goal: Goal) -> int:
    return sum(board.routes[id].length for id in goal.missing or ())


def _lacking(board: Board, goal: Goal) -> str:
    """Return the routes that a ticket lacks, by their cities; twins count as one."""
    routes = [board.routes[id] for id in goal.missing or ()]
    names = [_between(board, route) for route in routes]
    if len(names) > MOST_LACKING + 1:
        rest = len(names) - MOST_LACKING
        names = [*names[:MOST_LACKING], says("{n} more route", "{n} more routes", rest)]
    return listed(names)


def _between(board: Board, route: Route) -> str:
    return "–".join(board.cities[city].name for city in route.cities)


def routes_claimed(board: Board, scene: Scene) -> tuple[str, ...]:
    """Return the routes that each player has claimed, by their cities."""
    by_seat = [
        [board.routes[id] for id, owners in scene.claimed.items() if seat in owners]
        for seat in range(len(scene.names))
    ]
    lines = [
        say(
            "{name} ({colour}): {routes}",
            name=scene.names[seat],
            colour=scene.looks[seat].spoken,
            routes=", ".join(_between(board, route) for route in routes),
        )
        for seat, routes in enumerate(by_seat)
        if routes
    ]
    return tuple(lines) or (say("No routes are claimed yet."),)


def tickets_of(name: str, done: Sequence[str], failed: Sequence[str]) -> str:
    """Return what became of somebody's tickets."""
    return say(
        "{name}: completed {done}; failed {failed}.",
        name=name,
        done=", ".join(done) or say("none"),
        failed=", ".join(failed) or say("none"),
    )


def subject(title: str, topic: str) -> str:
    """Return the subject of a letter about one game."""
    return shortened(f"{title}: {topic}", LONGEST_SUBJECT)


def turn_subject(title: str, prompt: str) -> str:
    """Return the subject of a letter about one decision."""
    return subject(title, brief(prompt))


def reminder_subject(title: str, prompt: str) -> str:
    """Return the subject of a reminder of a decision."""
    return subject(title, say("reminder: {prompt}", prompt=brief(prompt)))


def merged_subject(titles: Sequence[str]) -> str:
    """Return the subject of a letter about several games."""
    return subject(merged_title(len(titles)), ", ".join(titles))


def merged_title(number: int) -> str:
    """Return what stands above such a letter."""
    return says("{n} game waits for you", "{n} games wait for you", number)


def brief(prompt: str) -> str:
    """Return what is asked, without particulars: it is shown where others can read it."""
    question, colon, _ = prompt.partition(":")
    first, stop, _ = question.rpartition(". ")
    return first if colon and stop else question.removesuffix(".")
