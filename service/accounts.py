"""Accounts: making one, looking at it, changing it, and taking every trace of it away."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from engine.tongue import say, says
from service import addresses, calendar, clocks, links, lobby, names, profile, refusals, tokens
from service.desk import Desk
from service.idempotency import NEW, Document, gone, once
from service.ids import new_id
from service.tokens import SCOPES, Caller
from store import accounts, answers, clock, games, invitations
from store import notices as outbox
from store.accounts import Account, Token
from store.answers import Answer
from store.notices import Notice

CREATED = ""
"""The key under which an account keeps how it was made; no caller can send it."""
SHORTEST_KEY = 16
KINDS = ("person", "bot")
ATTEMPTS = 5


class _StillThere(Exception):
    """The account has sat down at a table while it was leaving them."""


def create(desk: Desk, wanted: Mapping[str, Any], key: str | None) -> Document:
    """A new account and its first token."""
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

    def run(tx: Connection) -> Document:
        add(tx, account, name_key)
        all_scopes = " ".join(SCOPES)
        token = Token(minted.id, account.id, "first", all_scopes, account.created, None)
        made.update(
            account=_document(account, account.created), token=tokens.keep(tx, minted, token)
        )
        if key is not None:
            answer = Answer(b"", json.dumps(made))
            answers.keep(tx, account.id, CREATED, answer, account.created)
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
        time_zone=profile.time_zone(wanted.get("time_zone", "UTC")),
        email=profile.email(email) if email is not None else None,
        email_confirmed=None,
        bounced=None,
        new_email=None,
        new_email_until=None,
        hooks=0,
        settings={
            "notifications": dict(profile.NOTIFICATIONS),
            "absences": [],
            "asked": [at] if email is not None else [],
        },
        created=at,
    )
    return account, names.skeleton(name)


def add(tx: Connection, account: Account, name_key: str) -> None:
    """Store a new account, and ask whether its address is theirs."""
    if accounts.named(tx, name_key) is not None:
        raise _name_taken()
    accounts.add(tx, account._asdict() | {"name_key": name_key})
    if account.email:
        outbox.add(tx, [Notice(account.id, "confirm_address")], account.created)


def _made_before(desk: Desk, account: str) -> Document:
    with desk.database.reading() as tx:
        answer = answers.find(tx, account, CREATED)
    if answer is None:
        raise refusals.Refused(
            "idempotency_mismatch", say("The account that this key has made was deleted.")
        )
    document: Document = json.loads(answer.body)
    return document


def me(desk: Desk, caller: Caller) -> Document:
    """The caller's account, as only its owner sees it."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, caller.account)
    if account is None:
        raise gone()
    return _with_calendar(desk, _document(account, desk.now()), calendar.number(account))


def change(desk: Desk, caller: Caller, wanted: Mapping[str, Any]) -> Document:
    """Change what is named, and leave the rest."""
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
                clocks.time_again(tx, before.id, desk.now())
            outbox.add(tx, list(addresses.notices(before, after, desk.now())), desk.now())
    except IntegrityError:  # somebody has taken the name since we looked
        raise _name_taken() from None
    desk.doorbell.ring()
    return _with_calendar(desk, _document(after, desk.now()), calendar.number(after))


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
        after = after._replace(time_zone=profile.time_zone(wanted["time_zone"]))
    if "email" in wanted:
        after = addresses.changed(after, wanted["email"], now)
    settings = dict(after.settings)
    if "challenges" in wanted:
        settings["challenges"] = wanted["challenges"]
    if "notifications" in wanted:
        settings["notifications"] = profile.notifications(
            settings["notifications"], wanted["notifications"]
        )
    if "absences" in wanted:
        today = clock.read(now).astimezone(profile.zone(after.time_zone)).date()
        settings["absences"] = profile.absences(settings["absences"], wanted["absences"], today)
    return after._replace(settings=settings)


def _free_name(tx: Connection, before: Account, after: Account) -> str:
    name_key = names.skeleton(after.name)
    if name_key != names.skeleton(before.name) and accounts.named(tx, name_key) is not None:
        raise _name_taken()
    return name_key


def _name_taken() -> refusals.Refused:
    return refusals.Refused("name_taken", say("Somebody has this name, or one too much like it."))


def delete(desk: Desk, caller: Caller) -> None:
    """Leave every table and take away everything personal; the logs stay as they are."""
    for _ in range(ATTEMPTS):
        lobby.leave_all(desk, caller.account)
        try:
            with desk.database.writing() as tx:
                _remove(tx, caller.account)
        except _StillThere:
            continue
        desk.database.scrub()
        return
    raise refusals.Refused("rate_limited", say("You are sitting down and leaving."), retry_after=1)


def _remove(tx: Connection, account: str) -> None:
    # Tables come before the account, as in every other transaction that needs both.
    games.touch_all_of(tx, account)
    # PostgreSQL lets nobody refer to a row of which a unique value changes: so nobody sits down
    # or writes between our look and the end.
    accounts.change(tx, account, {"name_key": f"gone {account}"})
    going = games.tables(tx, [game for game, _ in games.running_of(tx, account)])
    for table in going:
        seat = table.seat_of(account)
        if seat and not seat.resigned:
            raise _StillThere
    answers.forget_of(tx, account)
    found = accounts.account(tx, account)
    if found and found.email:
        invitations.forget(tx, found.email)
    accounts.remove(tx, account)


def _with_calendar(desk: Desk, document: Document, number: int) -> Document:
    """An account with its link, which is signed anew each time and stored nowhere."""
    return document | {"calendar": links.calendar(desk, document["id"], number)}


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
