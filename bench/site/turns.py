"""Play whole games by pressing: presses and scrolls per turn, time to the changed page, bytes.

A person plays against one bot on every board, on a screen of 1280 × 800 pixels and on one of
390 × 844, until the game is over. The times are from a press to the changed page in Chromium, on
the same machine as the server; the moment for which a draw from the deck can be cancelled does
not count.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Locator, Page

from bench.table import Goal, verdict
from service.boards import board_documents
from tests.promises.support.web_server import running_web
from tests.site.browser.browser_seat import MIDDLE, Seat
from tests.site.visiting import sign_up
from tests.support.browser import running_browser

SCREENS = {
    "large": {"width": 1280, "height": 800},
    "small": {"width": 390, "height": 844},
}
FIRST = Goal("first visit of a game page", "kB", bar=350, least=False)
UPDATE = Goal("largest update", "kB", bar=60, least=False)
TIME = Goal("press to changed page, median", "ms", bar=150, least=False)
SERVER = Goal("of which the server, median", "ms", least=False)
SHIFT = Goal("layout shift", "", bar=0, least=False)
PRESSES = Goal("presses per turn", "", least=False)
SCROLLS = Goal("scrolls per turn", "", least=False)
PAGES = ("Document", "Fetch")
MOMENT = 1000.0
"""Milliseconds for which a draw from the deck waits on purpose before it is sent."""
WATCH = """() => {
    window.turns = {times: [], shifts: []};
    let pressed = 0, sent = 0, chosen = -1000;
    addEventListener('click', event => chosen = pressed = event.timeStamp, true);
    addEventListener('submit', () => { sent = pressed; chosen = -1000; }, true);
    const isPart = node => node.dataset && node.dataset.part;
    new MutationObserver(changes => {
        if (!sent || !changes.some(change => [...change.addedNodes].some(isPart))) return;
        turns.times.push(performance.now() - sent);
        sent = 0;
    }).observe(document.querySelector('[data-live]'), {childList: true, subtree: true});
    new PerformanceObserver(list => {
        for (const {startTime, value, sources} of list.getEntries()) {
            const parts = sources.map(({node}) => node && node.parentElement).filter(Boolean);
            if (startTime - chosen > 500) turns.shifts.push(
                [value, parts.map(part => part.id || part.className).join()]);
        }
    }).observe({type: 'layout-shift'});
}"""
"""Measures from a press that sends something to the changed page, and layout shifts.

What changes within half a second of a press that sends nothing is not a shift: the box that a
press on the board opens, and the sentence about what is chosen.
"""
REACHED = """part => {
    const [x, y] = (%s)(part);
    const hit = document.elementFromPoint(x, y);
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && part.contains(hit);
}"""
MIDDLE_OF_BOX = """part => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


class Person(Seat):
    """A player whose presses and scrolls are counted."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, taps=False)
        self.presses = self.scrolls = self.turns = 0
        self.press = self._press

    def watch(self) -> None:
        """Begin to measure on this page."""
        self.page.evaluate(WATCH)
        self.presses = self.scrolls = self.turns = 0

    def measured(self) -> dict[str, Any]:
        """Return the times from press to changed page in milliseconds, and the layout shifts."""
        measured: dict[str, Any] = self.page.evaluate("turns")
        return measured

    def answer(self, seen: dict[str, Any]) -> None:
        """Answer a decision; the turn is over when no other one follows at once."""
        super().answer(seen)
        self.turns += not self.page.locator("#asked").count()

    def take_card(self) -> None:
        """Take a card, after the moment in which a press is the second half of a double one."""
        self.page.locator("html.resting").wait_for(state="detached")
        super().take_card()

    def _press(self, target: Locator) -> None:
        if target.get_attribute("type") == "radio" and target.is_checked():
            return
        self._uncover(target, MIDDLE_OF_BOX)
        self.presses += 1
        target.click()

    def _press_board(self, place: str) -> None:
        drawn = self.page.locator(f"#board [data-route='{place}'], #board [data-city='{place}']")
        self._uncover(drawn, MIDDLE)
        self.presses += 1
        self.page.mouse.click(*drawn.evaluate(MIDDLE))

    def _uncover(self, target: Locator, middle: str) -> None:
        """Scroll to what cannot be pressed where it is."""
        if not target.evaluate(REACHED % f"({middle})"):
            self.scrolls += 1
            target.evaluate("part => part.scrollIntoView({block: 'center', behavior: 'instant'})")


class Wire:
    """Counts the bytes that a browser receives, compressed and with headers, without a cache."""

    def __init__(self, session: CDPSession) -> None:
        self._kinds: dict[str, str] = {}
        self.received: list[tuple[str, float]] = []
        """The kind and the kilobytes of each response."""
        self.waits: list[float] = []
        """Milliseconds from sending each request for a page to its response."""
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.send("Network.setBypassServiceWorker", {"bypass": True})
        session.on("Network.responseReceived", self._responded)
        session.on("Network.loadingFinished", self._finished)

    def _responded(self, event: dict[str, Any]) -> None:
        self._kinds[event["requestId"]] = event["type"]
        timing = event["response"].get("timing")
        if timing and event["type"] in PAGES:
            self.waits.append(timing["receiveHeadersEnd"] - timing["sendEnd"])

    def _finished(self, event: dict[str, Any]) -> None:
        kind = self._kinds.get(event["requestId"], "")
        self.received.append((kind, event["encodedDataLength"] / 1000))


def run() -> Iterator[str]:
    """Yield the lines of every board and screen."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_web(f"sqlite:///{Path(folder)}/bench.db", "serve") as web,
        running_browser() as browser,
    ):
        url = f"http://127.0.0.1:{web.port}"
        for number, board in enumerate(board_documents.summaries()):
            for screen in SCREENS:
                yield from _game(browser, url, board["name"], screen, f"Ada{number}{screen}")


def _game(browser: Browser, url: str, board: str, screen: str, name: str) -> Iterator[str]:
    """Play a game to the end, and yield its figures."""
    context = browser.new_context(base_url=url, viewport=SCREENS[screen])  # type: ignore[arg-type]  # as Playwright names them
    page = context.new_page()
    person = Person(page)
    sign_up(page, name)
    person.open_table(board, easy="1")
    wire = Wire(context.new_cdp_session(page))
    page.reload()
    page.locator("#asked").wait_for()
    first = sum(size for _, size in wire.received)
    wire.received.clear()
    person.watch()
    person.play_out()
    measured = person.measured()
    times = [time - MOMENT if time > MOMENT else time for time in measured["times"]]
    for goal, value in (
        (FIRST, first),
        (UPDATE, max(size for kind, size in wire.received if kind in PAGES)),
        (TIME, median(times)),
        (SERVER, median(wire.waits)),
        (SHIFT, sum(value for value, _ in measured["shifts"])),
        (PRESSES, person.presses / person.turns),
        (SCROLLS, person.scrolls / person.turns),
    ):
        yield _line(goal, f"{board}, {screen} screen, {person.turns} turns", value)
    context.close()


def _line(goal: Goal, more: str, value: float) -> str:
    bar = f"at most {goal.bar:.0f}" if goal.bar is not None else ""
    text = f"{goal.what} ({more})"
    return f"{text:<66} {value:8.2f} {goal.unit:<3} {bar} {verdict(goal, value)}".rstrip()
