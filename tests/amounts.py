"""How much the large tests do: a sample in `make test`, everything in `make soak`."""

import os

SOAKING = os.environ.get("NIGHTMAIL_SOAK") == "1"


def amount(sample: int, *, soak: int) -> int:
    """Return the number of cases, rounds or pairs that a test runs this time."""
    return soak if SOAKING else sample
