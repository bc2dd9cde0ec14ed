"""Pages behind signed links: what holds for all of them."""

import re
from pathlib import Path

import pytest

from service.links import signed_links
from tests.promises.support.database_checks import rows
from tests.support.mail_links import Place, answer, choices, hosted, path, placed, unconfirmed

A_NAME = ' xmlns="http://www.w3.org/2000/svg"'
"""An XML namespace: it looks like a URL, but no browser fetches it."""


def _every(place: Place) -> dict[str, str]:
    """The path of one page of every kind."""
    game = place.game
    return {
        "action": place.action(),
        "menu": place.action(signed_links.WHOLE_MENU),
        "letter": place.letter("keep all"),
        "commands": place.commands("games"),
        "turn": place.turn(),
        "forwarded": path(signed_links.forwarded(place.desk, game, 0)),
        "address": unconfirmed(place)[1],
        "unsubscribe": path(signed_links.unsubscribe(place.desk, place.players[0], game)),
        "invitation": hosted(place.desk, place.players[0], {"email": "dan@example.org"})[1],
        "wrong": "/a/nothing",
    }


ZONE = (
    '<script src="/site/zone.js" defer></script>',
    '<input type="hidden" name="time_zone" value="">',
)
"""What only the page of an invitation contains: it records the reader's time zone."""


def _with_choices(place: Place) -> dict[str, str]:
    """The path of one page of every kind on which something can be chosen."""
    return {name: link for name, link in _every(place).items() if name not in ("menu", "wrong")}


def _text(place: Place, name: str, link: str) -> str:
    """The text of a page, without what only an invitation may contain."""
    text = place.web.get(link).text
    for more in ZONE if name == "invitation" else ():
        assert 1 == text.count(more)
        text = text.replace(more, "")
    return text


def test_every_page_is_guarded(place: Place) -> None:
    """Every page has strict security headers: no foreign content, caching, referrer or cookies."""
    for name, link in _every(place).items():
        for response in (place.web.get(link), place.web.post(link), place.web.head(link)):
            headers = response.headers
            assert "text/html; charset=utf-8" == headers["Content-Type"], name
            policy = headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "form-action 'self'" in policy
            assert "unsafe" not in policy
            scripts = re.findall("script-src [^;]*", policy)
            assert (["script-src 'self'"] if name == "invitation" else []) == scripts
            assert "no-store" == headers["Cache-Control"]
            assert "no-referrer" == headers["Referrer-Policy"]
            assert "nosniff" == headers["X-Content-Type-Options"]
            assert "Set-Cookie" not in headers
            assert "Access-Control-Allow-Origin" not in headers


def test_pages_need_nothing(place: Place) -> None:
    """Pages contain no script, no style of their own, and nothing to fetch but `/pages.css`.

    The only exception is the script that records the time zone.
    """
    for name, link in _every(place).items():
        text = _text(place, name, link).replace(A_NAME, "")
        for unwanted in ("<script", "<style", "style=", "<img", "onclick", "http-equiv", "://"):
            assert unwanted not in text, name
        loaded = re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
        assert ["/pages.css"] == loaded
    style = place.web.get("/pages.css")
    assert ("text/css; charset=utf-8", 200) == (style.headers["Content-Type"], style.status_code)
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_pages_can_be_used_by_everybody(place: Place) -> None:
    """Every page has a language and one heading, and every input is inside its label."""
    for name, link in _every(place).items():
        text = _text(place, name, link)
        assert '<html lang="en">' in text
        assert 1 == text.count("<h1>")
        assert 1 == text.count("<main ")
        assert text.count("<input") == len(
            re.findall(r"<label[^>]*>(?:(?!</label>).)*<input", text, re.DOTALL)
        )
        assert text.count("<form") == text.count("<legend>") == text.count("<button")


def test_nothing_is_chosen_beforehand(place: Place) -> None:
    """Every page offers at least two choices, none preselected, and the last does nothing."""
    pages = _with_choices(place)
    for name, link in pages.items():
        text = _text(place, name, link)
        values = choices(text)
        assert len(values) >= 2
        assert values[-1] in ("later", "keep")
        assert "checked" not in text
        assert "selected" not in text
        assert "hidden" not in text
        assert "autofocus" not in text
        assert 'autocomplete="off"' in text
        assert len(values) == text.count(" required>") or name == "action"


@pytest.mark.parametrize("data", [None, {}, {"choice": ""}, {"choice": "nonsense"}, {"other": "1"}])
def test_a_form_without_a_choice_does_nothing(place: Place, data: dict[str, str] | None) -> None:
    """POST without a choice, or with an unknown one, gets 400 and changes nothing on any page."""
    pages = _with_choices(place)
    before = rows(place.desk.database)

    for name, link in pages.items():
        response = place.web.post(link, data=data)
        assert (400, name) == (response.status_code, name)
        assert 'role="alert"' in response.text
        assert len(choices(response)) >= 2
    assert before == rows(place.desk.database)


def test_deciding_later_does_nothing(place: Place) -> None:
    """The last choice of every page changes nothing, and the link stays valid."""
    pages = _with_choices(place)
    before = rows(place.desk.database)

    for link in pages.values():
        last = choices(place.web.get(link))[-1]
        assert 200 == place.web.post(link, data={"choice": last}).status_code
        assert len(choices(place.web.get(link))) >= 2
    assert before == rows(place.desk.database)


def test_looking_is_for_every_method(place: Place) -> None:
    """HEAD and OPTIONS are answered, and other methods get 405."""
    link = place.action()

    assert (200, b"") == (place.web.head(link).status_code, place.web.head(link).data)
    assert 200 == place.web.options(link).status_code
    assert 405 == place.web.put(link).status_code
    assert 405 == place.web.delete(link).status_code


def test_a_wrong_link_is_not_found(place: Place) -> None:
    """A link with a wrong signature gets 404 with a page, for GET and for POST."""
    link = place.action()

    for wrong in (link[:-3], link.replace("/a/", "/forwarded/"), "/unsubscribe/x.y"):
        for response in (place.web.get(wrong), place.web.post(wrong, data={"choice": "later"})):
            assert 404 == response.status_code
            assert "This link is not valid." in response.text


def test_wrong_links_are_counted(tmp_path: Path) -> None:
    """Guessing links soon gets 429 with a page, while a valid link still works."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    with placed(url, RATE_LIMIT_FAILURES="5/day") as place:
        link = place.action()
        responses = [place.web.get(f"/a/guess{n}") for n in range(8)]

        assert [404] * 5 + [429] * 3 == [page.status_code for page in responses]
        assert "<h1>" in responses[-1].text
        assert int(responses[-1].headers["Retry-After"]) > 0
        assert 200 == place.web.get(link).status_code


def test_pages_are_counted_by_address(tmp_path: Path) -> None:
    """Requests for pages count towards the rate limit of their client address."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_ADDRESS="3/day") as place:
        link = place.action()
        statuses = [place.web.get(link).status_code for _ in range(4)]

        assert [200, 200, 200, 429] == statuses


def test_odd_forms_are_refused(place: Place) -> None:
    """URL-encoded and multipart forms are read; JSON, NUL and oversized bodies are refused."""
    link = place.action()
    first = answer(place.web.get(link))

    assert 413 == place.web.post(link, data={"choice": "x" * 70_000}).status_code
    assert 400 == place.web.post(link, json=first).status_code
    assert 400 == place.web.post(link, data={"choice": "keep \0 all"}).status_code
    sent = place.web.post(link, data=first, content_type="multipart/form-data")
    assert 200 == sent.status_code
