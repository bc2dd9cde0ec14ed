"""SVG for the parts of a picture: routes, trains, cities, pieces and highlights."""

from collections.abc import Iterable, Sequence

from engine.display import Chip
from engine.values import GRAY, TUNNEL, Route, Seat
from pictures import shapes
from pictures.palette import Palette
from pictures.seats import Look
from pictures.shapes import number
from pictures.tracks import ACROSS, APART, CITY, Point, Space, Track

TRAIN = 16.0
"""The width of a train."""
CORNER = 4.0
"""The radius of corners."""
HIT = 26
"""The width of a route's clickable area."""
DISC, ON_DISC = "#fffdf6", "#29251f"
"""The colours of a city with letters and of the letters, in every theme."""
AROUND = 14.5
"""The radius of marks around a city."""
PAWNS_APART = 10.0
"""The distance between the first and the last of several passengers in a city."""
CHIP = 7.0
"""The radius of a chip."""


def free(route: Route, track: Track, palette: Palette) -> str:
    """Return an unclaimed route."""
    spaces = track.spaces
    drawn = [slot(route.colour, route.kind, spaces, palette)]
    for_locomotives = _with_locomotives(route, spaces)
    plain = [space for space in spaces if space not in for_locomotives]
    drawn.append(sign(shapes.COLOURS[route.colour], plain, palette.paints[route.colour].mark))
    # On a coloured space only the colour of its shapes is sure to be seen in light and dark.
    ink = palette.words if route.colour == GRAY else palette.paints[route.colour].mark
    drawn.append(sign(shapes.LOCOMOTIVE, for_locomotives, ink))
    return "".join(drawn)


def slot(colour: str, kind: str, spaces: Sequence[Space], palette: Palette) -> str:
    """Draw empty spaces of a colour; those of a tunnel have rock around them."""
    paint, tunnel = palette.paints[colour], kind == TUNNEL
    edge = palette.rock if tunnel else paint.edge
    return (_rock(spaces, palette) if tunnel else "") + (
        f'<path d="{_slots(spaces)}" fill="{paint.fill}" stroke="{edge}" stroke-width="1.4"/>'
    )


def _rock(spaces: Sequence[Space], palette: Palette) -> str:
    """Draw teeth around every space."""
    walls = "".join(shapes.polygon(space.corners()) for space in spaces)
    return (
        f'<path d="{walls}" fill="none" stroke="{palette.rock}" stroke-width="6" '
        f'stroke-dasharray="3.5 2.5"/>'
    )


def ways(tracks: Iterable[Track], palette: Palette) -> str:
    """Draw thin lines from city to city, below everything else."""
    lines = "".join(shapes.line(track.line) for track in tracks)
    return f'<path d="{lines}" fill="none" stroke="{palette.way}" stroke-width="2"/>'


def sign(shape: shapes.Shape, spaces: Sequence[Space], ink: str) -> str:
    """Return the same shape on all of these spaces."""
    drawn = "".join(shapes.path(shape, shapes.upright(space)) for space in spaces)
    return f'<path d="{drawn}" fill="{ink}"/>' if drawn else ""


def _slots(spaces: Sequence[Space]) -> str:
    return "".join(shapes.rounded(space, ACROSS, CORNER) for space in spaces)


def _with_locomotives(route: Route, spaces: Sequence[Space]) -> Sequence[Space]:
    """Return the spaces in the middle of a ferry that require a locomotive."""
    first = (len(spaces) - route.locomotives) // 2
    return spaces[first : first + route.locomotives]


def trains(route: Route, track: Track, owners: Sequence[Look], palette: Palette) -> str:
    """Return a claimed route: coupled trains, alternating if there are several owners."""
    drawn = []
    if len(track.spaces) > 1:
        coupled = shapes.line((space.x, space.y) for space in track.spaces)
        rail = f'fill="none" stroke="{palette.rail}" stroke-width="3"'
        drawn.append(f'<path d="{coupled}" {rail}/>')
    if route.kind == TUNNEL:
        drawn.append(_rock(track.spaces, palette))
    for turn, look in enumerate(owners):
        drawn.append(train(look, track.spaces[turn :: len(owners)], palette))
    return "".join(drawn)


