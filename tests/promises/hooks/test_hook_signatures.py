"""Promise 17: every delivery verifies with the reference library, even while secrets change."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import orjson
import pytest
import standardwebhooks.webhooks as reference_library
from standardwebhooks import Webhook, WebhookVerificationError

from service.desk import Desk
from service.ids import new_id
from service.notify import hooks
from service.notify.hook_types import PING, WEBHOOK
from service.notify.outbox import Delivery
from store.notify import deliveries
from tests.amounts import amount
from tests.service.conftest import desk
from tests.service.support.tables import player
from tests.support.hook_receiver import Call, Receiver, receiving, signature
from tests.support.hooks import caller, hooked, near, tell
from workers.calling.connector import Connector, anywhere
from workers.channels.webhook import sender
from workers.channels.webhook.sender import Webhooks
from workers.lanes.sender import send

__all__ = ["desk"]

DELIVERIES = amount(200, soak=1000)
HOOKS = 10
TURNS = 10


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An honest receiver."""
    with receiving() as made:
        yield made


@pytest.fixture
def channel() -> Iterator[Connector]:
    """A connector that is closed after the test."""
    made = Connector(anywhere)
    yield made
    made.close()


def verified(secret: str, call: Call) -> bool:
    """Whether the reference library verifies this call."""
    try:
        Webhook(secret).verify(call.body, call.headers)
    except WebhookVerificationError:
        return False
    return True


def pinged(here: Desk, account: str, *ids: str) -> None:
    """Add a ping for each of these hooks."""
    now, nothing = here.now(), (None, None, None, None)
    made = [Delivery(new_id(), account, WEBHOOK, id, PING, *nothing, now, 0, now) for id in ids]
    with here.database.writing() as tx:
        deliveries.add(tx, made)


class Later(datetime):
    """The receiver's clock, six minutes ahead."""

    @classmethod
    def now(cls, **_: object) -> datetime:  # type: ignore[override]  # the only call
        """Six minutes from now."""
        return datetime.now(UTC) + timedelta(minutes=6)


def flipped(call: Call, place: int) -> Call:
    """The same call with one bit of its body flipped."""
    body = bytearray(call.body)
    body[place % len(body)] ^= 1
    return call._replace(body=bytes(body))


def test_a_thousand_deliveries_verify(
    desk: Desk, receiver: Receiver, channel: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each verifies with every secret then valid; replays and changed bodies do not verify."""
    here = near(desk)
    ada = player(here, "Ada")
    known = {
        hook["id"]: [hook["secret"]]
        for hook in (hooked(here, ada, f"{receiver.url}?{n}") for n in range(HOOKS))
    }
    expected: list[list[str]] = []
    for turn in range(TURNS):
        if turn == TURNS // 2:
            for id, secrets in known.items():
                secrets.append(hooks.rotate(here, caller(ada), id, None)["secret"])
        before = len(receiver.calls)
        pinged(here, ada, *list(known) * (DELIVERIES // HOOKS // TURNS))
        tell(here, Webhooks(here, channel))
        expected += [list(known[call.payload["data"]["hook"]]) for call in receiver.calls[before:]]
    calls = receiver.calls

    assert DELIVERIES == len(calls) == len({call.headers["webhook-id"] for call in calls})
    both = [
        (secret, call) for call, secrets in zip(calls, expected, strict=True) for secret in secrets
    ]
    assert len(both) > len(calls)
    assert all(verified(secret, call) for secret, call in both)
    for call, secrets in zip(calls, expected, strict=True):
        signed = [signature(secret, call) for secret in reversed(secrets)]
        assert signed == call.headers["webhook-signature"].split(" ")
    changed = [(secret, flipped(call, n)) for n, (secret, call) in enumerate(both)]
    assert not any(_accepted(secret, call) for secret, call in changed)
    monkeypatch.setattr(reference_library, "datetime", Later)
    assert not any(verified(secret, call) for secret, call in both)


def _accepted(secret: str, call: Call) -> bool:
    try:
        return verified(secret, call)
    except UnicodeDecodeError:  # the library decodes the body before it verifies it
        return False


def test_old_secret_ends_after_a_day(desk: Desk, receiver: Receiver, channel: Connector) -> None:
    """When its day is over the old secret no longer signs."""
    here = near(desk)
    ada = player(here, "Ada")
    hook = hooked(here, ada, receiver.url, types=["message.posted"])
    new = hooks.rotate(here, caller(ada), hook["id"], None)["secret"]
    row = hooks.read(here, caller(ada), hook["id"])
    late = here._replace(now=lambda: row["old_secret_until"])
    pinged(late, ada, hook["id"])
    tell(late, Webhooks(late, channel))
    (call,) = receiver.calls

    assert signature(new, call) == call.headers["webhook-signature"]


def test_writing_it_again_after_signing_would_be_seen(
    desk: Desk, receiver: Receiver, channel: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mutant: JSON that is serialised again after signing does not verify."""
    plain = Connector.post

    def rewritten(
        self: Connector, whose: str, target: object, body: bytes, headers: object
    ) -> object:
        pretty = orjson.dumps(orjson.loads(body), option=orjson.OPT_INDENT_2)
        return plain(self, whose, target, pretty, headers)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(Connector, "post", rewritten)
    here = near(desk)
    ada = player(here, "Ada")
    hook = hooked(here, ada, receiver.url)
    pinged(here, ada, *[hook["id"]] * 3)
    tell(here, Webhooks(here, channel))

    assert [False] * 3 == [verified(hook["secret"], call) for call in receiver.calls]


def test_fresh_id_for_each_attempt_would_be_seen(
    desk: Desk, receiver: Receiver, channel: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mutant: a new id for each attempt is noticed; a repeated attempt has the same one."""
    here = near(desk)
    ada = player(here, "Ada")
    hook = hooked(here, ada, receiver.url)
    pinged(here, ada, hook["id"])
    ((delivery, _),) = tell(here, Webhooks(here, channel))
    send(Webhooks(here, channel), [delivery])
    assert 1 == len({call.headers["webhook-id"] for call in receiver.calls})

    plain = sender.signed
    monkeypatch.setattr(
        sender, "signed", lambda each, *rest: plain(each._replace(id=each.id + "2"), *rest)
    )
    send(Webhooks(here, channel), [delivery])
    assert 2 == len({call.headers["webhook-id"] for call in receiver.calls})
