from engine import read_log, replay, seen_by
from service.boards import atlas
from service.games.bots.selfplay import Series
from service.views.retelling import Teller, as_seen_by, retell

RULES = atlas.ruleset("usa", (), 2)
GAME = Series(RULES, "a").play(1)
NAMES = ("Ada", "Ben")


def test_teller_knows_no_more_than_its_listener() -> None:
    """A teller's state is the replay of the events as its listener may see them."""
    for seat in (0, 1, None):
        teller = Teller(RULES, NAMES, as_seen_by(seat))
        for move in GAME.moves[:50]:
            teller.tell(move)

        events = [seen_by(event, seat) for move in GAME.moves[:50] for event in move.events]
        assert replay(RULES, events) == teller.state


def test_rounds_are_counted() -> None:
    """Rounds are numbered from 1 and have a standing; only the last move has a score sheet."""
    moves = list(retell(read_log(GAME.lines()), Teller(RULES, NAMES)))
    standings = [move.standing for move in moves if move.standing]

    assert list(range(1, len(standings) + 1)) == [standing.round for standing in standings]
    assert (("Points", ("0", "0")), ("Trains", ("45", "45"))) == standings[0].columns
    assert [("Market", 5)] == [(label, len(cards)) for label, cards in standings[0].cards]
    assert [None] * (len(moves) - 1) == [move.sheet for move in moves[:-1]]
    assert moves[-1].sheet is not None


def test_awaited_is_a_sentence() -> None:
    """The sentence says who is awaited for what, and is empty when the game is over."""
    teller = Teller(RULES, NAMES)
    teller.tell(GAME.moves[0])
    assert "Waiting for Ada to choose tickets and Ben to choose tickets." == teller.awaited()

    for move in GAME.moves[1:]:
        teller.tell(move)
    assert "" == teller.awaited()
