"""Fixtures: the address of the service."""

import pytest

from service.desk import Desk
from tests.service.support.office import Office, office_at


@pytest.fixture
def office(desk: Desk) -> Office:
    """A desk at whose service address mail arrives."""
    return office_at(desk)
