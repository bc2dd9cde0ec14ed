import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service import accounts as people
from service import links, lobby, mailboxes, reading, tokens
from store import accounts, games
from store.tables import mailboxes as boxes
from store.tables import notices
from tests.linking import Place, choices, hosted, path, placed
from tests.promises.looking import rows
from tests.service.people import rows as rows_of
from tests.service.tables import owed

DAY = timedelta(days=1)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Two who play in the USA."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db") as opened:
        yield opened


@pytest.fixture
def tunnels(tmp_path: Path) -> Iterator[Place]:
    """Two who play in Europe and have a turn."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db", board="europe") as opened:
        opened.past_tickets()
        yield opened


def _account(place: Place, number: int = 0) -> Any:
    with place.desk.database.reading() as tx:
        return accounts.account(tx, place.players[number])


def _unconfirmed(place: Place, email: str = "cem@example.org") -> tuple[str, str]:
    """A newcomer, and the path of the link that confirms their address."""
    made = people.create(place.desk, {"name": "Cem", "email": email}, None)["account"]["id"]
    return made, path(links.confirm_address(place.desk, made, email))


def _every(place: Place) -> dict[str, str]:
    """A page of every kind."""
    game = place.game
    return {
        "action": place.action(),
        "letter": place.letter("keep all"),
        "forwarded": path(links.forwarded(place.desk, game, 0)),
        "address": _unconfirmed(place)[1],
        "unsubscribe": path(links.unsubscribe(place.desk, place.players[0], game)),
        "invitation": hosted(place.desk, place.players[0], {"email": "dan@example.org"})[1],
        "wrong": "/a/nothing",
    }


def test_every_page_is_guarded(place: Place) -> None:
    """No page runs a script, loads from elsewhere, is kept by a cache, or tells where it was."""
    for name, link in _every(place).items():
        for answer in (place.web.get(link), place.web.post(link), place.web.head(link)):
            headers = answer.headers
            assert "text/html; charset=utf-8" == headers["Content-Type"], name
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "form-action 'self'" in policy
            assert "unsafe" not in policy
            assert "script-src" not in policy
            assert "no-store" == headers["Cache-Control"]
            assert "no-referrer" == headers["Referrer-Policy"]
            assert "nosniff" == headers["X-Content-Type-Options"]
            assert "Set-Cookie" not in headers
            assert "Access-Control-Allow-Origin" not in headers


def test_pages_need_nothing(place: Place) -> None:
    """A page holds no script, no style of its own, no picture, and nothing from other servers."""
    for name, link in _every(place).items():
        text = place.web.get(link).text
        for unwanted in ("<script", "<style", "style=", "<img", "onclick", "http-equiv", "://"):
            assert unwanted not in text, name
        loaded = re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
        assert ["/pages.css"] == loaded
    style = place.web.get("/pages.css")
    assert ("text/css; charset=utf-8", 200) == (style.headers["Content-Type"], style.status_code)
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_pages_can_be_used_by_everybody(place: Place) -> None:
    """Every page says its language and its heading; every input stands in its label."""
    for link in _every(place).values():
        text = place.web.get(link).text
        assert '<html lang="en">' in text
        assert 1 == text.count("<h1>")
        assert 1 == text.count("<main ")
        assert text.count("<input") == len(
            re.findall(r"<label[^>]*>(?:(?!</label>).)*<input", text, re.DOTALL)
        )
        assert text.count("<form") == text.count("<legend>") == text.count("<button")


def test_nothing_is_chosen_beforehand(place: Place) -> None:
    """No page has a choice made, or only one to make, or a last one that does anything."""
    pages = _every(place)
    del pages["wrong"]
    for link in pages.values():
        text = place.web.get(link).text
        found = choices(text)
        assert len(found) >= 2
        assert found[-1] in ("later", "keep")
        assert "checked" not in text
        assert "selected" not in text
        assert "hidden" not in text
        assert "autofocus" not in text
        assert 'autocomplete="off"' in text
        assert len(found) == text.count(" required>")


@pytest.mark.parametrize("data", [None, {}, {"choice": ""}, {"choice": "nonsense"}, {"other": "1"}])
def test_a_form_without_a_choice_does_nothing(place: Place, data: dict[str, str] | None) -> None:
    """POST without a choice, or with one that is not there, is politely refused everywhere."""
    pages = _every(place)
    del pages["wrong"]
    before = rows(place.desk.database)

    for name, link in pages.items():
        answer = place.web.post(link, data=data)
        assert (400, name) == (answer.status_code, name)
        assert 'role="alert"' in answer.text
        assert len(choices(answer)) >= 2
    assert before == rows(place.desk.database)


def test_deciding_later_does_nothing(place: Place) -> None:
    """The last choice of every page changes nothing, and the link stays good."""
    pages = _every(place)
    del pages["wrong"]
    before = rows(place.desk.database)

    for link in pages.values():
        last = choices(place.web.get(link))[-1]
        assert 200 == place.web.post(link, data={"choice": last}).status_code
        assert len(choices(place.web.get(link))) >= 2
    assert before == rows(place.desk.database)


def test_an_action_page_shows_what_is_asked(place: Place) -> None:
    """It shows the game, the question, every option of the group with its label, and until when."""
    found = reading.decision(place.desk, place.game, place.players[0])
    assert found is not None
    page = place.web.get(place.action())

    assert 200 == page.status_code
    assert "United States" in page.text or "USA" in page.text
    for option in found["options"]:
        assert option["label"] in page.text
    assert [option["text"] for option in found["options"]] == choices(page)[:-1]
    assert "Until " in page.text


def test_an_action_page_shows_one_group(tunnels: Place) -> None:
    """Neither the hand nor other groups stand on the page, and revealing options are marked."""
    number = 0 if tunnels.seat(0).asked is not None else 1
    page = tunnels.web.get(tunnels.action("tickets", number))

    assert ["tickets", "later"] == choices(page)
    assert "cannot be taken back" in page.text
    assert "Hand" not in page.text
    assert "claim" not in page.text.lower()


def test_a_choice_is_played(tunnels: Place) -> None:
    """What was chosen becomes a move of source `link`; the page says so, and what comes next."""
    number = 0 if tunnels.seat(0).asked is not None else 1
    link = tunnels.action("draw", number)
    played = tunnels.web.post(link, data={"choice": "draw"})

    assert 200 == played.status_code
    assert "What happened" in played.text
    assert not choices(played)
    assert "You are asked to draw a second card" in played.text
    with tunnels.desk.database.reading() as tx:
        last = games.moves_between(tx, tunnels.game, tunnels.version(), tunnels.version())[0]
    assert '"source":"link"' in last.record


def test_pages_tell_no_secrets(tunnels: Place) -> None:
    """Neither the answer to a draw nor its link opened later says which card it was."""
    number = 0 if tunnels.seat(0).asked is not None else 1
    link = tunnels.action("draw", number)
    played = tunnels.web.post(link, data={"choice": "draw"})
    again = tunnels.web.get(link)

    drawn = _drawn(tunnels)
    for page in (played, again):
        assert 200 == page.status_code
        assert "draws a card from the deck" in page.text
        assert drawn not in page.text
        assert "/a/" not in page.text


def test_a_letter_played_tells_no_secrets(tunnels: Place) -> None:
    """The same for a reply that is played on a page."""
    number = 0 if tunnels.seat(0).asked is not None else 1
    played = tunnels.web.post(tunnels.letter("draw", number=number), data={"choice": "play"})

    assert 200 == played.status_code
    assert "draws a card from the deck" in played.text
    assert _drawn(tunnels) not in played.text
    assert "/a/" not in played.text


def _drawn(place: Place) -> str:
    """The card that was drawn last."""
    with place.desk.database.reading() as tx:
        (last,) = games.moves_between(tx, place.game, place.version(), place.version())
    found = re.search(r'"card":"(\w+)"', last.record)
    assert found is not None
    return found[1]


def test_links_stand_for_their_seat_only(place: Place) -> None:
    """With somebody else's token a link is refused; with one's own it is good."""

    def bearer(account: str) -> dict[str, str]:
        made = tokens.create(
            place.desk,
            tokens.Caller(account, "", frozenset(tokens.SCOPES)),
            {"label": "x", "scopes": ["play"]},
            None,
        )
        return {"Authorization": f"Bearer {made['token']}"}

    ada, ben = (bearer(player) for player in place.players)
    link = place.action()
    chosen = {"choice": choices(place.web.get(link))[0]}
    before = rows(place.desk.database)

    assert 403 == place.web.get(link, headers=ben).status_code
    assert 403 == place.web.post(link, headers=ben, data=chosen).status_code
    assert 401 == place.web.get(link, headers={"Authorization": "Bearer nm_x"}).status_code
    assert before == rows(place.desk.database)
    assert 200 == place.web.post(link, headers=ada, data=chosen).status_code


def test_looking_is_for_every_method(place: Place) -> None:
    """HEAD and OPTIONS are answered, and other methods are not there."""
    link = place.action()

    assert (200, b"") == (place.web.head(link).status_code, place.web.head(link).data)
    assert 200 == place.web.options(link).status_code
    assert 405 == place.web.put(link).status_code
    assert 405 == place.web.delete(link).status_code


def test_a_wrong_link_is_not_found(place: Place) -> None:
    """A link that we have not signed has a polite page, for looking and for acting."""
    link = place.action()

    for wrong in (link[:-3], link.replace("/a/", "/forwarded/"), "/unsubscribe/x.y"):
        for answer in (place.web.get(wrong), place.web.post(wrong, data={"choice": "later"})):
            assert 404 == answer.status_code
            assert "not one of ours" in answer.text


def test_wrong_links_are_counted(tmp_path: Path) -> None:
    """Whoever guesses is soon told to wait, on a page, and a true link still opens."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    with placed(url, RATE_LIMIT_FAILURES="5/day") as place:
        link = place.action()
        got = [place.web.get(f"/a/guess{n}") for n in range(8)]

        assert [404] * 5 + [429] * 3 == [answer.status_code for answer in got]
        assert "<h1>" in got[-1].text
        assert int(got[-1].headers["Retry-After"]) > 0
        assert 200 == place.web.get(link).status_code


