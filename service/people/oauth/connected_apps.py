"""The list of connected apps in the settings, and tidying what has expired."""

from datetime import timedelta

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.idempotency import Document
from service.memory.news import of_account
from service.people.tokens import Caller
from store import timestamps
from store.people import oauth_codes, oauth_devices, oauth_grants

KEPT = timedelta(days=1)
"""How long codes are kept after they expired, so that a reused one is still noticed."""
BATCH = 500
"""Expired grants that are deleted in one transaction."""


def listed(desk: Desk, caller: Caller) -> list[Document]:
    """List the apps that are connected to the caller's account, the newest first."""
    now = desk.now()
    with desk.database.reading() as tx:
        grants = oauth_grants.of_account(tx, caller.account)
    return [
        {
            "id": grant.id,
            "client": grant.client,
            "returns_to": grant.returns_to,
            "scopes": grant.scopes.split(),
            "created": grant.created,
            "refreshed": grant.refreshed,
        }
        for grant in sorted(grants, key=lambda grant: grant.created, reverse=True)
        if grant.expires > now
    ]


def disconnect(desk: Desk, caller: Caller, id: str) -> None:
    """End the access of an app; its tokens stop working at once."""
    with desk.database.writing() as tx:
        ended = oauth_grants.end(tx, caller.account, id)
    if not ended:
        raise refusals.not_found(say("This app is not connected any more."))
    desk.news.publish(of_account(caller.account))


def tidy(desk: Desk) -> None:
    """Delete expired grants with their tokens, and old codes."""
    now = desk.now()
    with desk.database.writing() as tx:
        for grant in oauth_grants.expired(tx, now, BATCH):
            oauth_grants.end(tx, grant.account, grant.id)
        oauth_codes.forget(tx, timestamps.later(now, -KEPT))
        oauth_devices.forget(tx, timestamps.later(now, -KEPT))
