"""One running service for all client tests of a test worker."""

from collections.abc import Iterator

import pytest

from tests.clients.running import Service, running


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service on a socket, with a database file."""
    with running() as started:
        yield started