def train(look: Look, spaces: Sequence[Space], palette: Palette) -> str:
    """Draw trains that look like this on these spaces."""
    bodies = "".join(shapes.rounded(space, TRAIN, CORNER, 0.5) for space in spaces)
    pattern = "".join(shapes.patterned(look.pattern, space) for space in spaces)
    return f'<path d="{bodies}" fill="{look.ink}" stroke="{palette.train}" stroke-width="1.5"/>' + (
        f'<path d="{pattern}" fill="{look.on_ink}"/>' if pattern else ""
    )


def veil(track: Track, palette: Palette) -> str:
    """Return a veil over a route that nobody can claim any more."""
    return (
        f'<path d="{_slots(track.spaces)}" fill="{palette.land}" stroke="{palette.land}" '
        f'stroke-width="2" opacity="0.7"/>'
    )


def glow(track: Track, palette: Palette) -> str:
    """Return a highlight around the route of the last move."""
    first, last = track.spaces[0], track.spaces[-1]
    middles = ((space.x, space.y) for space in track.spaces)
    ends = first.at(-first.along / 2 - 4, 0), last.at(last.along / 2 + 4, 0)
    return (
        f'<path d="{shapes.line([ends[0], *middles, ends[1]])}" fill="none" '
        f'stroke="{palette.last}" stroke-width="{number(2 * APART - ACROSS + 1)}"/>'
    )


