"""The types of webhook messages, by kind of notice."""

WEBHOOK = "webhook"
"""The name of the channel."""
PING = "webhook_ping"
"""The kind of a ping, which is sent only when the owner of a hook asks for it."""
HOOK_TYPES = {
    "decision_opened": "decision.opened",
    "decision_reminder": "decision.reminder",
    "decision_expired": "decision.expired",
    "game_started": "game.started",
    "game_moved": "game.moved",
    "game_finished": "game.finished",
    "message_posted": "message.posted",
    PING: "webhook.ping",
}
"""The `type` of the message that a hook receives, by kind of notice."""
TYPES = tuple(name for kind, name in HOOK_TYPES.items() if kind != PING)
"""The types that a hook can subscribe to."""
