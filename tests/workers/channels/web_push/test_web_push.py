"""Web push messages, decrypted by a receiver as a browser decrypts them (RFC 8291)."""

import base64
import json
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from engine import Refusal
from service import sealed_keys
from service.desk import Desk
from service.notify.destinations import managing, push_keys
from service.notify.destinations.announcements import Announcement, Line
from tests.service.support.tables import player, table
from tests.support.destinations import add, base, begin_turns, caller, deliver, states
from tests.support.hook_receiver import Call, Receiver, Reply
from tests.support.hooks import after, owe, spread
from workers.channels.web_push.channel import payload

CREATED = Reply(201)
AUTH = bytes(range(16))


class Device:
    """A browser with a subscription."""

    def __init__(self, receiver: Receiver, name: str = "phone") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.endpoint = f"{base(receiver)}/push/{name}"

    @property
    def subscription(self) -> dict[str, str]:
        """What the browser tells a page."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": _text(point), "auth": _text(AUTH)}

    def read(self, call: Call) -> Any:
        """Decrypt a message."""
        plain = http_ece.decrypt(
            call.body, private_key=self.key, auth_secret=AUTH, version="aes128gcm"
        )
        return json.loads(plain)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.fixture
def service(receiver: Receiver) -> Receiver:
    """A receiver that answers as a push service does."""
    receiver.usually = lambda _: CREATED
    return receiver


def test_a_device_reads_whose_move_it_is(lite: Desk, service: Receiver) -> None:
    """The message is encrypted for the device and signed with our key; it says what it must."""
    game, players = table(lite, "Ada", "Ben", title="Sunday trains")
    spread(lite)
    devices = {account: Device(service, account) for account in players}
    for account, device in devices.items():
        add(lite, account, "web_push", device.subscription, types=["decision.opened"])
    turn = begin_turns(lite, game, players)
    assert ["sent"] == states(deliver(lite, "web_push"))

    (call,) = service.calls
    assert f"/push/{turn}" == call.path
    assert ("aes128gcm", "86400", "normal") == tuple(
        call.headers[name] for name in ("content-encoding", "ttl", "urgency")
    )
    assert len(call.body) <= 4096
    assert b"Sunday" not in call.body
    assert {
        "title": "Sunday trains",
        "body": "It is your move. 3 days left.",
        "url": f"{lite.settings.public_url}/games/{game}",
        "tag": f"{game} turn",
    } == devices[turn].read(call)
    assert Vapid02.verify(call.headers["authorization"])
    assert push_keys.public_key(lite) in call.headers["authorization"]
    claims = call.headers["authorization"].partition("t=")[2].split(".")[1]
    signed = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    assert base(service) == signed["aud"]
    assert f"mailto:{lite.settings.mail_from}" == signed["sub"]


def test_every_device_is_told_and_an_expired_one_is_removed(lite: Desk, service: Receiver) -> None:
    """Each device gets its own message; one whose subscription has ended is forgotten."""
    game, (ada, _) = table(lite, "Ada", "Ben")
    spread(lite)
    for name in ("phone", "laptop", "old"):
        address = Device(service, name).subscription
        add(lite, ada, "web_push", address, types=["game.finished"], label=name)
    service.usually = lambda call: Reply(410) if call.path.endswith("/old") else CREATED
    owe(lite, ada, "game_finished", game=game, seat=0, version=3)
    deliver(lite, "web_push")

    assert 3 == len(service.calls)
    assert ["phone", "laptop"] == [
        destination["label"] for destination in managing.listed(lite, caller(ada))
    ]
    owe(lite, ada, "game_finished", game=game, seat=0, version=4)
    assert ["sent", "sent"] == states(deliver(after(lite, hours=1), "web_push"))


def test_the_longest_message_fits() -> None:
    """However long titles and names are, an encrypted message stays below 4096 bytes."""
    lines = tuple(Line(str(n), "d", f"{n} {'🚂' * 100}", "🎫" * 400, "/games/x") for n in range(40))
    announcement = Announcement("d", lines, "t" * 60, f"https://{'x' * 200}/games", "Open")
    assert len(payload(announcement)) <= 3993


@pytest.mark.parametrize(
    "change",
    [
        {"p256dh": ""},
        {"p256dh": _text(bytes(65))},
        {"p256dh": "%%%"},
        {"auth": ""},
        {"auth": _text(bytes(15))},
        {"endpoint": ""},
        {"endpoint": "ftp://push.example.org/x"},
    ],
)
def test_what_is_no_subscription_is_refused(
    desk: Desk, service: Receiver, change: dict[str, str]
) -> None:
    """A key that is no point on the curve, or an endpoint that is no URL, is refused."""
    ada = player(desk, "Ada")
    with pytest.raises(Refusal):
        add(desk, ada, "web_push", Device(service).subscription | change)
    assert [] == managing.listed(desk, caller(ada))


def test_the_key_is_made_once_and_sealed(each_desk: Desk) -> None:
    """Every process signs with the same key, which the database holds only encrypted."""
    first = push_keys.public_key(each_desk)
    assert 65 == len(base64.urlsafe_b64decode(first + "="))
    assert first == push_keys.public_key(each_desk)
    sealed_keys.reseal(each_desk, push_keys.KEY_NAME)
    assert first == push_keys.public_key(each_desk)
