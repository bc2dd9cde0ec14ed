"""Reading orders: what is understood, in which languages, and what is refused where."""

import pytest

from engine import Refusal, Ruleset
from engine.orders import check_orders, read_orders, written
from service.boards import atlas
from tests.scenes import ADA, scene

WISH = "claim dieppe-paris when I can"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    """Europe for three."""
    return atlas.ruleset("europe", (), 3)


def meaning(rules: Ruleset, text: str) -> str:
    """The orders that a text means, in their one written form."""
    return written(read_orders(rules, text))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("draw\ndraw\n\nclaim Paris – Dieppe", "draw; draw; claim dieppe-paris"),
        ("Claim Dieppe to Paris as soon as I can.", WISH),
        ("when I can claim paris-dieppe", WISH),
        (
            "claim paris-dieppe when I can with green and at most 1 locomotive",
            "illegal",
        ),
        (
            "claim paris-zurich with green and at most 1 locomotive when I can",
            "claim paris-zurich with green with at most 1 locomotive when I can",
        ),
        ("for 5 turns: draw", "draw, for 5 turns"),
        (
            "draw, draw, and claim Dieppe–Paris as soon as I can.",
            "draw; draw; claim dieppe-paris when I can",
        ),
        ("draw then, draw and then claim paris-dieppe", "unreadable"),
        ("Draw. Draw, then claim paris-dieppe", "draw; draw; claim dieppe-paris"),
        ("Draw and draw, puis claim paris-dieppe", "draw; draw; claim dieppe-paris"),
        ("for 2 turns, draw, ask me", "draw, for 2 turns; ask me"),
        ("When I can, claim paris-dieppe", WISH),
        (
            "claim paris-dieppe when I can. If it is gone, claim paris-bruxelles, else, draw",
            "claim dieppe-paris when I can, if it is gone: claim bruxelles-paris, else draw",
        ),
        (
            "claim paris-dieppe when I can, meanwhile, draw, sammle für Paris–Zürich",
            "claim dieppe-paris when I can, meanwhile draw; collect for paris-zurich",
        ),
        ("take the green card else draw, for 2 turns", "take green, else draw, for 2 turns"),
        (
            "claim marseille-roma when I can and pay up to 2 more",
            "claim marseille-roma paying up to 2 more when I can",
        ),
        (
            "claim paris-dieppe when I can; if it is gone: claim paris-bruxelles",
            "unreadable",
        ),
        ("build a station in Berlin when I can", "station berlin when I can"),
        ("collect for station berlin", "collect for berlin"),
        ("draw until the final round", "draw, until the last round"),
        ("draw for 200 turns", "unreadable"),
        ("draw until somebody has 99 trains or fewer", "unreadable"),
        ("claim paris-dieppe until the last round", "ambiguous"),
        ("claim amsterdam-london with at most 0 locomotives", "illegal"),
        ("meanwhile draw", "unreadable"),
        ("claim paris-dieppe when I can, meanwhile claim paris-zurich", "unreadable"),
        ("keep 1 2", "unreadable"),
        ("reroll all", "unreadable"),
        ("; ;", "unreadable"),
        ("draw; " * 21, "unreadable"),
        ("x" * 2001, "unreadable"),
        (" else ".join(["draw"] * 7), "unreadable"),
    ],
)
def test_texts(rules: Ruleset, text: str, means: str) -> None:
    """A text has one meaning, or is refused with one of three codes."""
    try:
        result = meaning(rules, text)
    except Refusal as refusal:
        result = refusal.code
    assert means == result


