"""Details of the game page that need no browser."""

import re

import pytest
from flask import Flask

from engine.values import CARDS
from tests.site.visiting import Guest


def test_cards_are_marked_with_letters_that_every_font_has(app: Flask) -> None:
    """The mark of each card is its own, and readable without a font for symbols."""
    with app.test_request_context():
        parts = app.jinja_env.get_template("site/parts.html").module
        drawn = [parts.card(card) for card in CARDS]  # type: ignore[attr-defined]
    marks = re.findall(r'aria-hidden="true">(.*?)</span>', "".join(drawn))

    assert len(CARDS) == len(set(marks)) == len(marks)
    assert [] == [mark for mark in marks if not re.fullmatch(r"[A-Z][a-z]?|\+4", mark)]


@pytest.mark.parametrize("board", ["switzerland", "usa"])
def test_tickets_to_several_countries_break_after_a_slash(app: Flask, board: str) -> None:
    """The names of countries are not cut through; other tickets have no place to break."""
    ada = Guest(app, "Ada")
    names: list[str] = []
    for _ in range(9):
        path = ada.game(board=board)
        ada.play(path, ada.choices(path)[1])
        names = re.findall(r"<span>([^<]*(?:<wbr>[^<]*)*)</span> <b>", ada.web.get(path).text)
        assert names
        assert [] == [name for name in names if "/" in name.replace("/<wbr>", "")]
        if any("<wbr>" in name for name in names):
            break
    assert (board == "switzerland") == any("<wbr>" in name for name in names)
