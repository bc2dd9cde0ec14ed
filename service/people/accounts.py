"""Creates, reads and changes accounts."""

import json
from collections.abc import Mapping
from typing import Any

from engine.translate import say, says
from service import refusals
from service.clocks import retiming, time_zones
from service.desk import Desk
from service.i18n import times
from service.idempotency import NEW, Document, account_deleted, once
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
"""The idempotency key of the recorded answer to an account's creation; no caller can send it."""
SHORTEST_KEY = 16
"""Characters that an Idempotency-Key needs when an account is created with it."""
KINDS = ("person", "bot")
NOT_FOR_APPS = ("email", "bounced", "new_email", "new_email_until", "calendar")
"""What a connected app does not see: addresses, and a link that would outlive its access."""
ZONE_KNOWN = "zone_known"
"""The setting that says whether the time zone was chosen, and is not just the default, UTC."""


def create(
    desk: Desk, request: Mapping[str, Any], key: str | None, source: str | None = None
) -> Document:
    """Create an account and its first token; `source` is the client's IP address."""
    if key is not None and len(key) < SHORTEST_KEY:
        # Repeating the request with the same key returns the token, so it must be hard to guess.
        raise refusals.unreadable(
            says(
                "must have at least {n} character here.",
                "must have at least {n} characters here.",
                SHORTEST_KEY,
            ),
            "Idempotency-Key",
        )
    account, name_key = build(request, desk.now())
    minted = tokens.mint(desk, NEW, key)
    documents: Document = {}

    def run(tx: Transaction) -> Document:
        add(desk, tx, account, name_key, source)
        all_scopes = " ".join(SCOPES)
        token = Token(minted.id, account.id, "first", all_scopes, account.created, None)
        documents.update(
            account=_document(account, account.created), token=tokens.store_token(tx, minted, token)
        )
        if key is not None:
            answer = Answer(b"", json.dumps(documents))
            recorded_answers.keep(tx, account.id, CREATED, answer, account.created)
        # Nothing personal here: it is in the account's own answer, which is deleted with it.
        return {"account": account.id}

    record, is_replay = once(desk, NEW, "create_account", key, request, run)
    desk.wakeup.send()
    document = _recorded(desk, record["account"]) if is_replay else documents
    return {
        "account": _with_calendar(desk, document["account"], 0),
        "token": tokens.with_text(desk, document["token"], minted, NEW, key),
    }


