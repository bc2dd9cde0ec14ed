from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browser import running_browser
from tools import browser as locked_browser


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_another_platform(monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str) -> None:
    """On a platform without the locked browser a test is skipped with a reason; in CI it fails."""
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("platform.machine", lambda: "arm64")

    reason = r"runs on Linux x86_64, and this is \w+ arm64"
    with pytest.raises(BaseException, match=reason) as raised:
        running_browser().__enter__()
    assert outcome == raised.type.__name__


def test_browser_that_is_not_unpacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before the browser is unpacked, the reason names the make target that unpacks it."""
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(locked_browser, "PROGRAM", tmp_path / "chromium")

    assert (
        "the locked browser is not unpacked yet: make .venv/browser.stamp"
        == locked_browser.missing()
    )


@pytest.mark.parametrize("family", ["system-ui", "serif", "monospace", "Arial", "DejaVu Sans"])
def test_text_is_drawn_with_the_locked_font(browser: Browser, family: str) -> None:
    """A page gets the locked font, whatever font family it names."""
    page = browser.new_page()
    page.set_content(f"<p style='font-family: {family}'>Montréal – Łódź</p>")
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    text = tools.send("DOM.querySelector", {"nodeId": root, "selector": "p"})
    fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": text["nodeId"]})["fonts"]
    page.close()

    assert ["Open Sans"] == [font["familyName"] for font in fonts]
