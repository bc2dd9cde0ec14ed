"""The types of webhook messages."""

from service.notify.hook_types import HOOK_TYPES, PING, TYPES, WEBHOOK
from workers.channels.webhook.channel import WebhookChannel


def test_a_type_is_spelled_like_its_kind() -> None:
    """The subject and what happened to it, with a dot between them."""
    assert {kind: kind.replace("_", ".", 1) for kind in HOOK_TYPES} == HOOK_TYPES


def test_a_ping_cannot_be_subscribed_to() -> None:
    """It is sent only when the owner asks for it; every other type can be chosen."""
    assert {*TYPES, HOOK_TYPES[PING]} == set(HOOK_TYPES.values())
    assert HOOK_TYPES[PING] not in TYPES


def test_the_channel_carries_every_type() -> None:
    """What a hook can subscribe to is spread to hooks, under the name of the channel."""
    assert WEBHOOK == WebhookChannel.name
    assert set(TYPES) == {HOOK_TYPES[kind] for kind in WebhookChannel.kinds}
