"""Accounts: making one, looking at it and changing it."""

import json
from collections.abc import Mapping
from typing import Any

from engine.translate import say, says
from service import refusals
from service.clocks import retiming, time_zones
from service.desk import Desk
from service.i18n import times
from service.idempotency import NEW, Document, gone, once
from service.ids import new_id
from service.links import signed_links
from service.people import addresses, names, profile, tokens
from service.people.tokens import SCOPES, Caller
from store import recorded_answers, timestamps
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.notify import notices
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account, Token
from store.recorded_answers import Answer

CREATED = ""
"""The key under which an account keeps how it was made; no caller can send it."""
SHORTEST_KEY = 16
KINDS = ("person", "bot")
ZONE_KNOWN = "zone_known"
"""Whether somebody or their browser has said where they are; if not, they have UTC for now."""


def create(
    desk: Desk, wanted: Mapping[str, Any], key: str | None, source: str | None = None
) -> Document:
    """A new account and its first token; `source` is the client address that asks."""
    if key is not None and len(key) < SHORTEST_KEY:
        # Whoever knows it is given the token, so it has to be hard to guess.
        raise refusals.unreadable(
            says(
                "must have at least {n} character here.",
                "must have at least {n} characters here.",
                SHORTEST_KEY,
            ),
            "Idempotency-Key",
        )
    account, name_key = new(wanted, desk.now())
    minted = tokens.mint(desk, NEW, key)
    made: Document = {}

    def run(tx: Transaction) -> Document:
        add(desk, tx, account, name_key, source)
        all_scopes = " ".join(SCOPES)
        token = Token(minted.id, account.id, "first", all_scopes, account.created, None)
        made.update(
            account=_document(account, account.created), token=tokens.keep(tx, minted, token)
        )
        if key is not None:
            answer = Answer(b"", json.dumps(made))
            recorded_answers.keep(tx, account.id, CREATED, answer, account.created)
        # Name and address stand in the account's own answers, which go with it.
        return {"account": account.id}

    kept, before = once(desk, NEW, "create_account", key, wanted, run)
    desk.doorbell.ring()
    document = _made_before(desk, kept["account"]) if before else made
    return {
        "account": _with_calendar(desk, document["account"], 0),
        "token": tokens.shown(desk, document["token"], minted, NEW, key),
    }


def new(wanted: Mapping[str, Any], at: str) -> tuple[Account, str]:
    """An account as it is wanted, and the key of its name; nothing is stored yet."""
    email = wanted.get("email")
    name = names.line(wanted["name"], names.LONGEST_NAME, "name")
    if wanted.get("kind", "person") not in KINDS:
        raise refusals.unreadable(say("must be person or bot."), "kind")
    account = Account(
        id=new_id(),
        name=name,
        kind=wanted.get("kind", "person"),
        locale=profile.locale(wanted.get("locale", "en")),
        time_zone=time_zones.time_zone(wanted.get("time_zone", "UTC")),
        email=profile.email(email) if email is not None else None,
        email_confirmed=None,
        bounced=None,
        new_email=None,
        new_email_until=None,
        hooks=0,
        settings={
            ZONE_KNOWN: "time_zone" in wanted,
            "notifications": dict(profile.NOTIFICATIONS),
            "absences": [],
            "asked": [at] if email is not None else [],
        },
        created=at,
    )
    return account, names.skeleton(name)


def add(
    desk: Desk, tx: Transaction, account: Account, name_key: str, source: str | None = None
) -> None:
    """Store a new account, and ask whether its address is theirs."""
    if accounts.named(tx, name_key) is not None:
        raise name_taken()
    accounts.add(tx, account._asdict() | {"name_key": name_key})
    if account.email:
        told = [Notice(account.id, addresses.ASKS)]
        asked = addresses.admitted(desk, tx, told, account, source)
        notices.add(tx, asked, account.created)


def _made_before(desk: Desk, account: str) -> Document:
    with desk.database.reading() as tx:
        answer = recorded_answers.find(tx, account, CREATED)
    if answer is None:
        raise refusals.made_and_gone(say("The account that this request has made was deleted."))
    document: Document = json.loads(answer.body)
    return document


