"""Desk: what every use case works with."""

from typing import NamedTuple

from service.bell import Bell
from service.pages import Pages
from service.positions import Positions
from service.settings import Settings
from store import schema
from store.database import Database


class Desk(NamedTuple):
    settings: Settings
    database: Database
    positions: Positions
    pages: Pages
    bell: Bell

    def faults(self) -> list[str]:
        """What keeps the service from being ready."""
        try:
            with self.database.reading() as tx:
                found = schema.revision(tx)
        except Exception as error:  # noqa: BLE001  # whatever it is, we are not ready
            return [f"the database does not answer ({type(error).__name__})"]
        if found != schema.latest():
            return [f"the database is at revision {found}; run: nightmail db upgrade"]
        return []


def open_desk(settings: Settings) -> Desk:
    """Everything at hand, on the database that the settings name."""
    places = max(1, settings.web_threads * 3 // 4)  # the other threads answer at once
    return Desk(settings, Database(settings.database_url), Positions(), Pages(), Bell(places))
