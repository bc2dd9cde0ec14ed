"""Checks whether the service is ready, and whether the operator should look at something."""

from collections.abc import Sequence

from service.desk import Desk, StoreError
from service.notify import mail_providers
from service.notify.mail_providers import Counts
from service.people import address_fingerprints
from store import schema

LOST_KEY = (
    "none of SECRET_KEYS can decrypt the key of the opt-outs; put back the one that was in use, "
    "or give up the opt-outs: nightmail db forget-opt-outs"
)


def faults(desk: Desk) -> list[str]:
    """Return reasons why the service is not ready."""
    try:
        with desk.database.reading() as tx:
            revision = schema.revision(tx)
            lost = revision == schema.latest() and address_fingerprints.is_key_lost(desk, tx)
    except StoreError as error:
        cause = error.__cause__ or error  # the driver's error tells an operator more than ours
        return [f"the database does not answer ({type(cause).__name__})"]
    if revision != schema.latest():
        return [f"the database is at revision {revision}; run: nightmail db upgrade"]
    if lost:
        return [LOST_KEY]
    return []


def refusing_providers(desk: Desk) -> list[Counts]:
    """Return the mail providers that refuse most of our letters; none without the database."""
    try:
        return mail_providers.refusing(desk)
    except StoreError:  # `faults` reports it, and monitoring goes on
        return []


def warnings(refusing: Sequence[Counts]) -> list[str]:
    """Return what an operator should look at, although the service is ready.

    Anybody may read this, so it names no provider: few people may have an address there.
    """
    if not refusing:
        return []
    number = len(refusing)
    return [f"{number} mail provider(s) refuse most of our letters; see the log or /metrics"]
