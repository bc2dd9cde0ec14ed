"""A real browser: Debian's chromium, driven by Playwright, which talks to nobody but us."""

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
INSTALL = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]


def found() -> str | None:
    """Where a browser is, if one is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def _installed() -> str | None:
    """The browser, which is fetched first if need be and if we may."""
    if found() is None and os.geteuid() == 0 and shutil.which(INSTALL[0]):
        warnings.warn(f"no browser is installed; trying: {' '.join(INSTALL)}", stacklevel=1)
        subprocess.run(INSTALL, check=False, capture_output=True, timeout=600)
    return found()


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser that a test may drive; without one the test is skipped, but not in CI."""
    path = _installed()
    if path is None:
        said = "this test needs a browser: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(said)
        pytest.skip(said)
    # As root, chromium runs only without its sandbox.
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            browser.close()
