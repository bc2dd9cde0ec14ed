"""Notebooks: private notes and a sketch of routes, on both databases."""

import pytest

from engine.forecast import DONE, LOST, OPEN
from service import account_deletion
from service.desk import Desk
from service.games import lobby, notebooks, reading
from service.games.notebooks import MOST_NOTES
from service.refusals import Refused
from store import tables
from store.errors import Clash
from store.games import notebooks as stored_notebooks
from store.games.notebooks import Notebook
from tests.promises.support.database_checks import rows
from tests.service.support.newcomers import newcomer
from tests.service.support.tables import keep_tickets, play, player, table
from tests.service.support.threads import at_once

ROUTES = ["dallas-houston-1", "houston-new_orleans", "el_paso-houston"]


def _plan(desk: Desk, account: str, game: str, *routes: str, notes: str = "") -> None:
    notebooks.replace(desk, account, game, {"notes": notes, "sketch": list(routes)})


def _claim(desk: Desk, account: str, game: str, route: str) -> str:
    """The first move with which the account can claim this route now."""
    decision = reading.decision(desk, game, account, all_options=True)
    assert decision is not None
    texts: list[str] = [option["text"] for option in decision["options"]]
    return next(text for text in texts if text.startswith(f"claim {route}"))


def _read(desk: Desk, account: str, game: str) -> Notebook:
    return notebooks.read(desk, account, game).notebook


def test_what_is_written_stays(each_desk: Desk) -> None:
    """Notes and sketch are stored in their order, and each change counts up the version."""
    game, (ada, ben) = table(each_desk, "Ada", "Ben")
    assert Notebook() == _read(each_desk, ada, game)
    _plan(each_desk, ada, game, *ROUTES, notes="south\r\nfirst ")

    assert Notebook(1, 1, "south\nfirst", tuple(ROUTES)) == _read(each_desk, ada, game)
    assert Notebook() == _read(each_desk, ben, game)
    _plan(each_desk, ada, game, *ROUTES, notes="south\nfirst")
    assert 1 == _read(each_desk, ada, game).version
    notebooks.step(each_desk, ada, game, "remove", ROUTES[0])
    assert Notebook(2, 1, "south\nfirst", tuple(ROUTES[1:])) == _read(each_desk, ada, game)


def test_steps_change_one_route_and_leave_the_others(desk: Desk) -> None:
    """A route is added at the end, once; moved by one place, not beyond the ends; removed."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    a, b, c = ROUTES
    for name, route, expected in (
        ("add", a, (a,)),
        ("add", b, (a, b)),
        ("add", a, (a, b)),
        ("add", c, (a, b, c)),
        ("up", c, (a, c, b)),
        ("up", a, (a, c, b)),
        ("down", a, (c, a, b)),
        ("down", b, (c, a, b)),
        ("remove", a, (c, b)),
        ("up", a, (c, b)),
        ("remove", a, (c, b)),
    ):
        notebooks.step(desk, ada, game, name, route)
        assert expected == _read(desk, ada, game).sketch, (name, route)


def test_two_tabs_do_not_overwrite_each_other(each_desk: Desk) -> None:
    """Notes of an old version are refused and change nothing; steps of the sketch do not matter."""
    game, (ada, _) = table(each_desk, "Ada", "Ben")
    notebooks.save_notes(each_desk, ada, game, "first", 0)
    notebooks.step(each_desk, ada, game, "add", ROUTES[0])
    notebooks.save_notes(each_desk, ada, game, "second", 1)
    with pytest.raises(Refused) as refused:
        notebooks.save_notes(each_desk, ada, game, "third", 1)

    assert ("stale", {"version": 3}) == (refused.value.code, refused.value.more)
    assert "second" == _read(each_desk, ada, game).notes
    notebooks.save_notes(each_desk, ada, game, "third", 3)
    assert "third" == _read(each_desk, ada, game).notes


def test_a_whole_notebook_is_replaced_only_if_it_is_the_expected_one(each_desk: Desk) -> None:
    """A version that is not the stored one is refused, even after the notebook was emptied."""
    game, (ada, _) = table(each_desk, "Ada", "Ben")
    body = {"notes": "mine", "sketch": ROUTES}
    notebooks.replace(each_desk, ada, game, body, {0})
    with pytest.raises(Refused, match="changed elsewhere"):
        notebooks.replace(each_desk, ada, game, {"notes": "", "sketch": []}, {0})
    with pytest.raises(Refused, match="changed elsewhere"):
        notebooks.empty(each_desk, ada, game, {0})
    notebooks.empty(each_desk, ada, game, {1})
    with pytest.raises(Refused, match="changed elsewhere"):
        notebooks.replace(each_desk, ada, game, body, {1})

    assert Notebook(2, 2) == _read(each_desk, ada, game)


def test_steps_at_the_same_time_all_count(each_desk: Desk) -> None:
    """Presses in several windows at once are all in the sketch."""
    game, (ada, _) = table(each_desk, "Ada", "Ben")
    at_once(3, lambda n: notebooks.step(each_desk, ada, game, "add", ROUTES[n]))

    assert set(ROUTES) == set(_read(each_desk, ada, game).sketch)
    assert 3 == _read(each_desk, ada, game).version


def test_a_change_that_always_comes_second_is_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If other changes are always stored first, the request is refused and nothing is lost."""
    game, (ada, _) = table(desk, "Ada", "Ben")

    def second(*_: object) -> None:
        raise Clash("another change was first")

    monkeypatch.setattr(stored_notebooks, "replace", second)
    with pytest.raises(Refused) as refused:
        notebooks.step(desk, ada, game, "add", ROUTES[0])

    assert "rate_limited" == refused.value.code