def sketched(track: Track, order: int, palette: Palette, *, possible: bool) -> str:
    """Draw a pencil line along a route that the viewer means to claim, with its number in the plan.

    If the route cannot be claimed any more, the line is dotted and the number is crossed out.
    """
    line, middle = shapes.line(track.line), track.spaces[len(track.spaces) // 2]
    x, y = middle.x, middle.y
    dashes = "9 4" if possible else "1 7"
    pencil = f'stroke="{palette.words}" stroke-width="3.5" stroke-dasharray="{dashes}"'
    size = 15 if order < 10 else 12
    bar = f"M{number(x - 9)} {number(y + 9)}L{number(x + 9)} {number(y - 9)}"
    return (
        f'<g aria-hidden="true" pointer-events="none">'
        f'<path d="{line}" fill="none" stroke="{palette.around}" stroke-width="6.5"/>'
        f'<path d="{line}" fill="none" stroke-linecap="round" {pencil}/>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="11" fill="{palette.around}" '
        f'stroke="{palette.words}" stroke-width="2"/>'
        f'<text x="{number(x)}" y="{number(y + size * 0.36)}" font-size="{size}" '
        f'font-weight="bold" text-anchor="middle" fill="{palette.words}">{order}</text>'
        + ("" if possible else f'<path d="{bar}" stroke="{palette.words}" stroke-width="2.5"/>')
        + "</g>"
    )


def hit(track: Track) -> str:
    """Return the invisible, wider area of a route that can be pointed at."""
    return (
        f'<path d="{shapes.line(track.line)}" fill="none" stroke="none" '
        f'stroke-width="{HIT}" pointer-events="stroke"/>'
    )


def city(spot: Point, palette: Palette) -> str:
    """Return a city with nothing on it."""
    return (
        f'<circle {_at(spot)} r="{number(CITY)}" fill="{palette.city}" stroke="{palette.rail}" '
        f'stroke-width="2.5"/>'
    )


def shine(spot: Point, palette: Palette) -> str:
    """Return a highlight around the city of the last move."""
    return f'<circle {_at(spot)} r="{number(AROUND + 2)}" fill="{palette.last}"/>'


def goal(spot: Point, palette: Palette, *, done: bool) -> str:
    """Return a ring around a city where a ticket of the viewer ends; dashed unless completed."""
    ink = palette.done_ticket if done else palette.open_ticket
    dashes = "" if done else ' stroke-dasharray="7.1 3.7"'
    return (
        f'<circle {_at(spot)} r="{number(AROUND - 1)}" fill="{palette.around}" stroke="{ink}" '
        f'stroke-width="3.5"{dashes}/>'
    )


def lettered(spot: Point, text: str) -> str:
    """Return a city with the letters of the tickets that end there; at most two fit."""
    shown = "\u200a".join(text) if len(text) <= 2 else f"{text[0]}+"
    (x, y), size = spot, 17 if len(shown) == 1 else 12
    return (
        f'<circle {_at(spot)} r="{number(AROUND - 2.5)}" fill="{DISC}"/>'
        f'<text x="{number(x)}" y="{number(y + size * 0.36)}" font-size="{size}" '
        f'font-weight="bold" text-anchor="middle" fill="{ON_DISC}" pointer-events="none">'
        f"{shown}</text>"
    )


def piece(spot: Point, owner: Seat, look: Look, palette: Palette) -> str:
    """Return a house in the owner's colour with the seat's number."""
    x, y = spot
    walls = ((-10, 10), (-10, -4), (0, -13), (10, -4), (10, 10))
    house = shapes.polygon((x + dx, y + dy) for dx, dy in walls)
    return (
        f'<path d="{house}" fill="{look.ink}" stroke="{palette.train}" stroke-width="2" '
        f'stroke-linejoin="round"/>'
        f'<text x="{number(x)}" y="{number(y + 7)}" font-size="14" font-weight="bold" '
        f'text-anchor="middle" fill="{look.on_ink}">{owner + 1}</text>'
    )


def pawns(spot: Point, owners: Sequence[Seat], looks: Sequence[Look], palette: Palette) -> str:
    """Draw passengers side by side in their owners' colours; numbered if there is room."""
    step = PAWNS_APART / max(len(owners) - 1, 1)
    left = spot[0] - (PAWNS_APART / 2 if len(owners) > 1 else 0)
    return "".join(
        _pawn((left + n * step, spot[1]), owner, looks[owner], palette, numbered=len(owners) <= 2)
        for n, owner in enumerate(owners)
    )


def _pawn(spot: Point, owner: Seat, look: Look, palette: Palette, *, numbered: bool) -> str:
    """Draw a head on a body."""
    x, y = spot
    sides = ((-6.5, 9.5), (-4.5, -3), (4.5, -3), (6.5, 9.5))
    body = shapes.polygon((x + dx, y + dy) for dx, dy in sides)
    paint = f'fill="{look.ink}" stroke="{palette.train}" stroke-width="1.4"'
    drawn = (
        f'<path d="{body}" {paint} stroke-linejoin="round"/>'
        f'<circle {_at((x, y - 7.5))} r="5.5" {paint}/>'
    )
    if not numbered:
        return drawn
    return (
        f'{drawn}<text x="{number(x)}" y="{number(y + 7.5)}" font-size="11" font-weight="bold" '
        f'text-anchor="middle" fill="{look.on_ink}" pointer-events="none">{owner + 1}</text>'
    )


def chips(spots: Sequence[Point], laid: Sequence[Chip], palette: Palette) -> str:
    """Draw chips in their colours, with a letter or digit, or the sign of the colour."""
    return "".join(_chip(spot, chip, palette) for spot, chip in zip(spots, laid, strict=False))


def _chip(spot: Point, chip: Chip, palette: Palette) -> str:
    (x, y), paint = spot, palette.paints[chip.colour]
    disc = (
        f'<circle {_at(spot)} r="{number(CHIP)}" fill="{paint.fill}" stroke="{paint.edge}" '
        f'stroke-width="1.4"/>'
    )
    if not chip.words:
        return disc + sign(shapes.COLOURS[chip.colour], [Space(x, y, 0, 2 * CHIP)], paint.mark)
    return (
        f'{disc}<text x="{number(x)}" y="{number(y + 4)}" font-size="11" font-weight="bold" '
        f'text-anchor="middle" fill="{paint.mark}" '
        f'pointer-events="none">{chip.words}</text>'
    )


def _at(spot: Point) -> str:
    return f'cx="{number(spot[0])}" cy="{number(spot[1])}"'
