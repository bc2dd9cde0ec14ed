"""A player whose mail has stopped sees it on every page."""

import pytest
from flask import Flask

from service.desk import Desk
from service.people import addresses
from store.people import accounts
from tests.site.visiting import Guest

BANNER = "We have stopped our mail to ada@example.org"


def _account(desk: Desk) -> str:
    with desk.database.writing() as tx:
        (account,) = accounts.with_address(tx, "ada@example.org")
        accounts.change(tx, account.id, {"email_confirmed": desk.now()})
    return account.id


def _pages(app: Flask, ada: Guest) -> list[str]:
    """Every page of the site that has a fixed URL, and pages of a game, a board and an error."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    fixed = [rule.rule for rule in rules if not rule.arguments]
    pages = [url for url in fixed if _is_page(ada, url)]
    return [*pages, ada.game(), "/boards/usa", "/nowhere"]


def _is_page(ada: Guest, url: str) -> bool:
    response = ada.web.get(url, headers={"Accept": "text/html"})
    return response.status_code == 200 and '<main id="main"' in response.text


def test_a_muted_player_sees_it_on_every_page(app: Flask, desk: Desk) -> None:
    """Every page has a banner that leads to the settings; without a bounce none has it."""
    ada = Guest(app, "Ada")
    account = _account(desk)
    pages = _pages(app, ada)
    assert {"/", "/games", "/games/new", "/settings", "/ladder", "/boards"} <= {*pages}
    for url in pages:
        assert BANNER not in ada.web.get(url, headers={"Accept": "text/html"}).text
    addresses.record_complaint(desk, account, "ada@example.org")
    for url in pages:
        text = ada.web.get(url, headers={"Accept": "text/html"}).text
        assert (1, True) == (text.count(BANNER), 'href="/settings#mail"' in text), url


@pytest.mark.parametrize("url", ["/", "/games"])
def test_strangers_see_no_banner(app: Flask, desk: Desk, url: str) -> None:
    """The banner is for the account alone."""
    Guest(app, "Ada")
    addresses.record_complaint(desk, _account(desk), "ada@example.org")
    assert BANNER not in app.test_client().get(url).text