def test_pages_are_counted_by_address(tmp_path: Path) -> None:
    """Pages count like other requests of an address."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_ADDRESS="3/day") as place:
        link = place.action()
        got = [place.web.get(link).status_code for _ in range(4)]

        assert [200, 200, 200, 429] == got


def test_odd_forms_are_refused(place: Place) -> None:
    """A form of any make is read, and one that is too large is not."""
    link = place.action()
    first = choices(place.web.get(link))[0]

    assert 413 == place.web.post(link, data={"choice": "x" * 70_000}).status_code
    assert 400 == place.web.post(link, json={"choice": first}).status_code
    assert 400 == place.web.post(link, data={"choice": "keep \0 all"}).status_code
    answer = place.web.post(link, data={"choice": first}, content_type="multipart/form-data")
    assert 200 == answer.status_code


def test_a_letter_is_played_line_by_line(place: Place) -> None:
    """The lines stand on the page; after the choice they are played until one is refused, once."""
    link = place.letter("keep all", "fly to the moon", "draw")
    page = place.web.get(link)

    assert ["play", "no", "later"] == choices(page)
    assert "fly to the moon" in page.text
    played = place.web.post(link, data={"choice": "play"})
    assert 200 == played.status_code
    assert 1 == played.text.count('class="done"')
    assert "fly to the moon" in played.text
    version = place.version()
    again = place.web.post(link, data={"choice": "play"})
    assert (200, version) == (again.status_code, place.version())
    assert "done already" in again.text


def test_a_letter_of_somebody_else_is_dropped(place: Place) -> None:
    """Who says that they did not write it plays nothing, and can make the address void."""
    before = place.version()
    answer = place.web.post(place.letter("keep all"), data={"choice": "no"})

    assert (200, before) == (answer.status_code, place.version())
    void = re.findall(r'href="(http[^"]+/forwarded/[^"]+)"', answer.text)
    assert 200 == place.web.get(path(void[0])).status_code


def test_a_letter_dies_with_its_decision(place: Place) -> None:
    """A reply to a decision that is over is not played any more."""
    link = place.letter("keep all")
    place.move()
    before = place.version()
    answer = place.web.post(link, data={"choice": "play"})

    assert (409, before) == (answer.status_code, place.version())


def test_an_address_is_confirmed(place: Place) -> None:
    """Yes confirms the address and lets mail go there again; saying it twice is fine."""
    account, link = _unconfirmed(place)
    with place.desk.database.writing() as tx:
        accounts.change(tx, account, {"bounced": place.desk.now()})
    assert "cem@example.org" in place.web.get(link).text

    assert 200 == place.web.post(link, data={"choice": "yes"}).status_code
    with place.desk.database.reading() as tx:
        found = accounts.account(tx, account)
    assert found is not None
    assert found.email_confirmed is not None
    assert found.bounced is None
    again = place.web.post(link, data={"choice": "no"})
    assert (200, True) == (again.status_code, "done already" in again.text)


def test_an_address_is_removed(place: Place) -> None:
    """No removes the address from the account, for good."""
    account, link = _unconfirmed(place)

    assert 200 == place.web.post(link, data={"choice": "no"}).status_code
    with place.desk.database.reading() as tx:
        found = accounts.account(tx, account)
    assert found is not None
    assert (None, None) == (found.email, found.email_confirmed)
    assert 409 == place.web.post(link, data={"choice": "yes"}).status_code


def test_a_changed_address_is_not_confirmed(place: Place) -> None:
    """The link for an address that was changed since is stale."""
    account, link = _unconfirmed(place)
    with place.desk.database.writing() as tx:
        accounts.change(tx, account, {"email": "other@example.org"})

    assert 409 == place.web.get(link).status_code
    assert 409 == place.web.post(link, data={"choice": "yes"}).status_code
    assert "example.org" not in place.web.get(link).text


def test_confirming_has_its_time(place: Place) -> None:
    """A link for an address is good for 14 days."""
    account, link = _unconfirmed(place)

    with place.later(13 * DAY):
        assert 200 == place.web.get(link).status_code
    with place.later(15 * DAY):
        assert 410 == place.web.post(link, data={"choice": "yes"}).status_code
    people.delete(place.desk, tokens.Caller(account, "", frozenset()))
    assert 410 == place.web.get(link).status_code
    assert 410 == place.web.post(link, data={"choice": "yes"}).status_code


def test_a_forwarded_mail_is_made_void(place: Place) -> None:
    """Links and reply addresses of a seat die, and the open decision is owed once more."""
    action, void = place.action(), path(links.forwarded(place.desk, place.game, 0))
    mailboxes.reply_address(place.desk, place.players[0], place.game, 0, 0)
    before = len(owed(place.desk, "decision_opened"))

    assert 200 == place.web.post(void, data={"choice": "void"}).status_code
    assert 403 == place.web.get(action).status_code
    assert 403 == place.web.post(action, data={"choice": "keep all"}).status_code
    assert [] == rows_of(place.desk, boxes, "game")
    assert before + 1 == len(owed(place.desk, "decision_opened"))
    assert 200 == place.web.get(place.action()).status_code
    again = place.web.post(void, data={"choice": "void"})
    assert (200, True) == (again.status_code, "done already" in again.text)
    assert (1, before + 1) == (place.seat().links, len(owed(place.desk, "decision_opened")))


def test_other_seats_keep_their_links(place: Place) -> None:
    """Making one seat's links void does nothing to another's, nor to the seat's unsubscribing."""
    other = place.action(number=1)
    stop = path(links.unsubscribe(place.desk, place.players[0], place.game))
    void = path(links.forwarded(place.desk, place.game, 0))
    place.web.post(void, data={"choice": "void"})

    assert 200 == place.web.get(other).status_code
    assert 200 == place.web.get(stop).status_code


