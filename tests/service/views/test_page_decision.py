"""The cards of the market on the page, and the entries that take them."""

from service.desk import Desk
from service.views import game_page
from tests.service.support.tables import keep_tickets, play, table


def test_cards_keep_their_places_while_a_locomotive_is_closed(desk: Desk) -> None:
    """The deck and all open cards have a place, and an entry exactly if they can be taken."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    for turn in range(30):
        account = (ada, ben)[turn // 2 % 2]
        page = game_page.visit(desk, game, account).page
        assert page is not None
        assert page.market is not None
        assert page.decision is not None
        cards = ["", *(card for card in page.market if card)]
        takes = [item for item in page.decision.items if item.entry.card is not None]

        assert cards == [card for card, _ in page.slots]
        assert takes == [item for _, item in page.slots if item]
        assert all(item is None or item.entry.card == card for card, item in page.slots)
        closed = [card for card, item in page.slots if item is None]
        assert ("locomotive" in cards if turn % 2 else False) == bool(closed)
        play(desk, game, account, "draw")


def test_a_locomotive_that_may_be_taken_second_keeps_its_place(desk: Desk) -> None:
    """R-NOR-4: every open card has one place and can be taken, in whatever order it is offered."""
    game, (ada, ben) = table(desk, "Ada", "Ben", board="nordic")
    keep_tickets(desk, game, [ada, ben])
    places = set()
    for turn in range(50):
        account = (ada, ben)[turn // 2 % 2]
        page = game_page.visit(desk, game, account).page
        assert page is not None
        assert page.market is not None
        assert ["", *page.market] == [card for card, _ in page.slots]
        assert all(item and item.entry.card == card for card, item in page.slots)
        if turn % 2 and "locomotive" in page.market:
            places.add(page.market.index("locomotive"))
        play(desk, game, account, f"take {turn % 5 + 1}")

    assert {0, 1, 2, 3} & places


def test_places_of_the_board_lead_to_entries(desk: Desk) -> None:
    """What the board lights is exactly what the menu has."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    page = game_page.visit(desk, game, ada).page
    assert page is not None
    assert page.decision is not None

    assert page.marks.can == page.decision.places != frozenset()
    assert page.marks.can <= {*page.board.routes, *page.board.cities}
