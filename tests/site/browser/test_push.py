"""Web push in a real browser: the page subscribes, and the service worker shows what arrives.

Push services of vendors cannot be reached, so the browser's subscription is one that leads to a
receiver of ours, and the decrypted message reaches the service worker by the debugging protocol.
"""

import json
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.site.visiting import House, sign_up, violations, visit
from tests.support.hook_receiver import Receiver, Reply, receiving
from tests.support.waiting import until
from tests.workers.channels.web_push.test_web_push import Device

SUBSCRIBE = """
(given) => {
  PushManager.prototype.subscribe = async (options) => {
    if (!options.userVisibleOnly) throw new Error("a silent subscription");
    if (options.applicationServerKey.length !== 65) throw new Error("a wrong key");
    const { endpoint, p256dh, auth } = given;
    return { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  };
}
"""
RECORD = """
() => {
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, options) => {
    const { body, tag, data } = options;
    self.shown.push({ title, body, tag, url: data.url });
  };
  self.clients.openWindow = async (address) => self.opened.push(address);
}
"""
"""Records what the worker shows and opens: the locked browser, which has no screen, lets no page
show notifications, whatever it is granted."""
CLICK = """
(url) => {
  const event = new ExtendableEvent("notificationclick");
  event.notification = { close: () => null, data: { url } };
  self.dispatchEvent(event);
}
"""


def registration(context: BrowserContext, page: Page) -> tuple[Any, str]:
    """A debugging session, and the id of the registration of our service worker."""
    session = context.new_cdp_session(page)
    ids: list[str] = []

    def note(event: dict[str, Any]) -> None:
        ids.extend(row["registrationId"] for row in event["registrations"] if not row["isDeleted"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")

    def look() -> bool:
        page.wait_for_timeout(50)  # events arrive while Playwright waits
        return bool(ids)

    until(look, "a registration")
    return session, ids[-1]


def subscribe(page: Page, device: Device) -> None:
    """Press the button with a browser whose subscription leads to this device."""
    page.add_init_script(f"({SUBSCRIBE})({json.dumps(device.subscription)})")
    page.goto("/settings/channels")
    page.get_by_text("Notifications on this device").click()
    page.get_by_role("button", name="Notify this device").click()
    page.wait_for_url("**/settings/channels/*")


def read_test(receiver: Receiver, device: Device) -> Any:
    """Wait for a message at the push service, and decrypt it."""
    until(lambda: bool(receiver.calls), "a message at the push service")
    return device.read(receiver.calls[-1])


def test_a_notification_is_shown_and_opens_the_game(house: House, browser: Browser) -> None:
    """The button subscribes, a test is encrypted for this browser, and its worker shows it."""
    with receiving() as receiver, visit(browser, house) as page:
        receiver.usually = lambda _: Reply(201)
        device = Device(receiver)
        page.add_init_script("Notification.requestPermission = async () => 'granted'")
        sign_up(page, "Pia")
        subscribe(page, device)
        expect(page.get_by_role("heading", level=1)).to_have_text("Chrome, Linux")
        assert [] == violations(page)
        page.get_by_role("button", name="Send a test").click()
        message = read_test(receiver, device)
        expect(page.get_by_text("The test has arrived.")).to_be_visible(timeout=15_000)
        assert "This is a test: messages arrive here." == message["body"]

        session, id = registration(page.context, page)
        worker = page.context.service_workers[0]
        worker.evaluate(RECORD)
        wanted = {"origin": house.url, "registrationId": id, "data": json.dumps(message)}
        session.send("ServiceWorker.deliverPushMessage", wanted)
        until(lambda: bool(worker.evaluate("self.shown")), "a notification")
        assert [message] == worker.evaluate("self.shown")

        page.goto("/boards")
        for address in (message["url"], "http://127.0.0.1:1/elsewhere"):
            worker.evaluate(CLICK, address)
        until(lambda: 2 == len(worker.evaluate("self.opened")), "two clicks")
        assert [f"{house.url}/games"] * 2 == worker.evaluate("self.opened")


def test_a_browser_that_says_no_is_told_so(house: House, browser: Browser) -> None:
    """Without permission nothing is added, and the page says why."""
    with visit(browser, house) as page:
        page.add_init_script("Notification.requestPermission = async () => 'denied'")
        sign_up(page, "Quin")
        page.goto("/settings/channels")
        page.get_by_text("Notifications on this device").click()
        page.get_by_role("button", name="Notify this device").click()
        expect(page.get_by_text("does not allow notifications")).to_be_visible()
        page.goto("/settings/channels")
        expect(page.get_by_text("So far we only write to you by mail.")).to_be_visible()
