"""What tests of tunnels do in common."""

from engine.rules.tunnels import PaySurcharge
from engine.values import CardPayment, Cost
from tests.scenes import ADA, Scene, counted, scene


def dig(hand: str, cards: str, claim: str = "venezia-zurich with 2 green") -> Scene:
    """Ada digs with this hand, and these cards are revealed."""
    return scene(f"""
        europe · ada ben · turn ada
        ada holds {hand}
        next cards: {cards}
    """).do(f"ada: claim {claim}")


def paid(*cards: str) -> CardPayment:
    """These cards, laid down."""
    return CardPayment(counted(cards))


def surcharge(play: Scene) -> Cost | None:
    """What Ada is asked for."""
    asked = play.asked(ADA)
    return asked.cost if isinstance(asked, PaySurcharge) else None
