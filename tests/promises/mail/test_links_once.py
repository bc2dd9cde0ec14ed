"""Promise 22: a link does one thing, for one seat, at one position, and not after its time."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from service.clocks import paces
from service.desk import Desk
from service.games import lobby
from service.links import link_state, signed_links
from store.games import games
from store.tables import moves
from tests.amounts import amount
from tests.promises.support.database_checks import rows
from tests.support.mail_links import Answer, Place, answer, path, placed

TIMES = amount(12, soak=100)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def place(url: str) -> Iterator[Place]:
    """A game of two players, on each database."""
    with placed(url) as opened:
        yield opened


class Turns:
    """A game with an open turn, for as long as a test needs one."""

    def __init__(self, place: Place) -> None:
        self.place = place
        place.past_tickets()

    def next_seat(self) -> int:
        """The seat with an open decision; opens a new game when one is over."""
        place = self.place
        for number in (0, 1):
            if place.seat(number).decision_version is not None:
                return number
        game = lobby.open_game(place.desk, place.players[0], lobby.NewGame("usa", (), 2), None)[
            "id"
        ]
        lobby.join(place.desk, place.players[1], game, "", None)
        with place.desk.database.reading() as tx:
            table = games.table(tx, game)
        assert table is not None
        seated = [str(seat.account) for seat in table.seated]
        self.place = place._replace(game=game, players=seated)
        self.place.past_tickets()
        return self.next_seat()

    def link(self) -> tuple[str, Answer]:
        """A link for the open decision, and an answer to its page."""
        link = self.place.action(number=self.next_seat())
        return link, answer(self.place.web.get(link))

    def moves(self) -> int:
        """The number of moves in all games."""
        with self.place.desk.database.reading() as tx:
            return tx.scalar(select(func.count()).select_from(moves)) or 0


def _post(place: Place, link: str, choice: str | Answer) -> TestResponse:
    form = {"choice": [choice]} if isinstance(choice, str) else choice
    return place.web.post(link, data=form)


def _plain(answer: TestResponse) -> bool:
    return "<h1>" in answer.text and "text/html" in answer.headers["Content-Type"]


def test_a_link_is_used_once(place: Place) -> None:
    """A link makes one move; using it again and opening it then give 200 and “Already done”."""
    turns, statuses = Turns(place), Counter[int]()
    before = turns.moves()

    for _ in range(TIMES):
        link, choice = turns.link()
        first, second = (_post(turns.place, link, choice) for _ in range(2))
        look = turns.place.web.get(link)
        statuses.update(answer.status_code for answer in (first, second, look))
        assert "Already done" not in first.text
        assert "Already done" in second.text
        assert "Already done" in look.text
        assert all(map(_plain, (first, second, look)))
    assert {200: 3 * TIMES} == statuses
    assert before + TIMES == turns.moves()


def test_another_choice_on_a_used_link_does_nothing(place: Place) -> None:
    """Another choice on a used link changes nothing, and the page says “Already done”."""
    link = place.action()
    first = answer(place.web.get(link))
    other = {name: values[:2] for name, values in first.items()}
    _post(place, link, first)
    before = rows(place.desk.database)
    again = _post(place, link, other)

    assert (200, True) == (again.status_code, "Already done" in again.text)
    assert before == rows(place.desk.database)


def test_a_double_click_is_one_move(place: Place) -> None:
    """Of 8 presses at the same moment one makes the move, and all get 200."""
    turns = Turns(place)
    for _ in range(10):
        link, choice = turns.link()
        before = turns.moves()
        statuses: list[int] = []
        ready = threading.Barrier(8)

        def press(link: str = link, choice: Answer = choice, into: list[int] = statuses) -> None:
            ready.wait(30)  # noqa: B023  # the threads end before the barrier changes
            into.append(_post(turns.place, link, choice).status_code)

        threads = [threading.Thread(target=press) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert [200] * 8 == statuses
        assert before + 1 == turns.moves()


def test_a_link_dies_with_its_position(place: Place) -> None:
    """After its decision was made elsewhere a link answers 409 and changes nothing."""
    turns, statuses = Turns(place), Counter[int]()
    for _ in range(TIMES):
        link, choice = turns.link()
        here = turns.place
        here.move(turns.next_seat())
        before = turns.moves()
        answers = [_post(here, link, choice), here.web.get(link)]
        statuses.update(answer.status_code for answer in answers)
        assert all("What has happened since" in answer.text for answer in answers)
        assert before == turns.moves()
    assert {409: 2 * TIMES} == statuses


def test_other_links_of_a_decision_die_with_it(place: Place) -> None:
    """When one link of a decision was used, the others answer 409."""
    turns = Turns(place)
    number = turns.next_seat()
    links_ = [place.action(entry, number) for entry in ("draw", "tickets")]
    first, second = ((link, answer(place.web.get(link))) for link in links_)

    assert 200 == _post(place, *first).status_code
    assert 409 == _post(place, *second).status_code


def test_a_link_without_position_is_noticed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a link that does not name its decision makes a move at another one."""
    turns = Turns(place)
    link, choice = turns.link()
    fields = signed_links.read(place.desk, "action", link.removeprefix("/a/"))
    assert fields is not None
    real = signed_links.read

    def forgetful(desk: Desk, purpose: str, token: str) -> dict[str, Any] | None:
        payload = real(desk, purpose, token)
        return payload and payload | {"asked": place.seat(turns.next_seat()).decision_version}

    place.move(turns.next_seat())
    while turns.next_seat() != fields["seat"]:
        place.move(turns.next_seat())
    monkeypatch.setattr(signed_links, "read", forgetful)
    before = turns.moves()
    _post(place, link, choice)

    assert before + 1 == turns.moves()