def build(request: Mapping[str, Any], at: str) -> tuple[Account, str]:
    """Build an account from a request, and the key of its name; store nothing yet."""
    email = request.get("email")
    name = names.checked_line(request["name"], names.LONGEST_NAME, "name")
    if request.get("kind", "person") not in KINDS:
        raise refusals.unreadable(say("must be person or bot."), "kind")
    account = Account(
        id=new_id(),
        name=name,
        kind=request.get("kind", "person"),
        locale=profile.checked_locale(request.get("locale", "en")),
        time_zone=time_zones.checked_zone(request.get("time_zone", "UTC")),
        email=profile.checked_email(email) if email is not None else None,
        email_confirmed=None,
        bounced=None,
        new_email=None,
        new_email_until=None,
        hooks=0,
        settings={
            ZONE_KNOWN: "time_zone" in request,
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
    """Store a new account, and queue a letter that asks its owner to confirm the email address."""
    if accounts.id_by_name(tx, name_key) is not None:
        raise name_taken()
    accounts.add(tx, account._asdict() | {"name_key": name_key})
    if account.email:
        owed = [Notice(account.id, addresses.CONFIRM_ADDRESS)]
        allowed = addresses.allowed_notices(desk, tx, owed, account, source)
        notices.add(tx, allowed, account.created)


def _recorded(desk: Desk, account: str) -> Document:
    """Read the recorded answer to an account's creation, for a repeated request."""
    with desk.database.reading() as tx:
        answer = recorded_answers.find(tx, account, CREATED)
    if answer is None:
        raise refusals.made_and_gone(
            say("The account that this request created has been deleted since.")
        )
    document: Document = json.loads(answer.body)
    return document


def me(desk: Desk, caller: Caller) -> Document:
    """Return the caller's account as its owner sees it."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, caller.account)
    if account is None:
        raise account_deleted()
    document = _document(account, desk.now())
    if caller.is_app:
        return document | dict.fromkeys(NOT_FOR_APPS)
    return _with_calendar(desk, document, profile.calendar_number(account))


def change(
    desk: Desk, caller: Caller, changes: Mapping[str, Any], source: str | None = None
) -> Document:
    """Change the fields that are given; `source` is the client's IP address.

    Changing the email address takes every scope, because its reader can sign in by mail.
    """
    if "email" in changes:
        tokens.require_every_scope(caller)
    try:
        with desk.database.writing() as tx:
            if "name" in changes:  # lock tables before the account, as everywhere
                games.touch_all_of(tx, caller.account)
            elif "absences" in changes or "time_zone" in changes:
                games.touch_all_of(tx, caller.account, "open", "running")
            before = tokens.lock_account(tx, caller.account)
            after = _changed(before, changes, desk.now())
            values: Document = {
                name: value
                for name, value in after._asdict().items()
                if value != getattr(before, name)
            }
            if "name" in values:
                values["name_key"] = _free_name(tx, before, after)
            if values:
                accounts.change(tx, before.id, values)
            if _deadline_basis(before) != _deadline_basis(after):
                retiming.update_deadlines(tx, before.id, desk.now())
            owed = addresses.notices_of_change(before, after, desk.now())
            notices.add(tx, addresses.allowed_notices(desk, tx, owed, after, source), desk.now())
    except Clash:  # another request has taken the name since we looked
        raise name_taken() from None
    desk.wakeup.send()
    return _with_calendar(desk, _document(after, desk.now()), profile.calendar_number(after))


def learn_time_zone(desk: Desk, account: str, browser_zone: str | None) -> None:
    """Set the time zone of an account that has not chosen one to the browser's."""
    time_zone = time_zones.zone_of_browser(browser_zone or "")
    with desk.database.reading() as tx:
        row = accounts.account(tx, account)
    if time_zone is None or row is None:
        return
    if not row.settings.get(ZONE_KNOWN, row.time_zone != "UTC"):
        change(desk, Caller(account, "", frozenset()), {"time_zone": time_zone})


def _deadline_basis(account: Account) -> tuple[str, Any]:
    """Return the part of an account on which its deadlines depend."""
    return account.time_zone, account.settings["absences"]


def _changed(before: Account, changes: Mapping[str, Any], now: str) -> Account:
    after = before
    if "name" in changes:
        after = after._replace(name=names.checked_line(changes["name"], names.LONGEST_NAME, "name"))
    if "locale" in changes:
        after = after._replace(locale=profile.checked_locale(changes["locale"]))
    if "time_zone" in changes:
        after = after._replace(time_zone=time_zones.checked_zone(changes["time_zone"]))
    if "email" in changes:
        after = addresses.with_email(after, changes["email"], now)
    settings = dict(after.settings)
    if "challenges" in changes:
        settings["challenges"] = changes["challenges"]
    if "time_zone" in changes:
        settings[ZONE_KNOWN] = True
    if "notifications" in changes:
        settings["notifications"] = profile.merged_notifications(
            settings["notifications"], changes["notifications"]
        )
    if "absences" in changes:
        today = timestamps.read(now).astimezone(times.zone(after.time_zone)).date()
        settings["absences"] = profile.merged_absences(
            settings["absences"], changes["absences"], today
        )
    return after._replace(settings=settings)


def _free_name(tx: Transaction, before: Account, after: Account) -> str:
    name_key = names.skeleton(after.name)
    if name_key != names.skeleton(before.name) and accounts.id_by_name(tx, name_key) is not None:
        raise name_taken()
    return name_key


def name_taken() -> refusals.Refused:
    """Return the refusal of a name that is taken, or looks like one that is."""
    return refusals.Refused("name_taken", say("This name, or one very much like it, is taken."))


def _with_calendar(desk: Desk, document: Document, number: int) -> Document:
    """Add the calendar link, which is signed for each response and not stored."""
    return document | {"calendar": signed_links.calendar(desk, document["id"], number)}


def _document(account: Account, now: str) -> Document:
    new_email = addresses.pending_address(account, now)
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
