"""What orders do in a position: one scene for each kind of order."""

import pytest

from engine.orders import Progress
from tests.engine.orders.ordering import carry_out
from tests.scenes import Scene, scene

USA = "usa · ada ben · turn ada\n"
EUROPE = "europe · ada ben · turn ada\n"
UK = "uk · ada ben · turn ada\n"


def test_sequence() -> None:
    """Each step of a sequence makes one decision; what is left waits for the next turn."""
    play = scene(USA)

    run = carry_out(play, "draw; draw; claim chicago-duluth")

    assert (["draw", "draw"], "", Progress(2)) == run


def test_orders_that_are_used_up_ask_in_the_middle_of_a_turn() -> None:
    """After the last step the seat decides by itself, even in the same turn."""
    run = carry_out(scene(USA), "draw")

    assert (["draw"], "finished") == run[:2]


def test_move_that_is_not_legal_stops_with_the_reason_of_the_rules() -> None:
    """A plain move that is not legal plays nothing else."""
    run = carry_out(scene(USA), "claim chicago-duluth; draw")

    assert [] == run.moves
    assert run.end.startswith("You cannot pay for Chicago")


def test_wish_is_played_as_soon_as_it_can() -> None:
    """A wish that is affordable is paid with the fewest locomotives."""
    run = carry_out(scene(f"{USA} ada holds 3 red 2 locomotive"), "claim chicago-duluth when I can")

    assert ["claim chicago-duluth with 3 red"] == run.moves


def test_wish_collects_meanwhile() -> None:
    """A wish takes open cards of its colour, else cards from the deck."""
    play = scene(f"""{EUROPE} ada holds 2 red
        market black blue orange white green
        next cards: red red""")

    first = carry_out(play, "claim dieppe-paris when I can")

    assert ["draw", "draw"] == first.moves
    assert Progress(0, 1) == first.progress

    play = scene(f"{EUROPE} market purple blue orange white green")
    assert ["take 1", "draw"] == carry_out(play, "claim dieppe-paris when I can").moves[:2]


def test_open_locomotives_are_left_unless_the_route_requires_them() -> None:
    """An open locomotive costs a whole turn: only a ferry that lacks one takes it."""
    market = "market locomotive blue orange white green"

    plain = carry_out(scene(f"{EUROPE} {market}"), "claim dieppe-paris when I can")
    ferry = carry_out(
        scene(f"{EUROPE} ada holds 4 red\n{market}"), "claim amsterdam-london when I can"
    )

    assert "take 1" not in plain.moves
    assert ["take 1"] == ferry.moves


def test_gray_route_collects_the_colour_that_the_seat_has_most_of() -> None:
    """On a gray route, cards of the best colour are collected; with a colour named, that one."""
    given = f"{USA} ada holds 2 blue 1 green\nmarket green blue orange white red"

    best = carry_out(scene(given), "collect for calgary-seattle")
    named = carry_out(scene(given), "claim calgary-seattle with green when I can")

    assert ["take 2", "take 1"] == [best.moves[0], named.moves[0]]


def test_limit_of_locomotives() -> None:
    """A claim that needs more locomotives than allowed is not made; more is collected."""
    play = scene(f"{USA} ada holds 1 red 2 locomotive")

    run = carry_out(play, "claim chicago-duluth with at most 1 locomotive when I can")

    assert run.moves[0].startswith(("draw", "take"))
    other = scene(f"{USA} ada holds 1 red 2 locomotive")
    refused = carry_out(other, "claim chicago-duluth with at most 1 locomotive")
    assert "not on your terms" in refused.end


@pytest.mark.parametrize(
    ("given", "moves"),
    [
        ("ada holds 3 red 2 purple", ["claim chicago-duluth with 3 red"]),
        ("ada holds 2 purple 3 yellow\nben owns chicago-duluth", ["claim portland-seattle-1"]),
        ("ada holds 2 purple", []),
    ],
)
def test_alternatives(given: str, moves: list[str]) -> None:
    """The alternative is played if the route is gone, and not if only cards are missing."""
    text = "claim chicago-duluth, if it is gone: claim portland-seattle, else ask me"

    run = carry_out(scene(f"{USA} {given}"), text)

    assert moves == [move.partition(" with")[0] for move in run.moves] or moves == run.moves
    assert bool(moves) != bool(run.end and run.end != "finished")


