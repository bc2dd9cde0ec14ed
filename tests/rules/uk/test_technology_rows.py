"""Technologies as rows of a map: which are sold, and which rows are refused."""

import pytest

from engine import MapError, ruleset_of
from engine.rules.technologies import (
    catalogue,
)
from service.boards.atlas import board, ruleset


def test_advanced_set_and_modules() -> None:
    """R-TECH-8, R-DICE-32: the variant sells five more; Water Tender is not sold with dice."""
    basic = set(catalogue(ruleset("uk", (), 2)).technologies)
    advanced = set(catalogue(ruleset("uk", ("advanced_technologies",), 2)).technologies)
    dice = set(catalogue(ruleset("uk", ("advanced_technologies", "dice"), 2)).technologies)

    assert (11, 16) == (len(basic), len(advanced))
    assert {"water_tender"} == advanced - dice


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"grants": {"wings": True}}, r"technologies\[x\].grants.wings: is not a known key"),
        ({"grants": {"lengths": 3}}, r"technologies\[x\].grants.lengths: must be a list"),
        ({"grants": {"claims": "three"}}, "“three” is not a known right"),
        ({"cost": 0}, "at least 1"),
        ({"price": 2}, "price: is not a known key"),
        ({"id": "booster"}, "appears twice"),
    ],
)
def test_bad_rows_are_refused_on_load(change: dict[str, object], reason: str) -> None:
    """A map with an invalid technology is refused on load, with the reason."""
    plain = board("uk")
    row = {"id": "x", "name": "X", "cost": 1, "copies": 1, "grants": {}, **change}
    edited = plain._replace(technologies=(*plain.technologies, row))

    with pytest.raises(MapError, match=reason):
        ruleset_of(edited, 2)


def test_unknown_sets_are_refused_on_load() -> None:
    """A map that names a set without technologies is refused on load."""
    plain = board("uk")
    edited = plain._replace(parameters=plain.parameters | {"technologies": {"sets": ["bsaic"]}})

    with pytest.raises(MapError, match="no technology is in the set “bsaic”"):
        ruleset_of(edited, 2)


def test_any_of_several_technologies_opens_a_route() -> None:
    """A route needs one technology for each thing that some technology opens, whichever it is."""
    plain = board("uk")
    row = {"id": "oil", "name": "Oil", "cost": 1, "copies": 1, "grants": {"lengths": [3, 4]}}
    rules = ruleset_of(plain._replace(technologies=(*plain.technologies, row)), 2)

    assert (frozenset({"mechanical_stoker", "oil"}),) == catalogue(rules).needs["bristol-plymouth"]