@pytest.mark.parametrize(
    ("notes", "sketch", "words"),
    [
        ("x" * (MOST_NOTES + 1), [], "notes: must have at most 4000 characters."),
        ("bell \a", [], "notes: must not contain control characters."),
        ("", ["no-such"], "sketch: There is no route “no-such” on this board."),
        ("", [ROUTES[0], ROUTES[0]], "sketch: must name each route once."),
    ],
)
def test_bad_input_changes_nothing(desk: Desk, notes: str, sketch: list[str], words: str) -> None:
    """What is too long or not on the board is refused by name."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    before = rows(desk.database)
    with pytest.raises(Refused) as refused:
        _plan(desk, ada, game, *sketch, notes=notes)

    assert words == refused.value.sentence
    assert before == rows(desk.database)


def test_only_who_has_a_seat_has_a_notebook(desk: Desk) -> None:
    """Others are refused, and so is everybody before the game begins."""
    game, _ = table(desk, "Ada", "Ben")
    cem = player(desk, "Cem")
    with pytest.raises(Refused, match="no seat at this table"):
        notebooks.read(desk, cem, game)
    waiting = lobby.open_game(desk, cem, lobby.NewGame("usa", (), 2), None)["id"]
    with pytest.raises(Refused, match="not begun yet"):
        notebooks.read(desk, cem, waiting)


def test_a_sketch_is_judged_in_the_present_position(desk: Desk) -> None:
    """What another player claims is lost and stays listed; what one claims oneself is done."""
    game, accounts = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, accounts)
    ada, ben = accounts
    route = "dallas-houston-1"
    for account in accounts:
        _plan(desk, account, game, route, ROUTES[1])
    assert [OPEN, OPEN] == [
        prospect.status for prospect in notebooks.read(desk, ben, game).forecast.prospects
    ]
    play(desk, game, ada, _claim(desk, ada, game, route))
    mine, theirs = (notebooks.read(desk, account, game) for account in accounts)

    assert DONE == mine.forecast.prospects[0].status
    lost = theirs.forecast.prospects[0]
    assert (LOST, "Dallas–Houston (track 1) belongs to another player.") == lost[2:4]
    assert {ROUTES[1]: (2, True)} == mine.numbers
    assert {route: (1, False), ROUTES[1]: (2, True)} == theirs.numbers
    assert mine.tag.startswith("1-")
    with pytest.raises(Refused, match="belongs to another player"):
        notebooks.step(desk, ben, game, "add", "dallas-houston-1")
    with pytest.raises(Refused, match="is already yours"):
        notebooks.step(desk, ada, game, "add", route)


def test_nobody_else_gets_it_with_the_seat(desk: Desk) -> None:
    """Who has resigned keeps notes and sketch, judged without the cards of the seat."""
    game, (ada, _, _) = table(desk, "Ada", "Ben", "Cem")
    _plan(desk, ada, game, *ROUTES, notes="mine")
    lobby.leave(desk, ada, game)
    own = notebooks.read(desk, ada, game)

    assert ("mine", tuple(ROUTES)) == (own.notebook.notes, own.notebook.sketch)
    assert {(LOST, "You have resigned from this game.")} == {
        (prospect.status, prospect.reason) for prospect in own.forecast.prospects
    }
    with pytest.raises(Refused, match="You have resigned"):
        notebooks.step(desk, ada, game, "add", "calgary-winnipeg")
    notebooks.empty(desk, ada, game)
    assert "" == _read(desk, ada, game).notes


def test_a_deleted_account_leaves_no_notebook(each_desk: Desk) -> None:
    """The rows go with the account."""
    ada, ben = newcomer(each_desk, "Ada"), newcomer(each_desk, "Ben")
    game = lobby.open_game(each_desk, ada.account, lobby.NewGame("usa", (), 2), None)["id"]
    lobby.join(each_desk, ben.account, game, "", None)
    _plan(each_desk, ada.account, game, *ROUTES, notes="very private")
    _plan(each_desk, ben.account, game, notes="other")
    account_deletion.delete(each_desk, ada)

    text = str(rows(each_desk.database))
    assert ("very private" in text, "other" in text) == (False, True)


def test_nothing_else_is_stored(desk: Desk) -> None:
    """A notebook changes no row of any other table: no event, no notice, no tag of the game."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    before = rows(desk.database)
    _plan(desk, ada, game, *ROUTES, notes="mine")
    after = rows(desk.database)

    assert before.pop(tables.notebooks.name) != after.pop(tables.notebooks.name)
    assert before == after