@pytest.mark.parametrize(
    "text",
    [
        (
            "claim paris-dieppe sobald ich kann, falls sie weg ist: claim paris-bruxelles, "
            "sonst frag mich, 5 Züge lang"
        ),
        (
            "claim paris-dieppe dès que je peux, si elle est prise: claim paris-bruxelles, "
            "sinon demande-moi, pendant 5 tours"
        ),
        (
            "claim paris-dieppe en cuanto pueda, si está ocupada: claim paris-bruxelles, "
            "si no pregúntame, durante 5 turnos"
        ),
        (
            "claim paris-dieppe assim que puder, se estiver ocupada: claim paris-bruxelles, "
            "senão pergunte-me, durante 5 turnos"
        ),
        (
            "claim paris-dieppe imediat ce pot, dacă e ocupată: claim paris-bruxelles, "
            "altfel întreabă-mă, timp de 5 ture"
        ),
        (
            "claim paris-dieppe appena posso, se è occupata: claim paris-bruxelles, "
            "altrimenti chiedimi, per 5 turni"
        ),
        (
            "claim paris-dieppe zodra ik kan, als die weg is: claim paris-bruxelles, "
            "anders vraag mij, 5 beurten lang"
        ),
    ],
)
def test_languages(rules: Ruleset, text: str) -> None:
    """The words between moves are read in every language in which replies are read."""
    english = (
        "claim dieppe-paris when I can, if it is gone: claim bruxelles-paris, else ask me, "
        "for 5 turns"
    )
    assert english == meaning(rules, text)


def test_city_that_ends_in_and() -> None:
    """The “and” at the end of a city belongs to the city."""
    nordic = atlas.ruleset("nordic", (), 2)
    text = "claim alborg-kristiansand paying up to 1 more when I can"
    assert text == meaning(nordic, text)


def test_what_cannot_be_collected_for(rules: Ruleset) -> None:
    """The refusal says so, and not what the last verb of the board would expect."""
    with pytest.raises(Refusal, match="“nowhere” is nothing to collect for on this board"):
        read_orders(rules, "collect for nowhere")


@pytest.mark.parametrize(
    "until",
    [
        "until the last round",
        "bis zur letzten Runde",
        "jusqu’au dernier tour",
        "hasta la última ronda",
        "até a última rodada",
        "până la ultima rundă",
        "fino all’ultimo giro",
        "tot de laatste ronde",
    ],
)
def test_last_round_in_languages(rules: Ruleset, until: str) -> None:
    """So is the last round."""
    assert "draw, until the last round" == meaning(rules, f"draw {until}")


def test_refusal_has_its_place(rules: Ruleset) -> None:
    """A refusal quotes the step, numbers it, and says where it stands and what was expected."""
    text = "draw;\n  clam paris-dieppe ; draw"
    with pytest.raises(Refusal) as caught:
        read_orders(rules, text)

    place = caught.value.place
    assert place is not None
    assert (2, "clam paris-dieppe") == (place.step, text[place.start : place.end])
    assert caught.value.sentence.startswith("Step 2, “clam paris-dieppe”: ")
    assert "Write a move such as “draw”" in caught.value.sentence


def test_place_of_a_step_within_a_line(rules: Ruleset) -> None:
    """Steps that follow a comma have places of their own."""
    text = "Draw, draw,  and claim paris-dieppe, collect for nowhere"
    with pytest.raises(Refusal) as caught:
        read_orders(rules, text)

    place = caught.value.place
    assert place is not None
    assert (4, "collect for nowhere") == (place.step, text[place.start : place.end])


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("draw; claim chicago-duluth when I can", 2),
        ("claim chicago-duluth, if it is gone: draw", None),
        ("claim portland-seattle when I can", None),
    ],
)
def test_what_is_lost_is_refused_at_once(text: str, step: int | None) -> None:
    """A step that can never be carried out is refused when the orders are given."""
    play = scene("usa · ada ben · turn ada\nben owns chicago-duluth portland-seattle-2")
    orders = read_orders(play.rules, text)
    refused = None
    try:
        check_orders(play.rules, play.state, ADA, orders, text)
    except Refusal as refusal:
        refused = refusal.place and refusal.place.step
    assert step == refused or (text.startswith("claim portland") and refused == 1)


def test_what_a_purchase_makes_possible_is_not_refused() -> None:
    """After a purchase a route of another player may be meant."""
    play = scene("uk · ada ben · turn ada\nben owns brighton-southampton")
    text = "buy right of way when I can; claim brighton-southampton"

    check_orders(play.rules, play.state, ADA, read_orders(play.rules, text), text)
