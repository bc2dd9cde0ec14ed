"""Boards as pictures, from map data alone: SVG for pages, PNG for mail.

svg(board, scene, …)   the board with everything that stands on it
png(board, scene, …)   the same in pixels
scene_of(shown, names) what of a view can be drawn
"""

from pictures.drawing import svg
from pictures.palette import Theme
from pictures.raster import Drawings, png
from pictures.scene import EMPTY, Scene, described, scene_of
from pictures.seats import Look, of_seat

__all__ = [
    "EMPTY",
    "Drawings",
    "Look",
    "Scene",
    "Theme",
    "described",
    "of_seat",
    "png",
    "scene_of",
    "svg",
]
