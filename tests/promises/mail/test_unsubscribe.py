"""Promise 26: one-click unsubscribing works (RFC 8058), and a GET of its link does nothing."""

from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from api.link_pages import pages
from service.links import signed_links
from service.notify import outbox
from store import tables
from store.notify import notices
from store.notify.notices import Notice
from store.people import accounts
from tests.amounts import amount
from tests.promises.support.database_checks import count, rows
from tests.service.support.tables import player
from tests.support.mail_links import Place, path, placed

TIMES = amount(20, soak=50)
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def place(url: str) -> Iterator[Place]:
    """A game of two players with mail addresses, on each database."""
    with placed(url) as opened:
        yield opened


def _stop(place: Place, *, game: bool = True) -> str:
    """The path of a player's unsubscribe link."""
    account = place.players[0]
    return path(signed_links.unsubscribe(place.desk, account, place.game if game else None))


def _mode(place: Place, account: str) -> str:
    with place.desk.database.reading() as tx:
        row = accounts.account(tx, account)
    assert row is not None
    return str(row.settings["notifications"]["mode"])


def _letters(place: Place) -> int:
    """The number of letters for a decision and a finished game, sent to each player."""
    with place.desk.database.writing() as tx:
        tx.execute(delete(tables.deliveries))
        tx.execute(delete(tables.notices))
        owed = [
            Notice(account, kind, place.game, number, 0)
            for number, account in enumerate(place.players)
            for kind in ("decision_opened", "game_finished")
        ]
        notices.add(tx, owed, place.desk.now())
    outbox.spread(place.desk)
    return count(place.desk.database, "deliveries")


@pytest.mark.parametrize("how", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_one_click_stops_the_mail_of_a_game(place: Place, how: str) -> None:
    """A POST without cookies, as a mail program sends it, stops mail about this game only."""
    before = _letters(place)
    answer = place.app.test_client(use_cookies=False).post(
        _stop(place), data=ONE_CLICK, content_type=how
    )

    assert 200 == answer.status_code
    assert place.seat().muted is not None
    assert place.seat(1).muted is None
    assert "each_turn" == _mode(place, place.players[0])
    assert (4, 2) == (before, _letters(place))


def test_one_click_stops_all_mail(place: Place) -> None:
    """Without a game in the link the POST turns off the account's mail."""
    assert 200 == place.web.post(_stop(place, game=False), data=ONE_CLICK).status_code

    assert "off" == _mode(place, place.players[0])
    assert "each_turn" == _mode(place, place.players[1])
    assert 2 == _letters(place)


def test_each_post_stops_its_own(place: Place) -> None:
    """Each POST stops the mail of its own account only."""
    people = [
        player(place.desk, f"Reader {chr(65 + n % 26)}{chr(65 + n // 26)}{n}x")
        for n in range(TIMES)
    ]
    for number, account in enumerate(people):
        link = path(signed_links.unsubscribe(place.desk, account, None))
        assert 200 == place.web.post(link, data=ONE_CLICK).status_code
        modes = [_mode(place, person) for person in people]
        assert ["off"] * (number + 1) + ["each_turn"] * (TIMES - number - 1) == modes


def test_repeating_is_harmless(place: Place) -> None:
    """A repeated POST gets the same response."""
    responses = [place.web.post(_stop(place), data=ONE_CLICK) for _ in range(TIMES)]

    assert {200} == {answer.status_code for answer in responses}
    assert 1 == len({answer.text for answer in responses})


def test_looking_stops_nothing(place: Place) -> None:
    """GET, HEAD, and a POST without `List-Unsubscribe=One-Click` change nothing."""
    before = rows(place.desk.database)

    for game in (True, False):
        link = _stop(place, game=game)
        for _ in range(TIMES):
            assert 200 == place.web.get(link).status_code
            assert 200 == place.web.head(link).status_code
        assert 200 == place.web.get(f"{link}?List-Unsubscribe=One-Click").status_code
        for data in ({}, {"List-Unsubscribe": ""}, {"List-Unsubscribe": "Two-Clicks"}):
            assert 400 == place.web.post(link, data=data).status_code
    assert before == rows(place.desk.database)


def test_acting_on_get_is_noticed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: if a GET counts as a click, it stops mail."""
    monkeypatch.setattr(pages, "_choice", lambda: "one-click")
    place.web.get(_stop(place))

    assert place.seat().muted is not None


def test_it_works_for_ever(place: Place) -> None:
    """The link still works after the links of its game were made void."""
    link = _stop(place)
    void = path(signed_links.forwarded(place.desk, place.game, 0))
    place.web.post(void, data={"choice": "void"})

    assert 200 == place.web.post(link, data=ONE_CLICK).status_code
    assert place.seat().muted is not None


def test_no_other_link_unsubscribes(place: Place) -> None:
    """A one-click POST to other links is refused with 400 and changes nothing."""
    before = rows(place.desk.database)

    for link in (place.action(), place.letter("keep all")):
        assert 400 == place.web.post(link, data=ONE_CLICK).status_code
    assert before == rows(place.desk.database)
