"""Checks whether the service is ready."""

from service.desk import Desk
from service.people import address_fingerprints
from store import schema

LOST_KEY = (
    "none of SECRET_KEYS can decrypt the key of the opt-outs; put back the one that was in use, "
    "or give up the opt-outs: nightmail db forget-opt-outs"
)


def faults(desk: Desk) -> list[str]:
    """Reasons why the service is not ready."""
    try:
        with desk.database.reading() as tx:
            revision = schema.revision(tx)
            lost = revision == schema.latest() and address_fingerprints.is_key_lost(desk, tx)
    except Exception as error:  # noqa: BLE001  # any error means that the service is not ready
        cause = error.__cause__ or error  # the driver's error tells an operator more than ours
        return [f"the database does not answer ({type(cause).__name__})"]
    if revision != schema.latest():
        return [f"the database is at revision {revision}; run: nightmail db upgrade"]
    if lost:
        return [LOST_KEY]
    return []
