"""The desks of the service, for those who work without a request."""

from tests.service.conftest import desk, each_desk

__all__ = ["desk", "each_desk"]
