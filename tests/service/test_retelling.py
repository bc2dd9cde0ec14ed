from engine import read_log, replay, seen_by
from service import atlas
from service.retelling import Teller, as_seen_by, retell
from service.selfplay import Series

RULES = atlas.ruleset("usa", (), 2)
GAME = Series(RULES, "a").play(1)
NAMES = ("Ada", "Ben")


def test_teller_knows_no_more_than_its_listener() -> None:
    """The state behind a telling is the replay of what the listener saw."""
    for seat in (0, 1, None):
        teller = Teller(RULES, NAMES, as_seen_by(seat))
        for move in GAME.moves[:50]:
            teller.tell(move)

        events = [seen_by(event, seat) for move in GAME.moves[:50] for event in move.events]
        assert replay(RULES, events) == teller.state


def test_rounds_are_counted() -> None:
    """A round begins with the first seat's turn, and its standing is the state's."""
    told = list(retell(read_log(GAME.lines()), Teller(RULES, NAMES)))
    standings = [one.standing for one in told if one.standing]

    assert list(range(1, len(standings) + 1)) == [standing.round for standing in standings]
    assert ((0, 0), (45, 45)) == (standings[0].points, standings[0].trains)
    assert 5 == len(standings[0].market)
    assert [None] * (len(told) - 1) == [one.sheet for one in told[:-1]]
    assert told[-1].sheet is not None


def test_awaited_is_a_sentence() -> None:
    """Who is awaited, and for what; nobody when the game is over."""
    teller = Teller(RULES, NAMES)
    teller.tell(GAME.moves[0])
    assert "Awaited: Ada to choose tickets and Ben to choose tickets." == teller.awaited()

    for move in GAME.moves[1:]:
        teller.tell(move)
    assert "" == teller.awaited()
