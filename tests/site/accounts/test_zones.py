"""Time zones: taken from the browser, and named wherever a time of day is shown."""

import re
from datetime import UTC, datetime

import pytest
from flask import Flask

from service.desk import Desk
from service.i18n import dates
from service.links import signed_links
from service.people import accounts, tokens
from store.games import invitations
from store.people import accounts as account_rows
from store.people.accounts import Account
from tests.site.visiting import Guest
from tests.support.mail_links import path

PARIS = "Europe/Paris"
ADDRESS = "ben@example.org"


def _account(desk: Desk, email: str) -> Account:
    with desk.database.reading() as tx:
        return account_rows.with_address(tx, email)[0]


@pytest.mark.parametrize(
    ("zone", "month", "shown"),
    [
        ("UTC", 1, "Thu 1 Jan 2026, 12:00 UTC"),
        (PARIS, 1, "Thu 1 Jan 2026, 13:00 CET"),
        (PARIS, 7, "Wed 1 Jul 2026, 14:00 CEST"),
        ("America/Sao_Paulo", 7, "Wed 1 Jul 2026, 09:00 UTC-03:00"),
        ("Asia/Kathmandu", 7, "Wed 1 Jul 2026, 17:45 UTC+05:45"),
    ],
)
def test_a_time_of_day_names_its_zone(zone: str, month: int, shown: str) -> None:
    """A time of day names its zone by its abbreviation, or by its offset from UTC."""
    assert shown == dates.short_time(datetime(2026, month, 1, 12, tzinfo=UTC), zone)


def test_every_time_on_a_page_names_its_zone(app: Flask) -> None:
    """Times of day in the text and in tooltips end with UTC, for members and for spectators."""
    ada = Guest(app, "Ada")
    game = ada.game(easy="0", seats="2", pace="days")
    Guest(app, "Ben").send(f"{game}/join", game)
    ada.send(f"{game}/say", game, text="hello")
    ada.send("/settings/tokens", "/settings", label="bot", scopes="read")
    for guest, page in [(ada, game), (ada, "/games"), (ada, "/settings"), (Guest(app), game)]:
        text = guest.web.get(page).text
        times = re.findall(r"<time [^>]*>([^<]*)<", text) + re.findall(r'title="([^"]*)"', text)
        clocks = [time for time in times if re.search(r"\d\d:\d\d", time)]
        assert clocks, page
        assert [] == [time for time in clocks if not time.endswith(" UTC")], page


def test_settings_name_the_zone_of_quiet_hours(app: Flask) -> None:
    """The settings say that quiet hours are in the account's time zone."""
    ada = Guest(app, "Ada")
    ada.send("/settings/profile", time_zone=PARIS)
    assert "These times are in your time zone, Europe/Paris." in ada.web.get("/settings").text


@pytest.mark.parametrize(("zone", "kept"), [(PARIS, PARIS), ("", "UTC"), ("Mars/Base", "UTC")])
def test_who_accepts_an_invitation_brings_a_zone(
    app: Flask, desk: Desk, zone: str, kept: str
) -> None:
    """The invitation form stores the zone that it sends; an empty or unknown one becomes UTC."""
    Guest(app, "Ada").game(easy="0", guests=ADDRESS)
    link = _invitation(desk)
    page = app.test_client().get(link)
    assert 'name="time_zone"' in page.text
    assert '<script src="/site/zone.js" defer></script>' in page.text
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    app.test_client().post(link, data={"choice": "new", "name": "Ben", "time_zone": zone})
    assert kept == _account(desk, ADDRESS).time_zone


def _invitation(desk: Desk) -> str:
    with desk.database.reading() as tx:
        (id,) = tx.exec_driver_sql("select id from invitations").scalars()
        assert invitations.invitation(tx, id) is not None
    return path(signed_links.invitation(desk, id))


def _known(desk: Desk, **more: str) -> str:
    """Create an account as the API does, with a confirmed address, and return its id."""
    body = {"name": "Ben", "email": ADDRESS, **more}
    account: str = accounts.create(desk, body, None)["account"]["id"]
    with desk.database.writing() as tx:
        account_rows.change(tx, account, {"email_confirmed": desk.now()})
    return account


def _sign_in(app: Flask, desk: Desk, account: str, zone: str) -> None:
    body = {"key": "k" * 32, "next": "/"}
    link = path(signed_links.sign_in(desk, account, ADDRESS, body, desk.now()))
    guest = Guest(app)
    assert 303 == guest.send(link, link, choice=account, time_zone=zone).status_code


def test_signing_in_brings_a_zone_to_who_has_none(app: Flask, desk: Desk) -> None:
    """Signing in stores the browser's zone for an account that has chosen none."""
    account = _known(desk)
    _sign_in(app, desk, account, PARIS)
    assert PARIS == _account(desk, ADDRESS).time_zone


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_a_zone_that_was_chosen_stays(app: Flask, desk: Desk, zone: str) -> None:
    """Signing in does not change a zone that was chosen, not even UTC."""
    account = _known(desk, time_zone=zone)
    _sign_in(app, desk, account, PARIS)
    assert zone == _account(desk, ADDRESS).time_zone


def test_utc_can_be_chosen_by_who_has_it_already(desk: Desk) -> None:
    """Setting the zone to UTC counts as a choice, which no browser overrides."""
    account = _known(desk)
    accounts.change(desk, tokens.Caller(account, "", frozenset()), {"time_zone": "UTC"})
    accounts.learn_time_zone(desk, account, "Asia/Tokyo")
    assert "UTC" == _account(desk, ADDRESS).time_zone


def test_a_zone_of_a_browser_can_be_changed(app: Flask, desk: Desk) -> None:
    """A zone learnt from a browser can be changed, and no browser changes it back."""
    account = _known(desk)
    _sign_in(app, desk, account, PARIS)
    caller = tokens.Caller(account, "", frozenset())
    accounts.change(desk, caller, {"time_zone": "UTC"})
    accounts.learn_time_zone(desk, account, "Asia/Tokyo")
    assert "UTC" == _account(desk, ADDRESS).time_zone


def test_signing_up_without_script_is_utc_until_a_browser_tells(app: Flask, desk: Desk) -> None:
    """Signing up with an empty zone stores UTC until a browser sends its zone."""
    Guest(app).send("/sign-up", "/sign-in", name="Ben", email=ADDRESS, time_zone="")
    account = _account(desk, ADDRESS)
    assert "UTC" == account.time_zone
    accounts.learn_time_zone(desk, account.id, PARIS)
    assert PARIS == _account(desk, ADDRESS).time_zone
