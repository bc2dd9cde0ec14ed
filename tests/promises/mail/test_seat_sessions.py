"""Promise 22: the session behind a turn link is for one seat, one decision and nothing else."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from api.site import session_cookies
from service.games import lobby
from service.links import link_state, seat_sessions
from service.people.sessions import Visitor
from store.games import games
from tests.amounts import amount
from tests.api.serving import signed_in
from tests.promises.support.database_checks import rows
from tests.support.mail_links import Place, placed

TIMES = amount(12, soak=100)
TURNS = 8
"""Turns in which the deck lasts."""
OPEN_TO_SEATS = {
    *("play.show", "play.move", "play.say", "play.why", "play.settled", "play.news"),
    "play.history",
}
"""The pages and forms on which a session for a seat may do more than a stranger."""
OWN = {"play.sign_out", "pages.turn"}
"""Those that end and begin it."""
MEMBERS_ONLY = {"hosting.link", "hosting.rematch_form"}
"""Pages of a game that ask a session for a seat to sign in, as they ask a stranger."""
MOVING = {"metrics", "health.metrics", "mailbox.listed"}
"""Responses that are never twice the same."""
FIELDS: dict[str, Any] = {
    "sure": "yes",
    "label": "x",
    "scopes": "read",
    "from": "2030-01-01",
    "to": "2030-01-02",
    "mode": "off",
    "email": "eve@example.org",
    "guests": "eve@example.org",
    "url": "https://example.org/",
    "types": "game.started",
    "board": "usa",
    "seats": "2",
}
"""What the forms of members' pages ask for."""
_CSRF = re.compile(r'name="csrf_token" value="([0-9a-f]+)"')


@pytest.fixture
def place(url: str) -> Iterator[Place]:
    """A game of two players in which one has a turn, on each database."""
    with placed(url) as opened:
        opened.past_tickets()
        yield opened


def _browser(place: Place, link: str | None = None) -> FlaskClient:
    """A browser in which a turn link was used."""
    web = place.web
    assert 303 == web.post(link or place.turn(), data={"choice": "continue"}).status_code
    return web


def _page(place: Place) -> str:
    return f"/games/{place.game}"


def _csrf(web: FlaskClient, where: str) -> str:
    match = _CSRF.search(web.get(where).text)
    return match[1] if match else ""


def _plays(web: FlaskClient, place: Place) -> bool:
    """Whether this browser sees the hand and can play a card from the deck."""
    shown = web.get(_page(place)).text
    fields = dict(re.findall(r'name="(asked|seen)" value="(\d+)"', shown))
    before, seat = place.version(), place.seat(place.awaited())
    data = {"asked": seat.decision_version, "seen": before, **fields, "choice": "draw"}
    web.post(f"{_page(place)}/move", data={"csrf_token": _csrf(web, _page(place)), **data})
    assert ("Your hand" in shown) == (place.version() > before)
    return place.version() > before


def _rules(place: Place, method: str) -> list[tuple[str, str]]:
    """Every endpoint that takes a method, with an address of it."""
    left_out = OPEN_TO_SEATS | OWN | MOVING | MEMBERS_ONLY
    return [
        (rule.endpoint, _address(place, rule))
        for rule in place.app.url_map.iter_rules()
        if method in (rule.methods or ()) and rule.endpoint not in left_out
    ]


def _address(place: Place, rule: Rule) -> str:
    values = dict.fromkeys(rule.arguments, "x") | {"board": "usa", "name": "icon.svg"}
    values |= {"game": place.game, "number": "1"}
    arguments = {name: value for name, value in values.items() if name in rule.arguments}
    return place.app.url_map.bind("localhost").build(rule.endpoint, arguments)


def _response(web: FlaskClient, where: str) -> tuple[int, bytes]:
    answer = web.get(where)
    return answer.status_code, re.sub(rb'name="(csrf_token|key)" value="[^"]*"', b"", answer.data)


def _differences(place: Place) -> set[str]:
    """The pages and operations that treat the browser of a seat otherwise than a stranger's."""
    seat, stranger = _browser(place), place.web
    return {
        endpoint
        for endpoint, where in _rules(place, "GET")
        if _response(seat, where) != _response(stranger, where)
    }


def test_everywhere_else_it_is_a_stranger(place: Place) -> None:
    """Every other page and operation answers a session for a seat as it answers a stranger."""
    assert len(_rules(place, "GET")) > 40
    assert set() == _differences(place)


