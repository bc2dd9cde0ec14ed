"""The desk fixtures of the service's tests, shared with the workers."""

from tests.service.conftest import desk, each_desk

__all__ = ["desk", "each_desk"]
