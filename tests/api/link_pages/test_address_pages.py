"""Pages that confirm an address, remove it or stop mail to it."""

from datetime import timedelta
from typing import Any

from flask.testing import FlaskClient

from service import account_deletion
from service.links import signed_links
from service.people import tokens
from store.people import accounts
from tests.support.mail_links import Place, choices, path, unconfirmed

DAY = timedelta(days=1)


def _account(place: Place, number: int = 0) -> Any:
    with place.desk.database.reading() as tx:
        return accounts.account(tx, place.players[number])


def test_an_address_is_confirmed(place: Place) -> None:
    """Yes confirms the address and allows mail to it again; a second yes is harmless."""
    account, link = unconfirmed(place)
    with place.desk.database.writing() as tx:
        accounts.change(tx, account, {"bounced": place.desk.now()})
    assert "cem@example.org" in place.web.get(link).text

    assert 200 == place.web.post(link, data={"choice": "yes"}).status_code
    with place.desk.database.reading() as tx:
        row = accounts.account(tx, account)
    assert row is not None
    assert row.email_confirmed is not None
    assert row.bounced is None
    again = place.web.post(link, data={"choice": "no"})
    assert (200, True) == (again.status_code, "Already done" in again.text)


def test_an_address_is_removed(place: Place) -> None:
    """No removes the address from the account for good."""
    account, link = unconfirmed(place)

    assert 200 == place.web.post(link, data={"choice": "no"}).status_code
    with place.desk.database.reading() as tx:
        row = accounts.account(tx, account)
    assert row is not None
    assert (None, None) == (row.email, row.email_confirmed)
    assert 409 == place.web.post(link, data={"choice": "yes"}).status_code


def test_a_changed_address_is_not_confirmed(place: Place) -> None:
    """The link for an address that has been changed since is stale."""
    account, link = unconfirmed(place)
    with place.desk.database.writing() as tx:
        accounts.change(tx, account, {"email": "other@example.org"})

    assert 409 == place.web.get(link).status_code
    assert 409 == place.web.post(link, data={"choice": "yes"}).status_code
    assert "example.org" not in place.web.get(link).text


def test_confirming_has_its_time(place: Place) -> None:
    """A link to confirm an address is valid for 14 days."""
    account, link = unconfirmed(place)

    with place.later(13 * DAY):
        assert 200 == place.web.get(link).status_code
    with place.later(15 * DAY):
        assert 410 == place.web.post(link, data={"choice": "yes"}).status_code
    account_deletion.delete(place.desk, tokens.Caller(account, "", frozenset()))
    assert 410 == place.web.get(link).status_code
    assert 410 == place.web.post(link, data={"choice": "yes"}).status_code


def test_stopping_mail_can_be_undone(place: Place) -> None:
    """One choice stops mail about a game or all mail, and another choice resumes it."""
    stop = path(signed_links.unsubscribe(place.desk, place.players[0], place.game))
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
