"""How different two colours look, also to people who cannot tell all colours apart.

Colours are compared in OKLab, where equal distances look about equally large; the unit is a
hundredth of the way from black to white. Colour blindness is simulated as by Machado, Oliveira and
Fernandes (2009), at full severity.
"""

from collections.abc import Sequence
from math import dist

Numbers = Sequence[float]
Matrix = Sequence[Numbers]

_TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
BLINDNESS: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def distance(colour: str, other: str, blindness: str | None = None) -> float:
    """The distance between two colours, written as `#rrggbb`."""
    return 100 * dist(_seen(colour, blindness), _seen(other, blindness))


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG defines it."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """The contrast of two colours, as WCAG defines it."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _seen(colour: str, blindness: str | None) -> Numbers:
    light = _linear(colour)
    if blindness:
        light = [min(1.0, max(0.0, part)) for part in _times(BLINDNESS[blindness], light)]
    return _times(_TO_LAB, [part ** (1 / 3) for part in _times(_TO_CONES, light)])


def _linear(colour: str) -> Numbers:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _times(matrix: Matrix, vector: Numbers) -> Numbers:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
