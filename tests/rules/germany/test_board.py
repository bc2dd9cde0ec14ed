"""The German board: countries, triple routes and ticket decks (rules 9.1 and 9.2)."""

import pytest

from engine import Game, options
from engine.rules.ticket_mix import DrawMixed, ticket_mix
from engine.rules.tickets import KeepTickets, TicketsOffered
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, CEM, scene

GAMES = ("germany", "marklin")
TRIPLE = "dusseldorf-koln"


@pytest.mark.parametrize("name", GAMES)
def test_size(name: str) -> None:
    """R-GER-1: 35 cities and 14 termini, 110 plain tracks, 45 trains, two to five seats."""
    german = board(name)
    termini = [city for place in german.places.values() for city in place.cities]

    assert (49, 14, 110) == (len(german.cities), len(set(termini)), len(german.routes))
    assert {"plain"} == {route.kind for route in german.routes.values()}
    assert (2, 5) == german.seats
    assert {45} == set(ruleset(name).initial.parts["routes"].trains)


def test_a_country_is_reached_at_any_terminus() -> None:
    """R-GER-2: a ticket to a country is completed by either terminus, which are not joined."""
    play = scene("""
        germany · ada ben · last turn ada
        ada owns bremerhaven-danemark_1 bremerhaven-emden emden-niederlande_1 danemark_2-kiel
        ada has tickets danemark-niederlande frankreich-danemark
        ada holds 1 red
        waiting in koln: nothing
        waiting in koblenz: nothing
    """)
    won = play.do("ada: claim koblenz-koln with 1 red").end.results[ADA]

    assert (("danemark-niederlande",), ("frankreich-danemark",)) == (won.completed, won.failed)


@pytest.mark.parametrize(("seats", "left"), [("ada ben", 1), ("ada ben cem", 1)])
def test_one_track_of_three_stays_unused(seats: str, left: int) -> None:
    """R-GER-3: with two or three seats the last track of a triple route is closed."""
    play = scene(f"""
        germany · {seats} · turn ben
        ben holds 1 red
        ada owns {TRIPLE}-1
        waiting in koln: nothing
        waiting in dusseldorf: nothing
    """)
    assert {f"{TRIPLE}-1": (ADA,)} == play.network.owners
    play.do(f"ben: claim {TRIPLE}-3 with 1 red")

    assert [f"{TRIPLE}-2"] == [id for id, has in play.network.owners.items() if not has]
    assert left == len([1 for has in play.network.owners.values() if not has])


@pytest.mark.parametrize("seats", ["ada ben", "ada ben cem"])
def test_the_first_claim_of_three_closes_nothing(seats: str) -> None:
    """R-GER-3: a track of a triple route is closed only when it is the last one left."""
    play = scene(f"""
        germany · {seats} · turn ada
        ada holds 1 red
        waiting in koln: nothing
        waiting in dusseldorf: nothing
    """).do(f"ada: claim {TRIPLE}-2 with 1 red")

    assert {f"{TRIPLE}-2": (ADA,)} == play.network.owners


def test_all_three_tracks_with_four() -> None:
    """R-GER-3: with four seats all three tracks can be claimed, each by another seat."""
    play = scene(f"""
        germany · ada ben cem dora · turn cem
        cem holds 1 red
        ada owns {TRIPLE}-1
        ben owns {TRIPLE}-2
        waiting in koln: nothing
        waiting in dusseldorf: nothing
    """).do(f"cem: claim {TRIPLE}-3 with 1 red")

    assert [(ADA,), (BEN,), (CEM,)] == list(play.network.owners.values())


@pytest.mark.parametrize("own", ["1", "2", "3"])
def test_nobody_owns_two_of_three(own: str) -> None:
    """R-GER-3: no seat may own two tracks of a triple route."""
    play = scene(f"""
        germany · ada ben cem dora · turn ada
        ada holds 4 red
        ada owns {TRIPLE}-{own}
    """)

    assert [] == play.texts(ADA, f"claim {TRIPLE}")
    other = "2" if own == "1" else "1"
    assert "R-DBL-1" == play.refused(f"ada: claim {TRIPLE}-{other} with 1 red").rule


def test_a_ring_of_tracks_must_close() -> None:
    """R-GER-3: each track names the next one, and the last the first."""
    tracks = [f"{TRIPLE}-{n}" for n in (1, 2, 3)]
    routes = board("germany").routes

    assert tracks[1:] + tracks[:1] == [routes[id].twin for id in tracks]
    assert tuple(tracks[1:]) == ruleset("germany").beside[tracks[0]]


def test_seven_spaces() -> None:
    """R-GER-4: a route of seven spaces scores 18 points."""
    play = scene("""
        germany · ada ben · turn ada
        ada holds 7 blue
        waiting in berlin: nothing
        waiting in hamburg: nothing
    """).do("ada: claim berlin-hamburg with 7 blue")

    assert (18, 38) == (play.network.points[ADA], play.network.trains[ADA])


