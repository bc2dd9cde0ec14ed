"""The desk fixtures of the service's tests, and a receiver, shared with the workers."""

from tests.service.conftest import desk, each_desk
from tests.workers.hooked_game import here, lite, receiver

__all__ = ["desk", "each_desk", "here", "lite", "receiver"]
