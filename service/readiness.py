"""Whether the service can do its work."""

from service.desk import Desk
from store import schema


def faults(desk: Desk) -> list[str]:
    """What keeps the service from being ready."""
    try:
        with desk.database.reading() as tx:
            found = schema.revision(tx)
    except Exception as error:  # noqa: BLE001  # whatever it is, we are not ready
        return [f"the database does not answer ({type(error).__name__})"]
    if found != schema.latest():
        return [f"the database is at revision {found}; run: nightmail db upgrade"]
    return []