def test_else_is_tried_whatever_the_reason() -> None:
    """`else` does not ask why the first is not possible."""
    run = carry_out(scene(USA), "take locomotive else draw, for 2 turns")

    assert ["draw", "draw"] == run.moves
    assert Progress(0, 1) == run.progress


def test_card_that_is_not_in_the_market_is_gone() -> None:
    """“If it is gone” is tried where a card does not lie in the market."""
    market = f"{USA} market black blue orange white green"

    run = carry_out(scene(market), "take red, if it is gone: draw; draw")

    assert ["draw", "draw"] == run.moves


def test_gone_route_stops_and_says_why() -> None:
    """A wish for a route that another player has claimed stops with this reason."""
    run = carry_out(
        scene(f"{USA} ben owns chicago-duluth"), "claim chicago-duluth when I can; draw"
    )

    assert ([], "Chicago–Duluth belongs to another player.") == run[:2]


def test_turns_are_counted() -> None:
    """A step for two turns is over in the third, and the next step is judged."""
    play, text = scene(USA), "draw for 2 turns; take orange"

    first = carry_out(play, text)
    play.do("ben: draw", "ben: draw")
    second = carry_out(play, text, progress=first.progress)
    play.do("ben: draw", "ben: draw")
    third = carry_out(play, text, progress=second.progress)

    assert [["draw", "draw"]] * 2 == [first.moves, second.moves]
    assert third.moves[0].startswith("take")


def test_until_somebody_has_few_trains() -> None:
    """The step is over when anybody has that many trains."""
    text = "draw until somebody has 10 trains or fewer; claim chicago-duluth"

    few = carry_out(scene(f"{USA} ada holds 3 red\nben has 10 trains"), text)
    many = carry_out(scene(f"{USA} ada holds 3 red\nben has 11 trains"), text)

    assert ["claim chicago-duluth with 3 red"] == few.moves
    assert ["draw", "draw"] == many.moves


def test_until_the_last_round() -> None:
    """In the last round the step is over; without another one the seat is asked."""
    last = scene("usa · ada ben · last turn ada")

    assert ([], "finished") == carry_out(last, "draw until the last round")[:2]


def test_collecting_ends_when_the_route_can_be_claimed() -> None:
    """`collect for` does not claim; the next step does, in the same turn."""
    play = scene(f"{USA} ada holds 3 red")

    run = carry_out(play, "collect for chicago-duluth; claim chicago-duluth")

    assert ["claim chicago-duluth with 3 red"] == run.moves


def test_meanwhile() -> None:
    """While it waits, a wish does what it was told to."""
    run = carry_out(
        scene(f"{EUROPE} market purple purple white white red"),
        "claim dieppe-paris when I can, meanwhile draw",
    )

    assert ["draw", "draw"] == run.moves


TUNNEL = f"""{EUROPE} ada holds 4 white 3 red
    next cards: white white black"""


def test_tunnel_asks_unless_a_surcharge_is_allowed() -> None:
    """Without a word about the surcharge the orders stop at it."""
    run = carry_out(scene(TUNNEL), "claim madrid-pamplona with 3 white when I can")

    assert 1 == len(run.moves)
    assert "2 more" in run.end


def test_tunnel_pays_up_to_the_limit() -> None:
    """A surcharge within the limit is paid, and the step is done."""
    text = "claim pamplona-madrid paying up to 2 more when I can; ask me"
    play = scene(f"""{EUROPE} ada holds 5 white
        next cards: white white black""")

    run = carry_out(play, text)

    assert ["claim madrid-pamplona-white with 3 white", "pay 2 white"] == run.moves


def test_tunnel_that_costs_more_is_given_up_and_tried_again() -> None:
    """A wish is tried again next turn; a plain claim stops and says that it failed."""
    given = f"""{EUROPE} ada holds 5 white
        next cards: white white black"""
    text = "claim pamplona-madrid paying up to 1 more{}"

    play = scene(given)
    waits = carry_out(play, text.format(" when I can"))
    play.do("ben: draw", "ben: draw")
    again = carry_out(play, text.format(" when I can"), progress=waits.progress)
    play = scene(given)
    plain = carry_out(play, text.format(""))
    play.do("ben: draw", "ben: draw")
    failed = carry_out(play, text.format(""), progress=plain.progress)

    assert "give up" == waits.moves[-1]
    assert again.moves[0].startswith("claim")
    assert "has failed" in failed.end


