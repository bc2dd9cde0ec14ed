"""The pages on which people play, one module for each group of pages.

They are rendered on the server and work without JavaScript, which only adds comfort. They are not
part of the public API.
"""

from api.site import (
    boards,
    destinations,
    front,
    held_mail,
    hooks,
    hosting,
    ladder,
    notebook,
    play,
    settings,
    sign_in,
    tables,
)
from api.site.documentation import pages as documentation

BLUEPRINTS = (
    front.blueprint,
    sign_in.blueprint,
    tables.blueprint,
    play.blueprint,
    notebook.blueprint,
    hosting.blueprint,
    settings.blueprint,
    held_mail.blueprint,
    hooks.blueprint,
    destinations.blueprint,
    boards.blueprint,
    ladder.blueprint,
    documentation.blueprint,
)
"""Every group of pages; add new ones here."""
