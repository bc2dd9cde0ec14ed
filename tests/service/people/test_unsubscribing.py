"""The page behind the unsubscribe link of a letter."""

from typing import Any

import pytest

from service.desk import Desk
from service.people import accounts, unsubscribing
from service.people.tokens import Caller
from tests.service.support.tables import player, table
from tests.service.support.timing import seat_at


def _payload(account: str, game: str | None = None) -> dict[str, Any]:
    return {"account": account, "game": game}


def _mode(desk: Desk, account: str) -> str:
    mode: str = accounts.me(desk, Caller(account, "", frozenset()))["notifications"]["mode"]
    return mode


def test_the_page_shows_what_is_stopped(desk: Desk) -> None:
    """The page says whether mail is off or the game muted, and opening it changes nothing."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    page = unsubscribing.unsubscribe_page(desk, _payload(ada, game))

    assert ("open", False, False) == (page["stands"], page["off"], page["muted"])
    assert "each_turn" == _mode(desk, ada)


@pytest.mark.parametrize("choice", ["game", unsubscribing.ONE_CLICK])
def test_mail_about_one_game_is_stopped_and_resumed(desk: Desk, choice: str) -> None:
    """Mail about one game is stopped and resumed, for this game and this player only."""
    game, (ada, ben) = table(desk, "Ada", "Ben")

    page = unsubscribing.unsubscribe_page(desk, _payload(ada, game), choice)
    assert ("stopped", True) == (page["stands"], page["muted"])
    assert "each_turn" == _mode(desk, ada)
    assert seat_at(desk, game, ben).muted is None
    page = unsubscribing.unsubscribe_page(desk, _payload(ada, game), "again")
    assert ("resumed", False) == (page["stands"], page["muted"])


@pytest.mark.parametrize("choice", ["all", unsubscribing.ONE_CLICK])
def test_all_mail_is_stopped_and_resumed(desk: Desk, choice: str) -> None:
    """All mail is stopped, and resumed with mail about each turn."""
    ada = player(desk, "Ada")

    assert "stopped" == unsubscribing.unsubscribe_page(desk, _payload(ada), choice)["stands"]
    assert "off" == _mode(desk, ada)
    assert "resumed" == unsubscribing.unsubscribe_page(desk, _payload(ada), "again")["stands"]
    assert "each_turn" == _mode(desk, ada)


@pytest.mark.parametrize(("choice", "state"), [("keep", "kept"), ("nonsense", "unchosen")])
def test_other_choices_change_nothing(desk: Desk, choice: str, state: str) -> None:
    """Keeping the mail, or a choice that does not exist, changes nothing."""
    ada = player(desk, "Ada")

    assert state == unsubscribing.unsubscribe_page(desk, _payload(ada), choice)["stands"]
    assert "each_turn" == _mode(desk, ada)


@pytest.mark.parametrize("choice", [None, "all", "again"])
def test_a_deleted_account_has_no_page(desk: Desk, choice: str | None) -> None:
    """For an account that does not exist the page is gone, whatever the choice."""
    page = unsubscribing.unsubscribe_page(desk, _payload("nobody"), choice)

    assert {"stands": "gone"} == page
