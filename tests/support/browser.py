"""A real browser: the locked Chromium, driven by Playwright, which reaches only the loopback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.support.missing_programs import skip_or_fail
from tools import browser as locked_browser

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-gpu",  # so that pages look the same whatever graphics the machine has
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Run a browser for tests; where there is none, skip the test, or fail it in CI."""
    if reason := locked_browser.missing():
        skip_or_fail(reason)
    # Playwright's own Node needs libatomic, which small systems lack.
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(locked_browser.NODE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=locked_browser.PROGRAM,
            args=FLAGS,
            env={**locked_browser.environment()},
            # Root may not use the sandbox, and others only where the kernel has user namespaces.
            # The browser loads only our own pages from the loopback, so it needs no sandbox.
            chromium_sandbox=False,
        )
        try:
            yield browser
        finally:
            browser.close()
