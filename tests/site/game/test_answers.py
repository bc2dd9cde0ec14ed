"""What a move on a page is answered with."""

import pytest
from flask import Flask

from service.views import game_page
from tests.site.visiting import Guest


@pytest.mark.parametrize(("live", "part"), [({}, "/settled"), ({"live": "yes"}, "")])
def test_only_plain_pages_wait_for_the_house(
    app: Flask, monkeypatch: pytest.MonkeyPatch, live: dict[str, str], part: str
) -> None:
    """Where the script follows the game the answer comes at once; else the house moves first."""
    monkeypatch.setattr(game_page, "awaits_house", lambda *_: True)
    ada = Guest(app, "Ada")
    path = ada.game()
    answer = ada.play(path, ada.choices(path)[0], **live)
    assert (303, path + part) == (answer.status_code, answer.headers["Location"])