def opening() -> Game:
    """A game before anybody has announced a mix."""
    return Game(ruleset("marklin", (), 3), "scene", bytes(32))


def test_a_mix_is_announced_at_the_start() -> None:
    """R-GER-5: each seat announces a mix of four in any order, and keeps at least two."""
    game = opening()
    assert [ADA, BEN, CEM] == sorted(game.awaited)
    assert [f"tickets with {n} long" for n in range(5)] == [
        option.text for option in options(game.rules, game.state, CEM)
    ]
    game.play(CEM, "tickets with 1 short 3 long")
    offered = game.moves[-1].events[0]

    assert (3, 1, 2) == (offered.long, offered.fresh, offered.least)  # type: ignore[attr-defined]  # tickets were offered
    long = [game.rules.board.tickets[id].points >= 12 for id in offered.tickets]  # type: ignore[attr-defined]  # as above
    assert [True, True, True, False] == long
    with pytest.raises(Exception, match="at least 2"):
        game.play(CEM, "keep 1")


def test_the_decks_are_whole_again() -> None:
    """R-GER-7: what is returned at the start is shuffled in when everybody has chosen."""
    game = opening()
    for seat, long in ((ADA, 4), (BEN, 0), (CEM, 2)):
        game.play(seat, DrawMixed(long))
    for seat in (ADA, BEN):
        game.play(seat, "keep 1 2")
    part = ticket_mix.part(game.state)
    assert (23 - 6, 23 - 6) == (part.left, game.state.parts["tickets"].fresh)
    game.play(CEM, "keep all")

    assert (23 - 6 + 2, 23 - 6 + 2) == (
        ticket_mix.part(game.state).left,
        game.state.parts["tickets"].fresh,
    )
    for viewer in (ADA, BEN, CEM, None):
        view = game.view(viewer)
        assert (19, 19) == (ticket_mix.part(view).left, view.parts["tickets"].fresh)


def test_a_mix_in_a_turn() -> None:
    """R-GER-6, R-GER-7: four tickets in a mix; one must be kept, the others are shuffled in."""
    play = scene(
        """
        marklin · ada ben · turn ada
        next tickets: kiel-schweiz emden-freiburg berlin-chemnitz koblenz-ulm
    """
    )
    play.do("ada: tickets with 2 short 2 long")
    offered = ("kiel-schweiz", "emden-freiburg", "berlin-chemnitz", "koblenz-ulm")
    assert offered == play.tickets.offers[ADA]
    assert "R-TKT-3" == play.refused("ada: keep none").rule
    play.do("ada: keep kiel-schweiz berlin-chemnitz")

    assert ("emden-freiburg",) == ticket_mix.part(play.state).unseen[-1:]
    assert ("koblenz-ulm",) == play.tickets.unseen[-1:]
    assert "Shuffled back into the decks: 1 short and 1 long ticket." in play.sentences


def test_a_mix_by_word() -> None:
    """R-GER-6: a mix can be named by either number, and by nothing but these."""
    play = scene("marklin · ada ben · turn ada")
    assert 5 == len(play.texts(ADA, "tickets"))

    def drawn(text: str) -> int:
        made = scene("marklin · ada ben · turn ada").do(f"ada: {text}")
        offered = made.events[0]
        assert isinstance(offered, TicketsOffered)
        return offered.long

    texts = ("tickets 1 long", "tickets with 3 short", "tickets 4 short", "tickets with 4 long")
    assert [1, 1, 0, 4] == [drawn(text) for text in texts]
    assert "unreadable" == play.refused("ada: tickets with 3 short 3 long").code
    assert "unreadable" == play.refused("ada: tickets with 2 fast").code
    assert "ambiguous" == play.refused("ada: tickets").code
    assert "R-GER-6" == play.refused((ADA, DrawMixed(5))).rule


def test_a_short_deck_is_made_up_for() -> None:
    """R-GER-8: if one deck is too short, the other one makes up for it."""
    ids = board("germany").tickets
    short = [id for id, ticket in ids.items() if ticket.decks == ("short",)]
    long = [id for id, ticket in ids.items() if ticket.decks == ("long",)]

    def texts(short_left: int, long_left: int) -> list[str]:
        play = scene(f"""
            germany · ada ben · turn ada
            ben has tickets {" ".join(short[short_left:] + long[long_left:])}
        """)
        return play.texts(ADA, "tickets")

    assert ["tickets with 3 long", "tickets with 4 long"] == texts(1, 9)
    assert ["tickets with 0 long", "tickets with 1 long"] == texts(9, 1)
    assert ["tickets with 2 long"] == texts(1, 2)
    assert [] == texts(0, 0)


def test_no_tickets_left() -> None:
    """R-GER-8: with both decks empty no ticket can be drawn."""
    play = scene(f"""
        germany · ada ben · turn ada
        ben has tickets {" ".join(board("germany").tickets)}
    """)

    assert "R-TKT-2" == play.refused((ADA, DrawMixed(0))).rule
    assert "R-TKT-2" == play.refused((ADA, KeepTickets(()))).rule