def test_nobody_is_asked_again_for_nothing(place: Place) -> None:
    """A seat of which nothing is asked is owed no mail when its links are made void."""
    void = path(links.forwarded(place.desk, place.game, 0))
    place.move()  # and the other still has to choose tickets
    assert place.seat().asked is None
    with place.desk.database.writing() as tx:
        tx.execute(notices.delete())
    assert 200 == place.web.post(void, data={"choice": "void"}).status_code

    assert (1, []) == (place.seat().links, owed(place.desk))


def test_a_deserted_seat_has_no_links(place: Place) -> None:
    """When an account is deleted its links say that nothing is left to do."""
    found = [
        place.action(),
        place.letter("keep all"),
        path(links.forwarded(place.desk, place.game, 0)),
    ]
    found.append(path(links.unsubscribe(place.desk, place.players[0], place.game)))
    people.delete(place.desk, tokens.Caller(place.players[0], "", frozenset()))

    for link in found:
        assert 410 == place.web.get(link).status_code
        assert 410 == place.web.post(link, data={"choice": "void"}).status_code


def test_a_resigned_seat_plays_no_links(place: Place) -> None:
    """Who has resigned finds out what has happened since, and plays nothing."""
    link = place.action()
    lobby.leave(place.desk, place.players[0], place.game)
    before = place.version()
    answer = place.web.post(link, data={"choice": "keep all"})

    assert (409, before) == (answer.status_code, place.version())


def test_stopping_mail_can_be_undone(place: Place) -> None:
    """Mail about a game, or all of it, is stopped by a choice, and had again by another."""
    stop = path(links.unsubscribe(place.desk, place.players[0], place.game))
    web: FlaskClient = place.web

    assert ["game", "all", "keep"] == choices(web.get(stop))
    web.post(stop, data={"choice": "game"})
    assert place.seat().muted is not None
    assert ["all", "again", "keep"] == choices(web.get(stop))
    web.post(stop, data={"choice": "all"})
    assert "off" == _account(place).settings["notifications"]["mode"]
    assert ["again", "keep"] == choices(web.get(stop))
    web.post(stop, data={"choice": "again"})
    assert place.seat().muted is None
    assert "each_turn" == _account(place).settings["notifications"]["mode"]
