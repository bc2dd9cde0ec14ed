"""The words for what became of an incoming mail."""

ANSWERED = "answered"
UNANSWERED = "unanswered"
"""Carried out, but mail to its owner bounces."""
UNSURE = "unsure"
"""Its owner was asked to confirm it."""
HELD = "held"
"""Kept for its owner to see."""
SEEN = "seen"
"""Received before."""
BOUNCED = "bounced"
"""A report that a letter was refused or unwelcome."""
AUTOMATIC = "automatic"
IGNORED = "ignored"

BECAME = (ANSWERED, UNANSWERED, UNSURE, HELD, SEEN, BOUNCED, AUTOMATIC, IGNORED)
