"""A calendar feed with an account's deadlines and absences."""

import hashlib
from datetime import date, timedelta
from typing import Any

from icalendar import Calendar, Event

from engine.translate import say
from service import refusals
from service.boards.board_documents import TaggedBody
from service.clocks.running_time import A_DAY
from service.desk import Desk
from service.i18n import catalogue
from service.idempotency import Document, once
from service.links import signed_links
from service.people import profile
from service.people.tokens import Caller, lock_account
from store import timestamps
from store.database import Transaction
from store.games import games
from store.games.games import Seated, Table
from store.people import accounts
from store.people.accounts import Account

REFRESH = timedelta(minutes=30)
"""How often calendar programs should load the feed."""
PRODUCT = "-//Nightmail//Deadlines and absences//EN"


def renew(desk: Desk, caller: Caller, key: str | None) -> Document:
    """Return a new link to the caller's calendar; the old one stops working."""

    def run(tx: Transaction) -> Document:
        account = lock_account(tx, caller.account)
        number = profile.calendar_number(account) + 1
        accounts.change(tx, account.id, {"settings": account.settings | {"calendar": number}})
        return {"number": number}

    link, is_replay = once(desk, caller.account, "renew_calendar", key, {}, run)
    if is_replay:
        _check_newest(desk, caller, link["number"])
    return {"calendar": signed_links.calendar(desk, caller.account, link["number"])}


def _check_newest(desk: Desk, caller: Caller, number: int) -> None:
    """Refuse to repeat a link that has stopped working."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, caller.account)
    if account is None or profile.calendar_number(account) != number:
        raise refusals.made_and_gone(say("A newer link has been created since."))


def feed(desk: Desk, token: str) -> TaggedBody:
    """Return the calendar behind a signed link, with its tag."""
    payload = signed_links.read(desk, "calendar", token)
    if payload is None:
        raise refusals.not_found(say("There is no such calendar."))
    with desk.database.reading() as tx:
        account = accounts.account(tx, payload["account"])
        if account is None or payload["number"] != profile.calendar_number(account):
            raise refusals.not_found(say("There is no such calendar."))
        places = games.awaited(tx, account.id, None, None)
        tables = games.tables(tx, [game for _, game in places])
    with catalogue.speaking_to(account.locale):
        text = _calendar(desk, account, tables).to_ical()
    return TaggedBody(hashlib.sha256(text).hexdigest()[:32], text)


def _calendar(desk: Desk, account: Account, tables: list[Table]) -> Calendar:
    """Return the calendar, in which nothing depends on the time, so that its tag is stable."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Nightmail")
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    for table in tables:
        seat = table.seat_of(account.id)
        if seat and seat.deadline:
            calendar.add_component(_deadline(desk, table, seat))
    for absence in account.settings["absences"]:
        calendar.add_component(_absence(desk, account, absence))
    return calendar


def _deadline(desk: Desk, table: Table, seat: Seated) -> Event:
    name = f"{table.id}-{seat.number}-{seat.decision_version}"
    event = _event(
        desk,
        name,
        say("Your move in {title}", title=table.title),
        timestamps.read(str(seat.awaited_since)),
    )
    event.add("dtstart", timestamps.read(str(seat.deadline)))
    event.add("url", f"{desk.settings.public_url}/v1/games/{table.id}")
    return event


def _absence(desk: Desk, account: Account, absence: dict[str, str]) -> Event:
    first, last = (date.fromisoformat(absence[name]) for name in ("from", "to"))
    name = f"absence-{account.id}-{absence['from']}"
    event = _event(desk, name, say("Away from Nightmail"), timestamps.read(account.created))
    event.add("dtstart", first)
    event.add("dtend", last + A_DAY)
    return event


def _event(desk: Desk, name: str, summary: str, stamp: Any) -> Event:
    event = Event()
    event.add("uid", f"{name}@{desk.settings.mail_domain}")
    event.add("dtstamp", stamp)
    event.add("summary", summary)
    event.add("class", "PRIVATE")
    event.add("transp", "TRANSPARENT")
    return event