def test_a_seat_is_no_membership(place: Place) -> None:
    """The pages of a game for members ask a session for a seat to sign in."""
    web = _browser(place)
    for page in ("link", "rematch"):
        answer = web.get(f"{_page(place)}/{page}")
        assert (403, True) == (answer.status_code, "/sign-in?next=" in answer.text)


def test_a_full_session_is_noticed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a session for a seat that counts as signed in opens the settings."""

    def generous() -> Visitor | None:
        cookie = session_cookies.seat_cookie(place.game)
        visit = seat_sessions.visit_of(place.desk, cookie, place.game) if cookie else None
        return visit.visitor if visit else None

    for module in ("visit", "visitors", "settings", "tables", "hooks", "front"):
        name = f"api.site.{module}.visitor"
        monkeypatch.setattr(name, generous, raising=False)

    assert {"settings.show", "tables.mine"} <= _differences(place)


def test_no_other_form_changes_anything(place: Place) -> None:
    """Every other form and operation, sent with the session's CSRF token, changes nothing.

    That includes settings, tokens, the address, absences, webhooks, resigning and the API.
    """
    web = _browser(place)
    data = FIELDS | {"csrf_token": _csrf(web, _page(place)), "name": place.seat().name}
    private = [
        (endpoint, where)
        for endpoint, where in _rules(place, "POST")
        if endpoint.split(".")[0] in ("settings", "hook_pages", "tables", "play")
    ]
    before = rows(place.desk.database)
    for endpoint, where in private:
        answer = web.post(where, data=data)
        assert (True, endpoint) == (answer.status_code in (303, 403), endpoint)
        if answer.status_code == 303:
            assert answer.headers["Location"].startswith("/sign-in"), endpoint
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for endpoint, where in _rules(place, method):
            if where.startswith(("/v1/me", f"/v1/games/{place.game}")):
                answer = web.open(where, method=method, json={})
                assert (401, endpoint) == (answer.status_code, endpoint)
    assert before == rows(place.desk.database)
    assert len(private) > 10


def test_its_cookie_is_no_token(place: Place) -> None:
    """Neither the API nor the cookie of a full session accepts the cookie of a seat."""
    web = _browser(place)
    cookie = web.get_cookie(f"nightmail-{place.game}")
    assert cookie is not None
    bearer = {"Authorization": f"Bearer {cookie.value}"}
    for where in ("/v1/me", f"/v1/games/{place.game}", "/v1/me/decisions", "/v1/me/tokens"):
        assert 401 == place.web.get(where, headers=bearer).status_code
    other = place.web
    other.set_cookie("nightmail", cookie.value)

    assert 303 == other.get("/settings").status_code
    assert not _plays(other, place)


def test_forged_cookies_open_nothing(place: Place) -> None:
    """Made-up, changed and full sessions' cookies are no session for a seat."""
    real = _browser(place).get_cookie(f"nightmail-{place.game}")
    assert real is not None
    full = signed_in(place.desk, place.players[place.awaited()])
    changed = [real.value[:-1] + ("A" if real.value[-1] != "A" else "B"), real.value.lower()]
    for forged in (full, *changed, "nm_" + "A" * 32, "", place.game, "1"):
        web = place.web
        web.set_cookie(f"nightmail-{place.game}", forged)
        assert not _plays(web, place)


def test_forged_links_open_nothing(place: Place) -> None:
    """A link with any character changed is not found, and no link is taken for another kind."""
    link, before = place.turn(), rows(place.desk.database)
    for at in range(len("/turn/"), len(link) - 1, 3):
        other = link[:at] + ("A" if link[at] != "A" else "B") + link[at + 1 :]
        assert 404 == place.web.post(other, data={"choice": "continue"}).status_code
    action = place.action(number=place.awaited()).replace("/a/", "/turn/")
    assert 404 == place.web.post(action, data={"choice": "continue"}).status_code
    assert 404 == place.web.post(link.replace("/turn/", "/a/"), data={"choice": "x"}).status_code

    assert before == rows(place.desk.database)


def _second_game(place: Place) -> Place:
    """Another game of the same two players."""
    first, second = place.players
    game = lobby.open_game(place.desk, first, lobby.NewGame("usa", (), 2), None)["id"]
    lobby.join(place.desk, second, game, "", None)
    with place.desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    other = place._replace(game=game, players=[str(seat.account) for seat in table.seated])
    other.past_tickets()
    return other


def test_it_is_for_one_game(place: Place) -> None:
    """A session plays in no other game of its account, also under the name of that game."""
    other = _second_game(place)
    web = _browser(place)
    cookie = web.get_cookie(f"nightmail-{place.game}")
    assert cookie is not None
    web.set_cookie(f"nightmail-{other.game}", cookie.value)

    assert not _plays(web, other)
    assert _plays(web, place)


