"""The command `rematch`."""

import pytest

from service.desk import Desk
from service.games import rematches
from tests.service.support.post import opened


def test_a_rematch_counts_as_a_change(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rematch` is always answered; as a reply to table talk it is a message."""
    post = opened(desk)
    opened_once = rematches.Rematch(post.game, "USA", (), ())
    monkeypatch.setattr(rematches, "open_rematch", lambda *_: opened_once)
    monkeypatch.setattr(rematches, "sentence", lambda _: "A rematch is open.")

    assert post.carry_out("rematch").changed
    post.answer_talk("Rematch!")
    assert ["Rematch!"] == post.messages()