def test_locomotive_limit_includes_the_surcharge() -> None:
    """Locomotives of the surcharge count against the limit, too."""
    play = scene(f"""{EUROPE} ada holds 3 white 2 locomotive
        next cards: white white black""")

    run = carry_out(
        play, "claim madrid-pamplona with at most 1 locomotive paying up to 3 more when I can"
    )

    assert 1 == len(run.moves)
    assert "2 more" in run.end


def test_ferry() -> None:
    """A ferry is claimed with the locomotives that it requires, and no others."""
    play = scene(f"{EUROPE} ada holds 4 red 3 locomotive")

    run = carry_out(play, "claim amsterdam-london with at most 2 locomotives when I can")

    assert ["claim amsterdam-london with 2 locomotive"] == run.moves


def test_station() -> None:
    """A station is built when it can be paid; where one stands, the orders stop."""
    built = carry_out(scene(f"{EUROPE} ada holds 1 red"), "station berlin when I can")
    taken = carry_out(
        scene(f"{EUROPE} ada holds 1 red\nben has stations in berlin"), "station berlin when I can"
    )

    assert ["station berlin with 1 red"] == built.moves
    assert "already a station in Berlin" in taken.end


def test_technology_then_claim() -> None:
    """A technology leaves the turn open, so that the next step is played in it."""
    play = scene(f"{UK} ada holds 2 locomotive 2 black 2 blue")

    run = carry_out(play, "buy mechanical-stoker when I can; draw")

    assert run.moves[0].startswith("buy mechanical-stoker with 1 locomotive")
    assert "draw" == run.moves[1]


def test_route_that_needs_a_technology_stops() -> None:
    """Collecting cards does not help where a technology is missing."""
    play = scene(f"{UK} ada holds 4 locomotive")

    run = carry_out(play, "claim aberdeen-dundee when I can")

    assert [] == run.moves
    assert "you need" in run.end


def test_substitutes_are_never_paid_unasked() -> None:
    """Four cards in place of a locomotive are spent only if they are written out."""
    play = scene(f"{UK} ada holds 4 red 4 blue")

    run = carry_out(play, "buy mechanical-stoker when I can")

    assert run.moves[0].startswith(("draw", "take"))


DICE = "europe dice · ada ben · turn ada\n"


def test_dice_turn() -> None:
    """With dice a wish rolls, rerolls what does not fit, takes a token, and ends the turn."""
    run = carry_out(scene(DICE), "claim berlin-danzig when I can")

    assert "roll" == run.moves[0]
    assert run.moves[-1].startswith(("end", "claim"))
    assert "" == run.end


def test_dice_claim_and_end() -> None:
    """A turn in which a route was claimed with dice is ended, and the next step waits."""
    play = scene(f"{DICE} ada rolled single single single single single")

    run = carry_out(play, "claim berlin-danzig when I can; roll", is_new_turn=False)

    assert run.moves[0].startswith("claim berlin-danzig")
    assert "end" == run.moves[-1]
    assert (1, "") == (run.progress.step, run.end)


def test_tickets_and_keep_all() -> None:
    """Tickets can be drawn by order, and all of them kept."""
    run = carry_out(scene(USA), "tickets; keep all; draw")

    assert "tickets" == run.moves[0]
    assert run.moves[1].startswith("keep ")
    assert "" == run.end


def test_tickets_without_an_order_to_keep_ask() -> None:
    """A choice of which nothing is said stops the orders."""
    run = carry_out(scene(USA), "tickets; draw")

    assert ["tickets"] == run.moves
    assert run.end


def test_ask_me() -> None:
    """`ask me` stops."""
    assert ([], "You wanted to be asked here.") == carry_out(scene(USA), "ask me")[:2]


def test_the_judge_sees_nothing_hidden() -> None:
    """Orders are judged alike from the whole state and from the seat's own view of a scene."""
    play: Scene = scene(f"{USA} ada holds 2 red\nben holds 4 red 2 locomotive")
    other = scene(f"{USA} ada holds 2 red\nben holds 6 blue")
    text = "claim chicago-duluth when I can; draw until the last round"

    assert carry_out(play, text).moves[0] == carry_out(other, text).moves[0]


def test_claimed_by_hand_is_done() -> None:
    """A wish for what the seat has got meanwhile is done."""
    play = scene(f"{USA} ada owns chicago-duluth")

    assert ["draw", "draw"] == carry_out(play, "claim chicago-duluth when I can; draw; draw").moves
