"""Codes for the outcome of an incoming mail."""

ANSWERED = "answered"
UNANSWERED = "unanswered"
"""Carried out, but mail to its owner bounces."""
UNSURE = "unsure"
"""Its owner was asked to confirm it."""
HELD = "held"
"""Kept for its owner to see."""
DUPLICATE = "seen"
"""Received before."""
BOUNCED = "bounced"
"""A report that a letter was refused or unwelcome."""
AUTOMATIC = "automatic"
IGNORED = "ignored"

OUTCOMES = (ANSWERED, UNANSWERED, UNSURE, HELD, DUPLICATE, BOUNCED, AUTOMATIC, IGNORED)
