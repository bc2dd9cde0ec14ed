"""The reader's tickets with their letters."""

from engine import Goal
from service.boards import atlas
from service.views.ticket_cards import letters_by_city, letters_by_ticket, ticket_cards


def _goals(number: int) -> list[Goal]:
    board = atlas.board("usa")
    return [Goal(id, id, 1, done=False) for id in list(board.tickets)[:number]]


def test_every_ticket_has_its_own_letter() -> None:
    """Letters go from A to Z and on with AA, and none is used twice."""
    board = atlas.board("usa")
    cards = ticket_cards(board, _goals(28))

    assert ["A", "B", "Z", "AA", "AB"] == [cards[n].letter for n in (0, 1, 25, 26, 27)]
    assert 28 == len(set(letters_by_ticket(cards).values()))


def test_a_city_shows_the_letters_of_all_its_tickets() -> None:
    """Each city where tickets end has their letters, in the order of the tickets."""
    board = atlas.board("usa")
    cards = ticket_cards(board, _goals(6))
    letters = letters_by_city(cards)

    assert set(letters) == {city for card in cards for city in card.cities}
    for city, text in letters.items():
        assert text == "".join(card.letter for card in cards if city in card.cities)
