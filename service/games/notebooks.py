"""Notebooks: private notes and a sketch of routes, for one account in one game.

A notebook belongs to the account and not to its seat: nobody else sees it, neither a caretaker nor
a session for the seat. It is not part of the game's log, and nothing about it is sent to anybody.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from engine import Ruleset
from engine.forecast import DONE, LOST, Forecast, Prospect, forecast
from engine.notation import no_route, route_name
from engine.translate import say
from engine.values import RouteId
from service import refusals
from service.desk import Desk
from service.games import table_lookup
from service.memory.news import of_account
from service.people.names import checked_lines
from store.database import Transaction
from store.errors import Clash
from store.games import notebooks
from store.games.games import Table
from store.games.notebooks import Notebook

Document = dict[str, Any]
Step = Callable[[tuple[RouteId, ...], RouteId], Sequence[RouteId]]

MOST_NOTES = 4_000
"""Characters of notes."""
ATTEMPTS = 5
"""How often a step of the sketch is tried again if another one was stored first."""


class OwnNotebook(NamedTuple):
    """A notebook as its owner sees it."""

    tag: str
    """An entity tag: changes with the notebook and with the game."""
    notebook: Notebook
    forecast: Forecast
    others: tuple[tuple[RouteId, str], ...]
    """The other routes that may still be claimed, with their names."""

    @property
    def numbers(self) -> dict[RouteId, tuple[int, bool]]:
        """The routes to draw as sketched: their number, and whether they can still be claimed."""
        return {
            prospect.route: (number, prospect.counts)
            for number, prospect in enumerate(self.forecast.prospects, 1)
            if prospect.status != DONE
        }


def read(desk: Desk, account: str, game: str) -> OwnNotebook:
    """Return the notebook of this account; an empty one if it has written nothing."""
    with desk.database.reading() as tx:
        return of_table(desk, tx, _table(tx, account, game), account)


def of_table(desk: Desk, tx: Transaction, table: Table, account: str) -> OwnNotebook:
    """Return the notebook of an account with a seat at this table, where the game has begun."""
    notebook = notebooks.read(tx, table.id, account)
    table, position = table_lookup.settled(desk, tx, table)
    seat = table_lookup.sight_of(table, account)
    if seat is None:
        judged = _given_up(position.rules, notebook.sketch)
    else:
        view = desk.positions.view(tx, table, position, seat)
        judged = forecast(position.rules, view, seat, notebook.sketch)
    others = ((id, route_name(position.rules, id)) for id in judged.others)
    return OwnNotebook(f"{notebook.version}-{_changes(table)}", notebook, judged, tuple(others))


def _changes(table: Table) -> int:
    """Count everything that has happened at a table; only for comparison."""
    return table.version + table.changes


def _given_up(rules: Ruleset, sketch: Sequence[RouteId]) -> Forecast:
    """Judge the sketch of an account that has resigned, and no longer sees the seat's cards."""
    reason = say("You have resigned from this game.")
    routes = rules.board.routes
    prospects = (
        Prospect(id, route_name(rules, id), LOST, reason, routes[id].length) for id in sketch
    )
    return Forecast(tuple(prospects), 0, 0, 0, (), (), ())


def _table(tx: Transaction, account: str, game: str) -> Table:
    """Return the table, if the game has begun and the account has a seat, given up or not."""
    table = table_lookup.table_of(tx, game, account)
    if table.seat_of(account) is None:
        raise refusals.Refused("forbidden", say("You have no seat at this table."))
    if table.started is None:
        raise refusals.not_found(say("The game has not begun yet; your notebook opens with it."))
    return table


def version(tx: Transaction, game: str, account: str) -> int:
    """Count the changes of an account's notebook, for the tag of its page."""
    return notebooks.version(tx, game, account)


def replace(
    desk: Desk,
    account: str,
    game: str,
    body: Document,
    versions: Collection[int] | None = None,
) -> OwnNotebook:
    """Replace notes and sketch; only if the version is one of these, unless they are None."""
    notes, sketch = checked_lines(body["notes"], MOST_NOTES, "notes"), tuple(body["sketch"])

    def change(old: Notebook, rules: Ruleset) -> Notebook:
        if versions is not None and old.version not in versions:
            raise _stale(old.version)
        for route in sketch:
            _check_route(rules, route)
        if len(set(sketch)) < len(sketch):
            raise refusals.unreadable(say("must name each route once."), "sketch")
        return old._replace(notes=notes, sketch=sketch)

    return _changed(desk, account, game, change)


def empty(desk: Desk, account: str, game: str, versions: Collection[int] | None = None) -> None:
    """Remove notes and sketch; the version counts on, so that no old one fits again."""
    replace(desk, account, game, {"notes": "", "sketch": []}, versions)


