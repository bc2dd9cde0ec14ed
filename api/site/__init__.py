"""The pages on which people play, one module for each group of them.

They are written on the server and work without script; what a script adds is comfort. None of
them is part of the interface for programs.
"""

from api.site import boards, front, hooks, ladder, play, settings, sign_in, tables

BLUEPRINTS = (
    front.blueprint,
    sign_in.blueprint,
    tables.blueprint,
    play.blueprint,
    settings.blueprint,
    hooks.blueprint,
    boards.blueprint,
    ladder.blueprint,
)
"""Every group of pages; a new one is added here."""
