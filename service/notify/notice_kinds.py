"""Kinds of notices, in the groups that channels treat alike."""

TURNS = ("decision_opened", "decision_reminder")
"""About an open decision; void when the decision is made, or when the clock makes it."""
TALK = "message_posted"
"""About table talk; several messages are merged into one."""
ABOUT_ADDRESSES = ("confirm_address", "address_replaced")
"""To an email address that is not confirmed yet, or was replaced."""
ANYWAY = frozenset(
    {
        *ABOUT_ADDRESSES,
        "sign_in",
        "hook_disabled",
        "hook_refused",
        "destination_paused",
        "letter_answered",
        "letter_unsure",
        "commands_answered",
        "commands_unsure",
    }
)
"""What the account has asked for or needs to know: sent at once, whatever its preferences."""