def me(desk: Desk, caller: Caller) -> Document:
    """The caller's account, as only its owner sees it."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, caller.account)
    if account is None:
        raise gone()
    return _with_calendar(desk, _document(account, desk.now()), profile.calendar_number(account))


def change(
    desk: Desk, caller: Caller, wanted: Mapping[str, Any], source: str | None = None
) -> Document:
    """Change what is named, and leave the rest; `source` is the client address that asks.

    Whoever reads the mail of the account can sign in, so another address takes every scope.
    """
    if "email" in wanted:
        tokens.require_every_scope(caller)
    try:
        with desk.database.writing() as tx:
            if "name" in wanted:  # tables come before the account, as everywhere
                games.touch_all_of(tx, caller.account)
            elif "absences" in wanted or "time_zone" in wanted:
                games.touch_all_of(tx, caller.account, "open", "running")
            before = tokens.held(tx, caller.account)
            after = _changed(before, wanted, desk.now())
            values: Document = {
                name: value
                for name, value in after._asdict().items()
                if value != getattr(before, name)
            }
            if "name" in values:
                values["name_key"] = _free_name(tx, before, after)
            if values:
                accounts.change(tx, before.id, values)
            if _away(before) != _away(after):
                retiming.time_again(tx, before.id, desk.now())
            told = addresses.notices_of_change(before, after, desk.now())
            notices.add(tx, addresses.admitted(desk, tx, told, after, source), desk.now())
    except Clash:  # somebody has taken the name since we looked
        raise name_taken() from None
    desk.doorbell.ring()
    return _with_calendar(desk, _document(after, desk.now()), profile.calendar_number(after))


def learn_zone(desk: Desk, account: str, said: str | None) -> None:
    """Let an account that has never said where it is have the zone that its browser names."""
    time_zone = time_zones.zone_of_browser(said or "")
    with desk.database.reading() as tx:
        found = accounts.account(tx, account)
    if time_zone is None or found is None:
        return
    if not found.settings.get(ZONE_KNOWN, found.time_zone != "UTC"):
        change(desk, Caller(account, "", frozenset()), {"time_zone": time_zone})


def _away(account: Account) -> tuple[str, Any]:
    """What deadlines hang on."""
    return account.time_zone, account.settings["absences"]


def _changed(before: Account, wanted: Mapping[str, Any], now: str) -> Account:
    after = before
    if "name" in wanted:
        after = after._replace(name=names.line(wanted["name"], names.LONGEST_NAME, "name"))
    if "locale" in wanted:
        after = after._replace(locale=profile.locale(wanted["locale"]))
    if "time_zone" in wanted:
        after = after._replace(time_zone=time_zones.time_zone(wanted["time_zone"]))
    if "email" in wanted:
        after = addresses.changed(after, wanted["email"], now)
    settings = dict(after.settings)
    if "challenges" in wanted:
        settings["challenges"] = wanted["challenges"]
    if "time_zone" in wanted:
        settings[ZONE_KNOWN] = True
    if "notifications" in wanted:
        settings["notifications"] = profile.notifications(
            settings["notifications"], wanted["notifications"]
        )
    if "absences" in wanted:
        today = timestamps.read(now).astimezone(times.zone(after.time_zone)).date()
        settings["absences"] = profile.absences(settings["absences"], wanted["absences"], today)
    return after._replace(settings=settings)


def _free_name(tx: Transaction, before: Account, after: Account) -> str:
    name_key = names.skeleton(after.name)
    if name_key != names.skeleton(before.name) and accounts.named(tx, name_key) is not None:
        raise name_taken()
    return name_key


def name_taken() -> refusals.Refused:
    """Refuse a name that somebody has."""
    return refusals.Refused("name_taken", say("Somebody has this name, or one too much like it."))


def _with_calendar(desk: Desk, document: Document, number: int) -> Document:
    """An account with its link, which is signed anew each time and stored nowhere."""
    return document | {"calendar": signed_links.calendar(desk, document["id"], number)}


def _document(account: Account, now: str) -> Document:
    new_email = addresses.waiting(account, now)
    return {
        "id": account.id,
        "name": account.name,
        "kind": account.kind,
        "locale": account.locale,
        "time_zone": account.time_zone,
        "email": account.email,
        "email_confirmed": account.email_confirmed is not None,
        "bounced": account.bounced,
        "new_email": new_email,
        "new_email_until": account.new_email_until if new_email else None,
        "notifications": account.settings["notifications"],
        "absences": account.settings["absences"],
        "challenges": account.settings.get("challenges", False),
        "created": account.created,
    }
