"""The types of messages to destinations, by kind of notice."""

from service.notify.hook_types import HOOK_TYPES

TEST = "destination_test"
"""The kind of a test message, which is sent only when the owner of a destination asks for it."""
_KINDS = (
    *("decision_opened", "decision_reminder", "decision_expired"),
    *("game_started", "game_finished", "message_posted"),
)
MESSAGE_TYPES = {kind: HOOK_TYPES[kind] for kind in _KINDS}
"""The types by kind of notice; they have the same names as those of webhooks."""
TYPES = tuple(MESSAGE_TYPES.values())
"""The types that a destination can receive."""
BY_DEFAULT = ("decision.opened", "decision.reminder", "game.started", "game.finished")
"""The types of a destination for which none were chosen."""
