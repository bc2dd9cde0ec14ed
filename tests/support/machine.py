"""Keeps the machine's environment variables away from the tests and the benchmarks."""

import os
import time
import zoneinfo
from collections.abc import MutableMapping

from service.settings import ROWS

PREFIXES = ("PG", "LANG", "LC_", "NODE_")  # PG: libpq would connect elsewhere, or ask for TLS
SUFFIXES = ("_proxy",)  # requests to the loopback would leave the machine
FIXED = {
    "TZ": "UTC",
    "PYTHONTZPATH": "",  # time zones then come from the locked tzdata
}


def is_the_machines(name: str) -> bool:
    """Whether a variable changes how our programs behave, for example a setting of Nightmail."""
    return name in ROWS or name.startswith(PREFIXES) or name.lower().endswith(SUFFIXES)


def clean(environ: MutableMapping[str, str]) -> None:
    """Remove the machine's variables from an environment, and set those with fixed values."""
    for name in [name for name in environ if is_the_machines(name)]:
        del environ[name]
    environ.update(FIXED)


def forget() -> None:
    """Clean the environment of this process and of all that it starts."""
    clean(os.environ)
    time.tzset()
    zoneinfo.reset_tzpath()
