"""What becomes of a test that lacks a program to run."""

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test; fail it in CI, where what is not tested must not look as if it were."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
