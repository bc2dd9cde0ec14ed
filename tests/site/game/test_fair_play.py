"""Commitments and nonces on pages, as the script sends them and without JavaScript."""

import re

from flask import Flask

from service.desk import Desk
from service.games import log_files
from tests.service.support.timing import table_at
from tests.site.visiting import Guest

NONCE = "0123456789abcdef0123456789abcdef"
OPENING = ("/", "/games", "/games/new")
"""Pages with a form that opens a table."""


def _id(path: str) -> str:
    return path.rsplit("/", 1)[1]


def _commitment(guest: Guest) -> str:
    """Request a commitment, as the script does before it makes a nonce."""
    answer = guest.send("/games/commitment", "/games/new")
    assert (200, True) == (answer.status_code, answer.is_json)
    commitment: str = (answer.json or {})["commitment"]
    return commitment


def _fair_play(guest: Guest, game: str) -> str:
    """The fair play section of a game's page."""
    match = re.search(
        r'<details[^>]*id="fair-play"[^>]*>.*?</details>', guest.web.get(game).text, re.DOTALL
    )
    assert match is not None
    return match[0]


def test_a_page_opens_a_game_with_a_nonce(app: Flask, desk: Desk) -> None:
    """The game's page shows the commitment to everybody, and the nonce to its player only."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    cited = _commitment(ada)
    game = ada.game(commitment=cited, nonce=NONCE)

    assert cited == table_at(desk, _id(game)).commitment
    for text in (cited, NONCE, "added by</dt><dd>Ada<", "not chosen to fit"):
        assert text in _fair_play(ada, game)
    for guest in (ben, Guest(app)):
        assert NONCE not in guest.web.get(game).text
        assert cited in _fair_play(guest, game)


def test_without_script_there_is_no_nonce(app: Flask, desk: Desk) -> None:
    """Without JavaScript a game begins without a nonce, and its page says what that means."""
    ada = Guest(app, "Ada")
    game = ada.game(commitment="", nonce="")

    assert "" == "".join(seat.nonce for seat in table_at(desk, _id(game)).seated)
    for text in ("added by</dt><dd>nobody<", "only proves that the seed has not changed since"):
        assert text in _fair_play(ada, game)


def test_every_form_that_opens_a_table_has_room_for_both(app: Flask) -> None:
    """Forms that open a table have the URL for commitments, and empty fields for both values."""
    ada = Guest(app, "Ada")
    for page in OPENING:
        text = ada.web.get(page).text
        (form,) = re.findall(r'<form[^>]*action="/games/new".*?</form>', text, re.DOTALL)
        assert 'data-commit="/games/commitment"' in form, page
        for name in ("commitment", "nonce"):
            assert f'<input type="hidden" name="{name}" autocomplete="off">' in form, page


def test_whoever_joins_has_been_shown_the_commitment(app: Flask, desk: Desk) -> None:
    """Join forms carry the commitment; the nonce sent with one is shown to its player only."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(seats="3", easy="0")
    commitment = table_at(desk, _id(game)).commitment
    for page in ("/games/open", game):
        text = ben.web.get(page).text
        (form,) = re.findall(rf'<form[^>]*action="{game}/join".*?</form>', text, re.DOTALL)
        assert f'data-nonce="{commitment}"' in form
        assert '<input type="hidden" name="nonce" autocomplete="off">' in form

    assert 303 == ben.send(f"{game}/join", game, nonce=NONCE).status_code

    assert "added by</dt><dd>Ben<" in _fair_play(ada, game)
    assert NONCE in _fair_play(ben, game)
    assert NONCE not in ada.web.get(game).text


def test_who_resigns_can_still_look_up_their_nonce(app: Flask) -> None:
    """A player who has resigned still sees their own nonce, and others do not."""
    ada, ben, cem = (Guest(app, name) for name in ("Ada", "Ben", "Cem"))
    game = ada.game(seats="3", easy="0")
    ben.send(f"{game}/join", game, nonce=NONCE)
    cem.send(f"{game}/join", game)
    ben.send(f"{game}/leave", game, sure="yes")

    assert "now see what spectators see" in ben.web.get(game).text
    assert NONCE in _fair_play(ben, game)
    assert NONCE not in ada.web.get(game).text


def test_a_nonce_that_was_sent_is_not_offered_again(app: Flask) -> None:
    """A refused form comes back without the nonce and the commitment that it sent."""
    ada = Guest(app, "Ada")
    sent = {"commitment": _commitment(ada), "nonce": NONCE, "board": "usa", "seats": "9"}
    answer = ada.send("/games/new", "/games/new", **sent)

    assert 400 == answer.status_code
    for text in (NONCE, sent["commitment"]):
        assert text not in answer.text


def test_a_commitment_that_is_worth_nothing_is_refused_on_a_page(app: Flask) -> None:
    """An unknown commitment gets 422, and the page says that it has expired."""
    ada = Guest(app, "Ada")
    sent = {"board": "usa", "seats": "2", "easy": "1", "commitment": "0" * 64, "nonce": NONCE}
    answer = ada.send("/games/new", "/games/new", **sent)

    assert 422 == answer.status_code
    assert "it has expired" in answer.text


def test_only_members_get_commitments(app: Flask) -> None:
    """A request without a CSRF token gets 403; a stranger's is redirected to sign-in."""
    assert 403 == Guest(app).web.post("/games/commitment").status_code
    stranger = Guest(app).send("/games/commitment", "/sign-in")
    assert (303, True) == (stranger.status_code, "/sign-in" in stranger.headers["Location"])


def test_players_of_a_private_game_save_its_log(app: Flask) -> None:
    """After the end, a player can download the valid log of a private game; others get 404."""
    ada = Guest(app, "Ada")
    game = ada.game(visibility="private")
    assert 409 == ada.web.get(f"{game}/log").status_code
    ada.send(f"{game}/leave", game, sure="yes")

    assert f'href="{game}/log"' in _fair_play(ada, game)
    answer = ada.web.get(f"{game}/log")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert log_files.checked(answer.data).log.abandoned
    assert 404 == Guest(app, "Eve").web.get(f"{game}/log").status_code
