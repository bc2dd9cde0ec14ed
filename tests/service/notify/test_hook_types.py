"""The types of webhook messages."""

from service.notify.hook_types import HOOK_TYPES, PING, TYPES, WEBHOOK
from workers.channels.webhook.channel import WebhookChannel


def test_a_type_is_spelled_like_its_kind() -> None:
    """A type is its kind with a dot between the subject and the verb."""
    assert {kind: kind.replace("_", ".", 1) for kind in HOOK_TYPES} == HOOK_TYPES


def test_a_ping_cannot_be_subscribed_to() -> None:
    """Every type can be subscribed to, except `webhook.ping`."""
    assert {*TYPES, HOOK_TYPES[PING]} == set(HOOK_TYPES.values())
    assert HOOK_TYPES[PING] not in TYPES


def test_the_channel_carries_every_type() -> None:
    """The webhook channel carries every kind that hooks can subscribe to."""
    assert WEBHOOK == WebhookChannel.name
    assert set(TYPES) == {HOOK_TYPES[kind] for kind in WebhookChannel.kinds}
