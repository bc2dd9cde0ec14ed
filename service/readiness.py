"""Whether the service can do its work."""

from service.desk import Desk
from service.people import address_fingerprints
from store import schema

LOST_KEY = (
    "none of SECRET_KEYS opens the key that opt-outs are stored under; put back the one that was "
    "in use, or give the opt-outs up: nightmail db forget-opt-outs"
)


def faults(desk: Desk) -> list[str]:
    """What keeps the service from being ready."""
    try:
        with desk.database.reading() as tx:
            found = schema.revision(tx)
            lost = found == schema.latest() and address_fingerprints.is_key_lost(desk, tx)
    except Exception as error:  # noqa: BLE001  # whatever it is, we are not ready
        cause = error.__cause__ or error  # the store's own names tell an operator nothing
        return [f"the database does not answer ({type(cause).__name__})"]
    if found != schema.latest():
        return [f"the database is at revision {found}; run: nightmail db upgrade"]
    if lost:
        return [LOST_KEY]
    return []
