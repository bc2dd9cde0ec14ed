"""A real browser: the locked Chromium, driven by Playwright, which talks to nobody but us."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.support.missing_programs import skip_or_fail
from tools import browser as locked

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-gpu",  # or it would look for the machine's graphics, and draw as they do
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser that a test may drive; without one the test is skipped, but not in CI."""
    if reason := locked.missing():
        skip_or_fail(reason)
    # Playwright's own Node needs a library (libatomic) that a small machine does not have.
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(locked.NODE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=locked.PROGRAM,
            args=FLAGS,
            env={**locked.environment()},
            # Root may not use the sandbox, and others only where the kernel has user namespaces.
            # The browser sees nothing but our own pages on the loopback, so it can do without.
            chromium_sandbox=False,
        )
        try:
            yield browser
        finally:
            browser.close()
