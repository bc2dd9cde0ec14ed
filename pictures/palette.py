"""The colours of a picture in light and dark themes."""

from typing import Literal, NamedTuple

Theme = Literal["light", "dark", "page"]


class Paint(NamedTuple):
    """The colours of a space."""

    fill: str
    edge: str
    mark: str
    """The colour of shapes on it."""


class Palette(NamedTuple):
    """All colours of a theme."""

    water: str
    land: str
    coast: str
    words: str
    around: str
    """The outline of names, so that they stand out."""
    strip: str
    """The background of the legend."""
    city: str
    rock: str
    """The teeth around the spaces of a tunnel."""
    way: str
    """The thin line from city to city."""
    rail: str
    train: str
    """The outline of trains and pieces."""
    last: str
    open_ticket: str
    done_ticket: str
    paints: dict[str, Paint]


LIGHT = Palette(
    water="#dbe7ec",
    land="#f5efe1",
    coast="#c9bfa6",
    words="#29251f",
    around="#fffdf6",
    strip="#ece4d2",
    city="#fffdf6",
    rock="#5b5348",
    way="#b5aa92",
    rail="#3a352e",
    train="#fffdf6",
    last="#ffb000",
    open_ticket="#a1006b",
    done_ticket="#00695c",
    paints={
        "purple": Paint("#b98ac9", "#7d4f8e", "#ffffff"),
        "blue": Paint("#6ea3dc", "#36659b", "#ffffff"),
        "orange": Paint("#f0a456", "#b0691c", "#4a2a06"),
        "white": Paint("#ffffff", "#98917f", "#8b8472"),
        "green": Paint("#86b56a", "#4f7d36", "#ffffff"),
        "yellow": Paint("#ecce58", "#b3962a", "#6b5708"),
        "black": Paint("#57555a", "#2c2b2e", "#ffffff"),
        "red": Paint("#dd7064", "#9c392f", "#ffffff"),
        "gray": Paint("#cbc6bb", "#928c7f", "#6d675b"),
    },
)

DARK = Palette(
    water="#111b22",
    land="#26333b",
    coast="#42525d",
    words="#ece7db",
    around="#0d1418",
    strip="#172128",
    city="#f3eee2",
    rock="#c4b79f",
    way="#4d5b65",
    rail="#d9d2c3",
    train="#d9d2c3",
    last="#ffb000",
    open_ticket="#ff7ac6",
    done_ticket="#4fd1b5",
    paints={
        "purple": Paint("#9a6bab", "#c9a3d6", "#ffffff"),
        "blue": Paint("#4682c0", "#8fbbe8", "#ffffff"),
        "orange": Paint("#d98a38", "#f5c48d", "#2c1803"),
        "white": Paint("#e9e6dd", "#ffffff", "#7d7767"),
        "green": Paint("#5f9345", "#a3cd88", "#ffffff"),
        "yellow": Paint("#dfc445", "#f9eaa0", "#4d3f05"),
        "black": Paint("#0f1113", "#7b8288", "#c9ced2"),
        "red": Paint("#bf4f43", "#ec958b", "#ffffff"),
        "gray": Paint("#6d747a", "#a0a7ac", "#d5d9dc"),
    },
)


def _named() -> Palette:
    """Return every colour as a CSS variable, for pictures inside a page."""
    paints = {
        name: Paint(*(f"var(--{name}-{part})" for part in Paint._fields)) for name in LIGHT.paints
    }
    names = [f"var(--{name.replace('_', '-')})" for name in Palette._fields[:-1]]
    return Palette._make([*names, paints])


PALETTES: dict[Theme, Palette] = {"light": LIGHT, "dark": DARK, "page": _named()}
"""Light, dark, and CSS variables for inline pictures, which the page defines with `style`."""
THEMES: tuple[Theme, ...] = ("light", "dark")
"""The themes that clients can choose; the third is for our own pages."""


def style(theme: Theme) -> str:
    """Return the CSS that defines the variables of an inline picture."""
    names, palette = PALETTES["page"], PALETTES[theme]
    pairs = [*zip(names[:-1], palette[:-1], strict=True)]
    for name, paint in palette.paints.items():
        pairs += zip(names.paints[name], paint, strict=True)
    return "".join(f"{name[4:-1]}:{colour};" for name, colour in pairs)
