"""A picture is drawn in the language of its reader."""

import re
from xml.etree import ElementTree as ET

import pytest

import pictures
from engine.translate import speaking
from pictures import EMPTY, Scene, font_metrics, legend
from pictures.layout import layout_of
from pictures.palette import PALETTES
from service.boards import atlas
from tests.pictures.measuring import SVG
from tests.support.pseudo_language import Hollow, Marked

EUROPE = atlas.board("europe")
CLAIMED = {id: [at % 3] for at, id in enumerate(EUROPE.routes) if at % 2}
TABLE = Scene(CLAIMED, [*EUROPE.routes][:1], {"paris": 1, "london": 2}, ("Ada", "Ben", "Cem"))
TICKETS = {"paris": True, "roma": False}


def texts(drawn: str) -> list[str]:
    """Everything that can be read on a picture, or by a screen reader."""
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    written = [
        element.text or "" for kind in ("text", "title") for element in root.iter(f"{SVG}{kind}")
    ]
    return [*written, root.get("aria-label", "")]


@pytest.mark.parametrize("interactive", [True, False])
def test_nothing_but_names_is_left(interactive: bool) -> None:  # noqa: FBT001  # both kinds
    """Every word on a picture is from the catalogue, except names of players and cities."""
    names = [*TABLE.names, *(city.name for city in EUROPE.cities.values())]
    any_name = re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)))
    with speaking(Hollow()):
        picture = pictures.svg(EUROPE, TABLE, tickets=TICKETS, interactive=interactive)
    lines = {line for name in names for line in name.split()}
    left = {
        word
        for text in texts(picture)
        for word in re.findall(r"[^\W\d_]+", any_name.sub(" ", text))
    }

    assert set() == left - {word for line in lines for word in re.findall(r"[^\W\d_]+", line)}


def test_what_is_remembered_is_of_one_language() -> None:
    """Cached pictures are kept for each language."""
    english, pixels = pictures.svg(EUROPE, EMPTY), pictures.png(EUROPE, EMPTY, width=700)
    with speaking(Marked()):
        marked = pictures.svg(EUROPE, EMPTY)
        assert pixels != pictures.png(EUROPE, EMPTY, width=700)

    assert {"⟦any colour⟧", "⟦red⟧"} < set(texts(marked))
    assert english == pictures.svg(EUROPE, EMPTY)
    assert pixels == pictures.png(EUROPE, EMPTY, width=700)


def test_long_words_of_the_key_do_not_touch() -> None:
    """The words of the key do not overlap when they are long."""
    layout = layout_of(EUROPE)
    signs = legend.signs(EUROPE.routes.values())
    words = tuple(f"{word} {word}" for word in legend.words(signs))
    drawn = "".join(legend.key(PALETTES["light"], layout, signs, words))
    touching = [
        (float(x), float(x) + font_metrics.width(word, float(size)))
        for x, size, word in re.findall(r'<text x="([\d.]+)".*?size="([\d.]+)".*?>([^<]+)<', drawn)
    ]

    assert len(words) == len(touching)
    starts = [start - legend.SAMPLE - 7 for start, _ in touching[1:]]
    assert all(end < start for (_, end), start in zip(touching, starts, strict=False))
    assert touching[-1][1] < layout.width
