"""How much of a reply is read."""

MOST_LINES = 20
"""Lines of a reply that are carried out."""
LONGEST_KEPT = 800
"""Characters of a line that are kept; a message to people may be longer than a move."""
LONGEST_LINE = 1_000
"""Characters of a line that are looked at."""
MOST_SCANNED = 4_000
"""Lines that are looked at, including empty and quoted ones."""
