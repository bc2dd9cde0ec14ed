"""Which technologies each track of the United Kingdom needs, against appendix B of the rules."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.rules.technologies import Technologies, catalogue, opened_up, technologies
from engine.state import State
from engine.values import Route
from service.boards.atlas import ruleset

RULES = ruleset("uk", ("advanced_technologies",), 2)
DOCUMENT = Path(__file__).parents[3] / "docs" / "rules.md"
NAMES = {
    "Wales": "wales_concession",
    "Scotland": "scotland_concession",
    "Ireland/France": "ireland_france_concession",
    "Stoker": "mechanical_stoker",
    "Boiler": "superheated_boiler",
    "Propellers": "propellers",
    "none": "",
    "none, by exception": "",
}


class Entry(NamedTuple):
    """One item of the appendix: `Edinburgh–Newcastle 3 ×2` under `Scotland + Stoker`."""

    cities: frozenset[str]
    length: int
    symbols: int
    tracks: int
    needs: frozenset[str]

    def __str__(self) -> str:
        return f"{'–'.join(sorted(self.cities))} {self.length}"


def appendix() -> list[Entry]:
    """All items of the appendix, with the technologies that their paragraph names."""
    text = DOCUMENT.read_text(encoding="utf-8")
    text = text[text.index("## Appendix B") : text.index("## Appendix C")]
    entries = []
    for line in re.finditer(r"^- \*\*(.+?)\*\* \((\d+)\): (.+)\.$", text, re.MULTILINE):
        needs = frozenset(NAMES[name] for name in line[1].split(" + ")) - {""}
        items = [_item(item, needs) for item in line[3].split("; ")]
        assert int(line[2]) == sum(item.tracks for item in items), line[1]
        entries += items
    return entries


def _item(text: str, needs: frozenset[str]) -> Entry:
    match = re.fullmatch(r"(.+)–(.+?) (\d+)(?: f(\d))?(?: ×(2))?", text)
    assert match, text
    return Entry(
        frozenset((match[1], match[2])),
        int(match[3]),
        int(match[4] or 0),
        int(match[5] or 1),
        needs,
    )


ENTRIES = appendix()
every_entry = pytest.mark.parametrize("entry", ENTRIES, ids=str)


def tracks(entry: Entry) -> list[Route]:
    """The tracks of the board that an item names."""
    cities = RULES.board.cities
    return [
        route
        for route in RULES.board.routes.values()
        if entry[:3]
        == (frozenset(cities[id].name for id in route.cities), route.length, route.locomotives)
    ]


def may_claim(route: Route, *owned: str) -> bool:
    """Whether the technologies open this route."""
    part = Technologies((owned, ()), bought=None, right="")
    state = State((), RULES.initial.parts | {technologies.name: part})
    return [route] == opened_up(RULES, state, 0, [route])


def test_every_track_is_in_the_table() -> None:
    """R-TECH-3: the appendix names each of the 125 tracks once."""
    named = Counter(route.id for entry in ENTRIES for route in tracks(entry))

    assert Counter(RULES.board.routes.keys()) == named
    assert 125 == sum(entry.tracks for entry in ENTRIES)


@every_entry
def test_what_a_track_needs(entry: Entry) -> None:
    """R-TECH-1 to 3: the listed technologies are enough, and none of them can be replaced."""
    everything = set(catalogue(RULES).technologies)

    assert entry.tracks == len(tracks(entry))
    for route in tracks(entry):
        assert may_claim(route, *entry.needs)
        for technology in entry.needs:
            assert not may_claim(route, *everything - {technology})
