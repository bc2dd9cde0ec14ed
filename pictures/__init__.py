"""Draws boards from map data: SVG for pages, PNG for mail.

svg(board, scene, …)          the board as SVG, with trains and pieces
page_svg(board, overlay)      the same for use inside a page, interactive
png(board, scene, …)          the same as PNG
size_of(board, scene)         the width and height of either
scene_of(rules, view, …)      what a view shows on the board
looks_of(chosen)              the colours and patterns of the seats
goals(board, tickets)         the cities where tickets end
style(theme)                  the colours of an inline picture, as CSS variables
"""

from pictures.drawing import Overlay, page_svg, size_of, svg
from pictures.palette import THEMES, Theme, style
from pictures.raster import png
from pictures.scene import EMPTY, Scene, described, goals, scene_of
from pictures.seats import COLOURS, SEATS, Look, looks_of

__all__ = [
    "COLOURS",
    "EMPTY",
    "SEATS",
    "THEMES",
    "Look",
    "Overlay",
    "Scene",
    "Theme",
    "described",
    "goals",
    "looks_of",
    "page_svg",
    "png",
    "scene_of",
    "size_of",
    "style",
    "svg",
]
