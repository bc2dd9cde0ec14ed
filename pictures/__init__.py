"""Boards as pictures, from map data alone: SVG for pages, PNG for mail.

svg(board, scene, …)   the board with everything that stands on it
png(board, scene, …)   the same in pixels
scene_of(rules, view, names) what of a view can be drawn
goals(board, tickets)  where tickets end
style(theme)           what the colours of a picture inside of a page are, as CSS
"""

from pictures.drawing import svg
from pictures.palette import THEMES, Theme, style
from pictures.raster import png
from pictures.scene import EMPTY, Scene, described, goals, scene_of
from pictures.seats import Look, colour_of, of_seat

__all__ = [
    "EMPTY",
    "THEMES",
    "Look",
    "Scene",
    "Theme",
    "colour_of",
    "described",
    "goals",
    "of_seat",
    "png",
    "scene_of",
    "style",
    "svg",
]
