"""The menu of a decision in sections, for the page of a game."""

import pytest

from engine import Action, Entry, Menu, menu
from engine.menu import Way
from service.boards import atlas
from service.desk import Desk
from service.views.menu_sections import Locomotives, Section, locomotives_for, sections_of
from tests.service.support.tables import keep_tickets, play
from tests.workers.correspondence import Room, room


def _menu(here: Room) -> tuple[Menu, list[Section]]:
    """The menu of the open decision, and its sections."""
    with here.desk.database.reading() as tx:
        position = here.desk.positions.of(tx, here.table)
    entries = menu(position.rules, position.state, here.awaited)
    return entries, list(sections_of(position.rules, entries))


def _with(here: Room, verb: str) -> tuple[Menu, dict[str, Section]]:
    """The first menu with a section of this verb, and its sections by verb."""
    while True:
        entries, sections = _menu(here)
        if verb in (named := {section.verb: section for section in sections}):
            return entries, named
        here.play(1)


@pytest.mark.parametrize("variants", [(), ("dice",)], ids=["cards", "dice"])
@pytest.mark.parametrize("board", ["usa", "europe", "uk", "nordic", "switzerland"])
def test_every_entry_stands_in_one_section(
    desk: Desk, board: str, variants: tuple[str, ...]
) -> None:
    """Every entry is in exactly one section, with its number in the menu."""
    here = room(desk, board, variants)
    for _ in range(5):
        here.play(7)
        entries, sections = _menu(here)
        items = [item for section in sections for item in section.items]

        assert {*enumerate(entries, 1)} == {(item.n, item.entry) for item in items}
        assert len(entries) == len(items)
        assert len(sections) == len({section.verb for section in sections})
        for section in sections:
            assert {section.verb} == {item.entry.group for item in section.items}


def test_a_section_is_not_split(desk: Desk) -> None:
    """Entries of the same verb stand in one section even if others stand between them."""
    entries, named = _with(room(desk, "usa"), "claim")
    draw, claim = named["draw"].items[0].entry, named["claim"].items[0].entry
    rules = atlas.ruleset("usa", (), 2)
    sections = list(sections_of(rules, (claim, draw, claim)))

    assert {draw, claim} <= {*entries}
    assert [("claim", [1, 3]), ("draw", [2])] == [
        (section.verb, [item.n for item in section.items]) for section in sections
    ]


def test_claims_are_found_on_the_board(desk: Desk) -> None:
    """Claims are on the board under their route, with price and points; drawing cards is not."""
    _, sections = _with(room(desk, "usa"), "claim")
    claims = sections["claim"]
    item = claims.items[0]

    assert claims.is_on_board
    assert item.entry.about == item.place
    assert item.entry.title == f"Claim {item.title}"
    price, points = item.details
    assert price[0].isdigit()
    assert points.split()[1] in ("point", "points")
    assert not sections["draw"].is_on_board


def test_ferries_and_tunnels_are_named_with_the_price(desk: Desk) -> None:
    """A ferry and a tunnel are named after the price, and other routes have no note."""
    here = room(desk, "europe")
    kinds: set[str] = set()
    while not {"ferry", "tunnel"} <= kinds:
        here.play(1)
        _, sections = _with(here, "claim")
        for item in sections["claim"].items:
            price, *note, _ = item.details
            assert (item.entry.costs, [item.entry.note] * len(note)) == (price, note)
            kinds |= set(note)
    assert {"ferry", "tunnel"} == kinds


def test_tickets_and_dice_are_never_folded(desk: Desk) -> None:
    """A section with nothing but choices of things is not folded; many routes are."""
    here = room(desk, "europe", ("dice",))
    keep = _menu(here)[1][0]
    _, sections = _with(here, "token")

    assert ("keep", False) == (keep.verb, keep.is_folded)
    assert "Choose 2 to 4 of them." == keep.items[0].how_many
    assert not sections["token"].is_folded
    assert sections["claim"].is_folded
    assert "" == sections["claim"].items[0].how_many


def test_help_is_given_once(desk: Desk) -> None:
    """Help for all entries of a section is not repeated at each of them."""
    here = room(desk, "uk")
    here.play(12)
    for section in _menu(here)[1]:
        for item in section.items:
            assert not set(item.help) & set(section.help)


def _locomotives(here: Room) -> Locomotives | None:
    """The locomotives of the open decision."""
    return locomotives_for(atlas.ruleset(here.table.board, (), 2), _menu(here)[0])


def test_numbers_of_locomotives_are_offered_where_they_differ(desk: Desk) -> None:
    """The numbers go from the fewest to the most of all ways that leave a choice."""
    here = room(desk, "europe")
    assert _locomotives(here) is None
    keep_tickets(desk, here.game, here.players)
    while (locomotives := _locomotives(here)) is None:
        play(desk, here.game, here.players[here.awaited], "draw")
    ways = [way for entry in _menu(here)[0] for way in entry.ways if len(way.actions) > 1]
    numbers = locomotives.numbers

    assert "Locomotives" == locomotives.title
    assert numbers[0] == min(way.locomotives for way in ways)
    assert numbers[-1] == max(way.most_locomotives for way in ways) > numbers[0]


def _way(*numbers: int) -> Way:
    """A way that can be paid with these numbers of locomotives."""
    return Way(str(numbers), "", (Action(),) * len(numbers), numbers[0])


@pytest.mark.parametrize(
    ("variants", "title"), [((), "Locomotives"), (("dice",), "Jokers")], ids=["cards", "dice"]
)
def test_no_number_is_offered_that_no_way_leaves_open(
    variants: tuple[str, ...], title: str
) -> None:
    """A way without a range does not widen that of the others; with dice it counts jokers."""
    entry = Entry("claim", "", "", "", "", ways=(_way(0), _way(2, 3), _way(3, 4, 5), _way(9)))
    rules = atlas.ruleset("usa", variants, 2)

    assert Locomotives(title, range(2, 6)) == locomotives_for(rules, [entry])
    assert locomotives_for(rules, [entry._replace(ways=(_way(0), _way(9)))]) is None


@pytest.mark.parametrize(
    ("board", "long"),
    [("usa", {"claim"}), ("europe", {"claim", "station"}), ("germany", {"claim", "tickets"})],
)
def test_long_sections_are_those_that_push_others_out_of_sight(
    desk: Desk, board: str, long: set[str]
) -> None:
    """Routes, stations and the mixes of tickets are long; single entries are not."""
    here = room(desk, board)
    seen: set[str] = set()
    for _ in range(12):  # whether a section is long depends on the hand
        seen |= {section.verb for section in _menu(here)[1] if section.is_long}
        here.play(5)

    assert long == seen - {"draw"}
