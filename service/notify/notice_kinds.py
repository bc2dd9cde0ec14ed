"""What people are told, and by which channel."""

TURNS = ("decision_opened", "decision_reminder")
"""About a decision that may be made by somebody else's clock: void when it is not open any more."""
TALK = "message_posted"
"""Somebody has said something at a table; several messages are told in one letter."""
ABOUT_ADDRESSES = ("confirm_address", "address_replaced")
"""To an address that is not in force, or not any more; whether it may go is asked when it does."""
MAILED = frozenset(
    {
        *TURNS,
        "decision_expired",
        "game_started",
        "game_finished",
        "seat_resigned",
        "seat_caretaken",
        TALK,
        *ABOUT_ADDRESSES,
        "sign_in",
        "invited",
        "hook_disabled",
        "hook_refused",
        "letter_answered",
        "letter_unsure",
    }
)
HOOKED = {
    "decision_opened": "decision.opened",
    "decision_reminder": "decision.reminder",
    "decision_expired": "decision.expired",
    "game_started": "game.started",
    "game_moved": "game.moved",
    "game_finished": "game.finished",
    "message_posted": "message.posted",
    "webhook_ping": "webhook.ping",
}
"""Kinds of notices, and the types under which hooks hear of them."""
ANYWAY = frozenset(
    {
        *ABOUT_ADDRESSES,
        "sign_in",
        "hook_disabled",
        "hook_refused",
        "letter_answered",
        "letter_unsure",
    }
)
"""Mail that somebody has asked for, or has to know of: no setting holds it back."""