def save_notes(desk: Desk, account: str, game: str, text: str, notes_version: int) -> OwnNotebook:
    """Replace the notes, if they are still those of this version."""
    notes = checked_lines(text, MOST_NOTES, "notes")

    def change(old: Notebook, rules: Ruleset) -> Notebook:  # noqa: ARG001  # as every change
        if old.notes not in ("", notes) and old.notes_version != notes_version:
            raise _stale(old.version)
        return old._replace(notes=notes)

    return _changed(desk, account, game, change)


def add(sketch: tuple[RouteId, ...], route: RouteId) -> Sequence[RouteId]:
    """Return the sketch with this route at its end; unchanged if it has it already."""
    return sketch if route in sketch else (*sketch, route)


def remove(sketch: tuple[RouteId, ...], route: RouteId) -> Sequence[RouteId]:
    """Return the sketch without this route."""
    return [other for other in sketch if other != route]


def move_up(sketch: tuple[RouteId, ...], route: RouteId) -> Sequence[RouteId]:
    """Return the sketch with this route one place earlier."""
    return _moved(sketch, route, -1)


def move_down(sketch: tuple[RouteId, ...], route: RouteId) -> Sequence[RouteId]:
    """Return the sketch with this route one place later."""
    return _moved(sketch, route, 1)


def _moved(sketch: tuple[RouteId, ...], route: RouteId, by: int) -> Sequence[RouteId]:
    if route not in sketch:
        return sketch
    others = remove(sketch, route)
    place = min(max(sketch.index(route) + by, 0), len(others))
    return [*others[:place], route, *others[place:]]


STEPS: dict[str, Step] = {"add": add, "remove": remove, "up": move_up, "down": move_down}
"""What a press does with one route of the sketch, whatever else is in it by now."""


def step(desk: Desk, account: str, game: str, name: str, route: RouteId) -> OwnNotebook:
    """Add a route to the sketch, remove it, or move it by one place.

    A route that cannot be claimed any more is not added.
    """

    def change(old: Notebook, rules: Ruleset) -> Notebook:
        _check_route(rules, route)
        return old._replace(sketch=tuple(STEPS[name](old.sketch, route)))

    def check(own: OwnNotebook) -> None:
        for prospect in own.forecast.prospects:
            if prospect.route != route or name != "add":
                continue
            if prospect.status == DONE:
                raise refusals.unreadable(say("{route} is already yours.", route=prospect.name))
            if prospect.status == LOST:
                raise refusals.unreadable(prospect.reason)

    return _changed(desk, account, game, change, check)


def _check_route(rules: Ruleset, route: RouteId) -> None:
    if route not in rules.board.routes:
        raise refusals.unreadable(no_route(route), "sketch")


def _stale(version: int) -> refusals.Refused:
    sentence = say("Your notebook was changed elsewhere: it is now at version {n}.", n=version)
    return refusals.Refused("stale", sentence, version=version)


def _changed(
    desk: Desk,
    account: str,
    game: str,
    change: Callable[[Notebook, Ruleset], Notebook],
    check: Callable[[OwnNotebook], None] = lambda _: None,
) -> OwnNotebook:
    """Change a notebook, again from the start if another change was stored first.

    `check` may refuse the result.
    """
    for _ in range(ATTEMPTS):
        try:
            with desk.database.writing() as tx:
                own = _changed_once(desk, tx, account, game, change)
                check(own)
        except Clash:
            continue
        desk.news.publish(of_account(account))
        return own
    raise refusals.Refused("rate_limited", say("Too many changes at once."), retry_after=1)


def _changed_once(
    desk: Desk,
    tx: Transaction,
    account: str,
    game: str,
    change: Callable[[Notebook, Ruleset], Notebook],
) -> OwnNotebook:
    table = _table(tx, account, game)
    old = notebooks.read(tx, game, account)
    new = change(old, desk.positions.of(tx, table).rules)
    if new != old:
        number = old.version + 1
        is_noted = new.notes != old.notes
        new = new._replace(version=number, notes_version=number if is_noted else old.notes_version)
        notebooks.replace(tx, game, account, new, desk.now())
    return of_table(desk, tx, table, account)


def document(own: OwnNotebook) -> Document:
    """Describe a notebook to clients."""
    judged = own.forecast
    return {
        "version": own.notebook.version,
        "notes": own.notebook.notes,
        "sketch": [
            {
                "route": prospect.route,
                "name": prospect.name,
                "status": prospect.status,
                "reason": prospect.reason,
                "trains": prospect.trains,
                "points": prospect.points,
                "price": prospect.price,
                "missing": prospect.shortfall.words,
            }
            for prospect in judged.prospects
        ],
        "forecast": {
            "trains": judged.trains,
            "trains_left": judged.trains_left,
            "points": judged.points,
            "missing": [{"card": card, "number": number} for card, number in judged.missing],
            "completes": [ticket.id for ticket in judged.completes],
        },
    }
