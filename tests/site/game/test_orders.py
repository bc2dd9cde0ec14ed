"""Standing orders on the page of a game, used without JavaScript."""

import re

from flask import Flask

from service.desk import Desk
from service.games.ordering import carrying_out
from tests.site.visiting import Guest


def begun(app: Flask) -> tuple[Guest, str]:
    """A game against a bot, whose first tickets are chosen."""
    ada = Guest(app, "Ada")
    game = ada.game()
    ada.play(game, "keep all")
    return ada, game


def test_orders_are_given_shown_and_deleted(app: Flask, desk: Desk) -> None:
    """The page lists the steps with what was done, and takes the orders back."""
    ada, game = begun(app)
    answer = ada.send(f"{game}/orders", game, orders="draw\ndraw\ndraw")
    assert 303 == answer.status_code
    text = ada.web.get(game).text
    assert text.count("<li>draw") == 3
    assert "These are played for you on your next turns." in text

    while carrying_out.play_next(desk):
        pass
    assert "Played so far: draw" in ada.web.get(game).text

    ada.send(f"{game}/orders", game, off="yes")
    assert "<li>draw" not in ada.web.get(game).text


def test_stopped_orders_say_why_beside_the_decision(app: Flask, desk: Desk) -> None:
    """The reason stands at the top of the page until the player has moved."""
    ada, game = begun(app)
    sent = ada.send(f"{game}/orders", game, orders="ask me")
    while carrying_out.play_next(desk):
        pass

    why = '<p class="latest"><strong>Your orders have stopped: You wanted to be asked here.'
    assert why in ada.web.get(game).text
    ada.play(game, "draw")
    assert why not in ada.web.get(game).text
    assert "?view=log#orders" in sent.location


def test_refused_orders_keep_their_text(app: Flask) -> None:
    """What was typed stays in the form, with the reason above."""
    ada, game = begun(app)
    answer = ada.send(f"{game}/orders", game, orders="draw; clam x")

    assert 400 == answer.status_code
    assert "Step 2, “clam x”" in answer.text
    assert "draw; clam x</textarea>" in answer.text
    assert re.search(r'id="view-log" checked', answer.text)


def test_strangers_see_no_orders(app: Flask) -> None:
    """Whoever has no seat sees neither the section nor the orders."""
    ada, game = begun(app)
    ada.send(f"{game}/orders", game, orders="draw until the last round")
    other = Guest(app, "Ben").web.get(game).text

    assert "Orders for later" not in other
    assert "until the last round" not in other


ROUTE, OTHER = "el_paso-houston", "houston-new_orleans"


def _plan(guest: Guest, game: str, *routes: str) -> None:
    for route in routes:
        guest.send(f"{game}/sketch", game, step="add", route=route)


def _steps(guest: Guest, game: str) -> list[str]:
    return re.findall(r"<li>((?:claim|draw)[^<]*?) ?<", guest.web.get(game).text)


def test_sketch_becomes_orders(app: Flask) -> None:
    """A button without script orders the routes of the sketch that are open, in their order."""
    ada, game = begun(app)
    assert "in this order" not in ada.web.get(game).text
    _plan(ada, game, OTHER, ROUTE)
    text = ada.web.get(game).text
    assert "Claim these, in this order, as soon as I can" in text
    assert "This replaces" not in text

    answer = ada.send(f"{game}/sketch/orders", game)

    assert (303, f"{game}?view=log#orders") == (answer.status_code, answer.headers["Location"])
    expected = [f"claim {OTHER} when I can", f"claim {ROUTE} when I can"]
    assert expected == _steps(ada, game)


def test_sketch_does_not_replace_orders_unseen(app: Flask) -> None:
    """Orders stay unless the page has said that they are replaced, as it does if it shows them."""
    ada, game = begun(app)
    _plan(ada, game, ROUTE)
    ada.send(f"{game}/orders", game, orders="draw")

    refused = ada.send(f"{game}/sketch/orders", game)
    assert 412 == refused.status_code
    assert "You have orders in this game already: “draw”." in refused.text
    assert ["draw"] == _steps(ada, game)

    text = ada.web.get(game).text
    assert "This replaces the orders that you have now." in text
    assert '<input type="hidden" name="replaces" value="yes">' in text
    assert 303 == ada.send(f"{game}/sketch/orders", game, replaces="yes").status_code
    assert [f"claim {ROUTE} when I can"] == _steps(ada, game)


def test_sketch_without_open_routes_is_refused(app: Flask) -> None:
    """An empty sketch and a stranger change nothing."""
    ada, game = begun(app)
    answer = ada.send(f"{game}/sketch/orders", game)
    assert (400, True) == (answer.status_code, "None of the routes in your sketch" in answer.text)
    assert 403 == Guest(app, "Ben").send(f"{game}/sketch/orders", game).status_code
    assert [] == _steps(ada, game)
