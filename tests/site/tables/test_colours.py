"""Choosing a colour on pages: opening a table, joining it, by its link, and by invitation."""

import re

from flask import Flask
from sqlalchemy import select

from service.desk import Desk
from service.links import signed_links
from store.tables import invitations
from tests.promises.support.database_checks import count
from tests.site.visiting import Guest
from tests.support.mail_links import path


def _offered(text: str) -> list[str]:
    return re.findall(r'type="radio" name="colour" value="(\w+)"', text)


def _seats(text: str) -> dict[str, str]:
    """The colour of each player in the score table of a game page."""
    return {
        name: colour
        for colour, name in re.findall(r'class="seat (\w+)">\d</span> ([^<]+?) <span', text)
    }


def test_colours_are_chosen_when_sitting_down(app: Flask) -> None:
    """Who opens and who joins chooses; what is taken is not offered, and shown at the table."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    assert 8 == len(_offered(ada.web.get("/games/new").text))
    game = ada.game(easy="0", colour="turquoise")
    page = ben.web.get(game).text
    assert 'class="seat turquoise"' in page
    assert "turquoise" not in _offered(page)
    assert 303 == ben.send(f"{game}/join", game, colour="yellow").status_code
    assert {"Ada": "turquoise", "Ben": "yellow"} == _seats(ada.web.get(game).text)
    ada.play(game, ada.choices(game)[0])
    assert 'class="seat turquoise"' in ada.web.get(f"{game}/history").text


def test_a_colour_taken_meanwhile_is_explained(app: Flask, desk: Desk) -> None:
    """A form with a colour that somebody else has taken gets the reason, and takes no seat."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(easy="0", colour="pink")
    before = count(desk.database, "seats")
    answer = ben.send(f"{game}/join", game, colour="pink")
    assert (409, True) == (answer.status_code, "has chosen this colour" in answer.text)
    assert before == count(desk.database, "seats")


def test_a_link_offers_colours(app: Flask) -> None:
    """Whoever follows the link to a table chooses among the free colours."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(easy="0", colour="black")
    shown = re.search(r'value="(http[^"]*/table/[^"]*)"', ada.web.get(f"{game}/link").text)
    assert shown is not None
    link = path(shown[1])
    assert "black" not in _offered(ben.web.get(link).text)
    assert 303 == ben.send(link, link, colour="blue").status_code
    assert {"Ada": "black", "Ben": "blue"} == _seats(ada.web.get(game).text)


def test_an_invitation_offers_colours(app: Flask, desk: Desk) -> None:
    """Whoever accepts an invitation chooses; a taken colour makes neither account nor seat."""
    ada = Guest(app, "Ada")
    game = ada.game(easy="0", colour="red", guests="ben@example.org")
    with desk.database.reading() as tx:
        id = tx.scalars(select(invitations.c.id)).one()
    link, friend = path(signed_links.invitation(desk, id)), app.test_client()
    assert '<option value="blue">' in friend.get(link).text
    assert '<option value="red">' not in friend.get(link).text
    accounts = count(desk.database, "accounts")
    refused = friend.post(link, data={"choice": "new", "name": "Ben", "colour": "red"})
    assert (400, True) == (refused.status_code, "This colour is taken" in refused.text)
    assert accounts == count(desk.database, "accounts")
    assert (
        303
        == friend.post(link, data={"choice": "new", "name": "Ben", "colour": "green"}).status_code
    )
    assert {"Ada": "red", "Ben": "green"} == _seats(ada.web.get(game).text)
