from engine import State
from engine.rules.dice_turn import nothing_to_claim
from engine.rules.routes import routes
from engine.rules.turns import LastRoundBegan, TurnBegan
from tests.scenes import ADA, BEN, Scene, scene


def with_open(play: Scene, *ids: str) -> Scene:
    """Close all routes but these to every seat."""
    owners: dict[str, tuple[int, ...]] = {id: () for id in play.rules.board.routes if id not in ids}
    network = routes.part(play.state)._replace(owners=owners)
    play.state = State(play.state.awaiting, {**play.state.parts, "routes": network})
    return play


def ending(board: str = "usa", trains: int = 45) -> Scene:
    """A scene in which both seats have this many trains, and Ada has rolled."""
    return scene(f"""
        {board} dice · ada ben · turn ada
        ada rolled 5 station
        ada has {trains} trains
        ben has {trains} trains
    """)


def test_a_full_board_brings_on_the_last_round() -> None:
    """R-END-6: when nobody has a route left, each seat has one more turn."""
    play = with_open(ending()).do("ada: end")

    assert (LastRoundBegan(ADA, 2), TurnBegan(BEN)) == play.events[1:]


def test_the_game_ends_after_that_round() -> None:
    """R-END-6, R-END-2: the game ends after the last turn of the seat that triggered it."""
    play = with_open(ending()).do("ada: end", "ben: roll", "ben: end", "ada: roll", "ada: end")

    assert "last_round" == play.end.reason


def test_one_open_route_keeps_the_game_going() -> None:
    """R-END-6: an open route that can be claimed prevents the last round."""
    play = with_open(ending(), "denver-santa_fe").do("ada: end")

    assert TurnBegan(BEN) == play.events[-1]
    assert not any(isinstance(event, LastRoundBegan) for event in play.events)


def test_routes_longer_than_all_trains_do_not_count() -> None:
    """R-END-6: a route that is longer than any seat's trains does not prevent the last round."""
    play = with_open(ending(trains=5), "calgary-winnipeg").do("ada: end")

    assert LastRoundBegan(ADA, 2) in play.events


def test_the_trains_of_any_seat_count() -> None:
    """R-END-6: a route counts as open if any seat has trains for it, not only the one to move."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 station
        ada has 5 trains
    """)

    assert not nothing_to_claim(play.rules, with_open(play, "calgary-winnipeg").state, ADA)


def test_routes_longer_than_eight_do_not_count() -> None:
    """R-END-6: Southampton–New York, which dice cannot claim, does not prevent the last round."""
    play = with_open(ending("uk", 35), "new_york-southampton").do("ada: end")

    assert LastRoundBegan(ADA, 2) in play.events


def test_missing_technologies_do_not_count() -> None:
    """R-END-6: a route that only lacks a technology prevents the last round."""
    play = with_open(ending("uk", 35), "bristol-plymouth").do("ada: end")

    assert LastRoundBegan(ADA, 2) not in play.events


def test_the_other_track_of_ones_own_does_not_count() -> None:
    """R-END-6, R-DBL-1: a twin is open only to those who do not have its other track."""
    play = scene("""
        usa dice · ada ben cem dora · turn ada
        ada rolled 5 station
    """)
    alone = with_open(play, "atlanta-raleigh-1")
    assert not nothing_to_claim(alone.rules, alone.state, ADA)
    owners = {**alone.network.owners, "atlanta-raleigh-2": (0, 1, 2, 3)}
    parts = {**alone.state.parts, "routes": alone.network._replace(owners=owners)}

    assert nothing_to_claim(alone.rules, State(alone.state.awaiting, parts), ADA)


def test_few_trains_bring_it_on_as_ever() -> None:
    """R-END-1: two trains or fewer start the last round in dice games, too."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 5 single
        ada has 3 trains
    """).do("ada: claim atlanta-nashville with die 1", "ada: end")

    assert LastRoundBegan(ADA, 2) in play.events
