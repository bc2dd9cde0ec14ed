import pytest

from engine import Unreadable, default_for, options, question, read, waiting
from engine.codec import read_action, write
from engine.errors import Ambiguous
from engine.kinds import Action
from engine.rules.dice import DrawForDice, RerollDice, RollDice
from engine.rules.dice_tokens import TakeToken
from engine.rules.routes import ClaimRoute
from engine.rules.stations import BuildStation
from engine.rules.technology_sale import BuyTechnology
from engine.rules.tunnels import PayTunnel
from engine.rules.turn_end import EndTurn
from engine.values import DicePayment, Tokens
from tests.scenes import ADA, Scene, scene

PAID = DicePayment((1, 2, 4), 1)


@pytest.fixture
def play() -> Scene:
    """A scene in which Ada has rolled and holds tokens."""
    return scene("""
        usa dice · ada ben · turn ada
        ada rolled single single double station joker
        ada has tokens 1 single 1 double
    """)


@pytest.mark.parametrize(
    ("action", "body"),
    [
        (RollDice(), {"type": "roll"}),
        (RerollDice((1, 3)), {"type": "reroll", "dice": [1, 3]}),
        (
            TakeToken("single", (1, 2)),
            {"type": "take_token", "kind": "single", "dice": [1, 2]},
        ),
        (EndTurn(), {"type": "end_turn"}),
        (
            EndTurn(Tokens(1, 0)),
            {"type": "end_turn", "return_tokens": {"single": 1, "double": 0}},
        ),
        (DrawForDice((4, 5)), {"type": "dice_draw_tickets", "dice": [4, 5]}),
        (
            ClaimRoute("x", PAID),
            {"type": "dice_claim", "route": "x", "dice": [1, 2, 4], "tokens": 1},
        ),
        (PayTunnel(DicePayment((4,))), {"type": "dice_pay_tunnel", "dice": [4]}),
        (
            BuildStation("roma", DicePayment((4,))),
            {"type": "dice_build_station", "city": "roma", "dice": [4]},
        ),
        (
            BuyTechnology("booster", DicePayment((4, 5))),
            {"type": "buy_technology", "technology": "booster", "dice": [4, 5]},
        ),
    ],
)
def test_actions_on_the_wire(action: Action, body: dict[str, object]) -> None:
    """7.1: the actions of a dice game are written and read with these names and fields."""
    assert body == write(action)
    assert action == read_action(body)


@pytest.mark.parametrize(
    "body",
    [
        {"type": "take_token", "kind_": "single", "dice": [1, 2]},
        {"type": "take_token", "dice": [1, 2]},
        {"type": "end_turn", "return_tokens": {"single": 1}},
        {"type": "end_turn", "return_tokens": 1},
        {"type": "reroll", "dice": ["1"]},
        {"type": "dice_claim", "route": "x", "dice": [1], "payment": {"red": 1}},
        {"type": "buy_technology", "technology": "x", "dice": [1], "payment": {"red": 1}},
    ],
)
def test_anything_else_is_unreadable(body: dict[str, object]) -> None:
    """7.1: an action with a missing, unknown or mistyped field is unreadable."""
    with pytest.raises(Unreadable):
        read_action(body)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("reroll dice 3 and 1", RerollDice((1, 3))),
        ("token double with dice 5 and 4", TakeToken("double", (4, 5))),
        ("tickets with die 4", DrawForDice((4,))),
        ("Claim Calgary–Vancouver with dice 1, 2 and 1 token",
         ClaimRoute("calgary-vancouver", DicePayment((1, 2), 1))),
        ("claim denver-santa_fe with dice 1 and token",
         ClaimRoute("denver-santa_fe", DicePayment((1,), 1))),
        ("end turn", EndTurn()),
        ("end returning 1 single and 1 double tokens", EndTurn(Tokens(1, 1))),
    ],
)  # fmt: skip
def test_what_people_write(play: Scene, text: str, action: Action) -> None:
    """The notation allows filler words and dice in any order."""
    assert action == read(play.rules, play.state, ADA, text)


def test_every_text_reads_back(play: Scene) -> None:
    """Law 7: each option's text means that option."""
    for option in options(play.rules, play.state, ADA):
        assert option.action == read(play.rules, play.state, ADA, option.text)


@pytest.mark.parametrize(
    "text",
    [
        "roll 3",
        "reroll the red one",
        "token blue with dice 1 2",
        "tickets please",
        "tickets with joy",
        "claim denver-santa_fe with 2 red",
        "end of the world",
        "end returning 1 joker",
    ],
)
def test_nonsense_is_unreadable(play: Scene, text: str) -> None:
    """A text that names neither dice nor tokens properly is refused as unreadable."""
    assert "unreadable" == play.refused(f"ada: {text}").code


def test_bare_tickets_are_ambiguous(play: Scene) -> None:
    """`tickets` without dice is ambiguous, and the refusal lists the candidates."""
    refusal = play.refused("ada: tickets")

    assert isinstance(refusal, Ambiguous)
    assert "tickets with dice 4 5" in refusal.candidates


def test_bare_tickets_are_enough_if_one_die_fits() -> None:
    """`tickets` without dice is accepted if there is only one choice."""
    play = scene("""
        usa dice · ada ben · turn ada
        ada rolled 4 single station
    """)

    assert DrawForDice((5,)) == read(play.rules, play.state, ADA, "tickets")


def test_tracks_are_the_same_with_dice() -> None:
    """R-DICE-2: both tracks of a double route cost the same, so naming the cities will do."""
    play = scene("""
        usa dice · ada ben cem dora · turn ada
        ada rolled 5 double
    """)
    meant = read(play.rules, play.state, ADA, "claim chicago-pittsburgh with dice 1 2 3")

    assert ClaimRoute("chicago-pittsburgh-black", DicePayment((1, 2, 3))) == meant


@pytest.mark.parametrize(
    ("moves", "default"),
    [
        ((), EndTurn()),
        (("ada: claim atlanta-nashville with die 1",), EndTurn()),
        (("ada: end",), RollDice()),
    ],
)
def test_an_absent_seat_spends_nothing(
    play: Scene, moves: tuple[str, ...], default: Action
) -> None:
    """Law 10: the default is to roll, or to end the turn without returning tokens."""
    play.do(*moves)
    (decision,) = play.state.awaiting

    assert default == default_for(play.rules, play.state, decision.seat)


def test_the_question_shows_the_dice(play: Scene) -> None:
    """The question lists the player's dice and tokens."""
    (decision,) = play.state.awaiting

    sentence = (
        "Use your dice or end your turn. "
        "Your dice: die 1: single, die 2: single, die 3: double, die 4: station, die 5: joker; "
        "your tokens: 1 single 1 double."
    )
    assert sentence == question(play.rules, play.state, decision)
    assert "use the dice" == waiting(play.rules, decision)


def test_a_turn_is_told() -> None:
    """The events of a dice turn are told in sentences (R-DIG-3)."""
    play = scene("""
        usa dice · ada ben · turn ada
        next dice: single single double station station joker
        next tickets: boston-miami
    """).do("ada: roll", "ada: reroll 5", "ada: token single with dice 1 2")
    play.do("ada: tickets with die 4", "ada: keep all", "ada: end returning 1 single")

    assert [
        "Ada uses die 4 for tickets.",
        "Ada draws Boston–Miami (12).",
        "Ada keeps Boston–Miami (12).",
        "Ada ends their turn, returning 1 single token.",
    ] == play.sentences
