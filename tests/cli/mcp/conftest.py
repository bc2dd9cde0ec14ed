"""Fixtures: a running service."""

from collections.abc import Iterator

import pytest

from tests.clients.running import Service, running


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service, as an operator starts it."""
    with running() as started:
        yield started
