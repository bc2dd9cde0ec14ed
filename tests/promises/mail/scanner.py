"""An aggressive mail scanner: follows links, runs scripts, presses buttons and submits forms."""

import re
from contextlib import suppress
from email import message_from_bytes, policy
from typing import NamedTuple

from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from engine.text import clean
from service.desk import Desk
from service.notify import outbox
from service.notify.outbox import Delivery
from service.people import sessions
from tests.promises.support.http_calls import Reachable, Request, send
from tests.service.support.owing import claim_mail
from tests.support.mail_links import path
from workers.channels.mail.letters.compose import Composer

PREFETCH = [
    {"Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"X-Moz": "prefetch"},
    {"User-Agent": "Mozilla/5.0 (compatible; a scanner)", "Accept": "*/*"},
    {"Range": "bytes=0-10"},
]
PRESSABLE = "button, input[type=submit], input[type=button], [role=button], summary"
PATIENCE = 10_000
ATTEMPTS = 5
"""How often a page is opened again that an earlier press has left too late."""


class Mail(NamedTuple):
    """A letter's kind, and the paths of its links."""

    kind: str
    links: list[str]


def mails(desk: Desk) -> list[Mail]:
    """All letters that are due now, composed as they would be sent."""
    sessions.answer_requests(desk)
    while outbox.spread(desk):
        pass
    composer = Composer(desk, pictures=False)
    drafts = (_mail(desk, composer, letter) for letter in claim_mail(desk, 1000))
    return [mail for mail in drafts if mail is not None]


def _mail(desk: Desk, composer: Composer, letter: list[Delivery]) -> Mail | None:
    composed = composer.composed(letter)
    if composed is None:  # superseded
        return None
    message = message_from_bytes(composed.message, policy=policy.default)
    texts = [str(part.get_content()) for part in message.walk() if not part.is_multipart()]
    texts += [str(value) for value in message.values()]
    ours = re.compile(re.escape(desk.settings.public_url) + r"/[A-Za-z0-9_./-]+")
    links = {path(link.rstrip(".")) for text in texts for link in ours.findall(clean(text))}
    return Mail(letter[0].kind, sorted(links))


class Scanner:
    """Scans links of a server, by plain requests and with a browser."""

    def __init__(self, web: Reachable, browser: Browser) -> None:
        self._web = web
        self._root = f"http://127.0.0.1:{web.port}"
        self._browser = browser

    def look(self, link: str) -> set[int]:
        """Request a link by every safe method and by prefetching; returns the statuses."""
        requests = [Request(method, link) for method in ("GET", "HEAD", "OPTIONS")]
        requests += [Request("GET", link, None, headers) for headers in PREFETCH]
        return {send(self._web, request).status for request in requests}

    def press(self, link: str) -> None:
        """Open a page in a browser, press every button, submit every form, follow every link."""
        context = self._browser.new_context()
        context.set_default_timeout(PATIENCE)
        try:
            page = context.new_page()
            self._let_run(self._opened(page, link))
            if page.url != self._root + link:
                return  # a page that leads elsewhere by itself has acted already
            for number in range(self._opened(page, link).locator(PRESSABLE).count()):
                self._opened(page, link).locator(PRESSABLE).nth(number).click()
                page.wait_for_load_state()
            for number in range(self._opened(page, link).locator("form").count()):
                self._send(page, link, number)
            self._follow(page, link)
        finally:
            context.close()

    def _opened(self, page: Page, link: str) -> Page:
        for _ in range(ATTEMPTS):
            with suppress(BrowserError):  # an earlier press has navigated only now
                page.goto(self._root + link, wait_until="load")
                return page
            page.wait_for_load_state()
        page.goto(self._root + link, wait_until="load")
        return page

    def _let_run(self, page: Page) -> None:
        """Give the page's scripts time to run."""
        with suppress(BrowserError):  # it never becomes idle
            page.wait_for_load_state("networkidle")

    def _send(self, page: Page, link: str, number: int) -> None:
        """Submit a form as it is, first without the browser's validation."""
        form = self._opened(page, link).locator("form").nth(number)
        with page.expect_navigation():
            form.evaluate("form => HTMLFormElement.prototype.submit.call(form)")
        self._opened(page, link).locator("form").nth(number).evaluate(
            "form => form.requestSubmit()"
        )
        page.wait_for_load_state()

    def _follow(self, page: Page, link: str) -> None:
        links = self._opened(page, link).locator("a[href]")
        leads = [str(anchor.get_attribute("href")) for anchor in links.all()]
        for lead in leads:
            self._opened(page, path(lead) if "://" in lead else lead or link)
