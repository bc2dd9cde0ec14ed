"""Authorization codes, which an app exchanges for tokens once, within two minutes."""

import secrets
from datetime import timedelta

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.ids import encoded
from service.memory.news import of_account
from service.people import tokens
from service.people.oauth import grants
from service.people.oauth.clients import redirect_of
from service.people.oauth.grants import Approval, TokenTexts, digest_of
from store import timestamps
from store.database import Transaction
from store.people import accounts, oauth_codes, oauth_grants
from store.people.oauth_codes import AuthorizationCode

LIFETIME = timedelta(minutes=2)


def new_text() -> str:
    """Return the text of a new code."""
    return f"nmc_{encoded(secrets.randbits(256), 43)}"


def store(desk: Desk, text: str, approval: Approval, redirect_uri: str, challenge: str) -> None:
    """Store a code for what somebody has approved."""
    with desk.database.writing() as tx:
        lock_session(tx, approval.account, approval.session)
        code = AuthorizationCode(
            hash=digest_of(text),
            account=approval.account,
            client=approval.client,
            redirect_uri=redirect_uri,
            challenge=challenge,
            scopes=approval.scopes,
            session=approval.session,
            expires=timestamps.later(desk.now(), LIFETIME),
        )
        oauth_codes.add(tx, code)


def lock_session(tx: Transaction, account: str, session: str) -> None:
    """Lock an account; refuse a session of it that has ended since it was read."""
    tokens.lock_account(tx, account)
    if accounts.token(tx, session) is None:
        raise refusals.Refused("unauthenticated", say("You have been signed out."))


def unused(desk: Desk, text: str, client: str) -> AuthorizationCode | None:
    """Return the code with this text, if this app may still use it.

    A code that comes again was stolen, before or after the app used it: its grant ends.
    """
    with desk.database.reading() as tx:
        code = oauth_codes.by_hash(tx, digest_of(text))
    if code is None or code.client != client:
        return None
    if code.grant is not None:
        _end(desk, code, code.grant)
        return None
    return code if code.expires > desk.now() else None


def redeem(desk: Desk, code: AuthorizationCode, texts: TokenTexts) -> bool:
    """Begin the grant of a code; if the code was used meanwhile, end that grant instead."""
    with desk.database.writing() as tx:
        tokens.lock_account(tx, code.account)
        stored = oauth_codes.by_hash(tx, code.hash)
        if stored is None:  # its session was ended, or the account deleted
            return False
        if stored.grant is None:
            redirect = redirect_of(code.redirect_uri)
            returns_to = redirect.origin if redirect else None
            approval = Approval(code.account, code.client, returns_to, code.scopes, code.session)
            oauth_codes.use(tx, code.hash, grants.begin(desk, tx, approval, texts))
            return True
    _end(desk, stored, stored.grant)
    return False


def _end(desk: Desk, code: AuthorizationCode, grant: str) -> None:
    with desk.database.writing() as tx:
        oauth_grants.end(tx, code.account, grant)
    desk.news.publish(of_account(code.account))