def test_it_is_for_one_turn(place: Place) -> None:
    """After its turn a session plays nothing and sees no hand, in any later turn of its seat."""
    for _ in range(TURNS):
        number = place.awaited()
        link = place.turn()
        web = _browser(place, link)
        assert _plays(web, place)
        assert _plays(web, place)
        assert not _plays(web, place)
        place.move(place.awaited())
        while place.awaited() != number:
            place.move(place.awaited())
        assert not _plays(web, place)
        assert 409 == place.web.get(link).status_code
        again = place.web.post(link, data={"choice": "continue"})
        assert (409, None) == (again.status_code, again.headers.get("Set-Cookie"))
        place.move(number)
        while place.awaited() == number:
            place.move(number)


def _decided_elsewhere(place: Place) -> list[bool]:
    """Whether a session plays the second card of a turn whose first was drawn elsewhere."""
    plays = []
    for _ in range(TURNS):
        number, web = place.awaited(), _browser(place)
        place.move(number)
        assert number == place.awaited()
        plays.append(_plays(web, place))
        while place.awaited() == number:
            place.move(number)
    return plays


def test_a_decision_that_is_made_elsewhere_ends_it(place: Place) -> None:
    """A session plays nothing more in a turn that was begun by mail, a link or the API."""
    assert [False] * TURNS == _decided_elsewhere(place)


def test_a_session_without_an_end_is_noticed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a session whose state ignores later moves plays in the next turn, too."""
    number, web = place.awaited(), _browser(place)
    for _ in range(2):
        place.move(place.awaited())
    while place.awaited() != number:
        place.move(place.awaited())
    assert not _plays(web, place)
    monkeypatch.setattr(link_state, "decision_state", lambda *_: "open")
    assert not _moved(web, place)  # the transaction of the move refuses it, too
    monkeypatch.setattr(seat_sessions, "hand_on", lambda _: None)

    assert _plays(web, place)


def test_a_forwarded_mail_ends_every_session(place: Place) -> None:
    """“This mail was forwarded” ends every session of the seat and voids its link."""
    for _ in range(TIMES):
        link, number = place.turn(), place.awaited()
        browsers = [_browser(place, link) for _ in range(2)]
        place.void(number)
        assert [False, False] == [_plays(web, place) for web in browsers]
        answer = place.web.post(link, data={"choice": "continue"})
        assert (403, None) == (answer.status_code, answer.headers.get("Set-Cookie"))


def test_a_mail_that_is_forwarded_meanwhile(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links voided between the check of a session and the move are noticed in the transaction."""
    web, number = _browser(place), place.awaited()
    real: Callable[..., Any] = seat_sessions.hand_on

    def late(session: Any) -> Any:
        place.void(number)
        return real(session)

    monkeypatch.setattr(seat_sessions, "hand_on", late)
    assert not _moved(web, place)
    monkeypatch.setattr(seat_sessions, "hand_on", lambda _: None)
    web = _browser(place)
    assert _moved(web, place)


def _moved(web: FlaskClient, place: Place) -> bool:
    before, seat = place.version(), place.seat(place.awaited())
    data = {"asked": seat.decision_version, "seen": before, "choice": "draw"}
    web.post(f"{_page(place)}/move", data={"csrf_token": _csrf(web, _page(place)), **data})
    return place.version() > before


def test_it_never_becomes_a_full_session(place: Place) -> None:
    """Opening a turn neither sets nor extends the cookie of a full session."""
    web = place.web
    full = signed_in(place.desk, place.players[place.awaited()])
    web.set_cookie("nightmail", full)
    before = rows(place.desk.database)
    answer = web.post(place.turn(), data={"choice": "continue"})

    assert (303, None) == (answer.status_code, answer.headers.get("Set-Cookie"))
    assert before == rows(place.desk.database)
    set_by_link = place.web.post(place.turn(), data={"choice": "continue"})
    names = [cookie.split("=")[0] for cookie in set_by_link.headers.getlist("Set-Cookie")]
    assert [f"nightmail-{place.game}"] == names


def test_another_account_is_never_mixed_in(place: Place) -> None:
    """With another account's session the page of the game is that account's, and so are moves."""
    web, number = _browser(place), place.awaited()
    web.set_cookie("nightmail", signed_in(place.desk, place.players[1 - number]))

    assert not _moved(web, place)
    for choice in ("continue", "stay"):
        web.post(place.turn(), data={"choice": choice})
        assert not _moved(web, place)
    assert 200 == web.get("/settings").status_code