def test_a_link_is_for_one_seat(place: Place) -> None:
    """With another account's token a link answers 403 and changes nothing; without one it works."""
    link = place.action()
    choice = answer(place.web.get(link))
    made = place.web.post("/v1/accounts", json={"name": "Mallory"}).json or {}
    headers = {"Authorization": f"Bearer {made['token']['token']}"}
    before = rows(place.desk.database)

    for _ in range(TIMES):
        response = place.web.post(link, data=choice, headers=headers)
        assert (403, True) == (response.status_code, _plain(response))
    assert before == rows(place.desk.database)
    assert 200 == _post(place, link, choice).status_code


def test_a_passed_on_link_can_be_made_void(place: Place) -> None:
    """A link that was made void answers 403 and changes nothing."""
    for _ in range(TIMES):
        link = place.action()
        void = path(signed_links.forwarded(place.desk, place.game, 0))
        _post(place, void, "void")
        before = place.version()
        answers = [_post(place, link, "keep all"), place.web.get(link)]
        assert [403, 403] == [answer.status_code for answer in answers]
        assert all(map(_plain, answers))
        assert before == place.version()
    assert TIMES == place.seat().links


def test_a_link_that_was_made_void_meanwhile(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link made void between its check and the move is refused in the move's transaction."""
    link = place.action()
    choice = answer(place.web.get(link))
    void = path(signed_links.forwarded(place.desk, place.game, 0))
    real = link_state.refuse_if_void

    def late(payload: link_state.Payload) -> Callable[[Any, Any], None]:
        _post(place, void, "void")
        return real(payload)

    monkeypatch.setattr(link_state, "refuse_if_void", late)
    before = place.version()
    response = _post(place, link, choice)

    assert (403, before) == (response.status_code, place.version())


@pytest.mark.parametrize("late", [SECOND, HOUR, 1000 * HOUR])
def test_a_link_dies_with_its_deadline(place: Place, late: timedelta) -> None:
    """A link whose deadline has passed, by a second or more, answers 410 and changes nothing."""
    link = place.action()
    choice = answer(place.web.get(link))
    length = timedelta(seconds=paces.PACES["days"].per_decision or 0)
    before = rows(place.desk.database)

    with place.later(length + late):
        for _ in range(TIMES):
            response = _post(place, link, choice)
            assert (410, True) == (response.status_code, _plain(response))
    assert before == rows(place.desk.database)


@pytest.mark.parametrize("skew", [-HOUR, HOUR])
def test_clocks_may_differ(place: Place, skew: timedelta) -> None:
    """A process whose clock is an hour off accepts a link, and the link still works only once."""
    link = place.action()
    choice = answer(place.web.get(link))
    before = place.version()

    with place.later(skew):
        assert 200 == _post(place, link, choice).status_code
    assert 200 == _post(place, link, choice).status_code
    assert before + 1 == place.version()


def test_a_link_without_a_deadline_ends(url: str) -> None:
    """In a game without a clock a link works after 99 days and not after 101."""
    with placed(url) as place:
        game = lobby.open_game(
            place.desk, place.players[0], lobby.NewGame("usa", (), 2, pace="none"), None
        )["id"]
        lobby.join(place.desk, place.players[1], game, "", None)
        here = place._replace(game=game)
        link = here.action()
        choice = answer(here.web.get(link))

        with here.later(timedelta(days=101)):
            assert 410 == _post(here, link, choice).status_code
        with here.later(timedelta(days=99)):
            assert 200 == _post(here, link, choice).status_code


def test_guessed_links_are_cut_off(url: str) -> None:
    """None of 1,500 guessed links opens: thirty are answered 404, all others 429.

    A valid link from the same address still works (promise 23).
    """
    with placed(url, RATE_LIMIT_FAILURES="30/day") as place:
        link = place.action()
        words = link.rsplit(".", 1)[0]
        statuses = Counter(place.web.get(f"{words}.{n:043}").status_code for n in range(1500))

        assert {404: 30, 429: 1470} == statuses
        assert 200 == place.web.get(link).status_code
