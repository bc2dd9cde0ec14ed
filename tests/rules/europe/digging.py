"""Helpers for tests of tunnels."""

from engine.rules.tunnels import PaySurcharge
from engine.values import CardPayment, Cost
from tests.scenes import ADA, Scene, counted, scene


def dig(hand: str, cards: str, claim: str = "venezia-zurich with 2 green") -> Scene:
    """A scene in which Ada digs with this hand, and these cards are revealed."""
    return scene(f"""
        europe · ada ben · turn ada
        ada holds {hand}
        next cards: {cards}
    """).do(f"ada: claim {claim}")


def paid(*cards: str) -> CardPayment:
    """A payment of these cards."""
    return CardPayment(counted(cards))


def surcharge(play: Scene) -> Cost | None:
    """The surcharge that Ada has to pay, if any."""
    decision = play.decision_of(ADA)
    return decision.cost if isinstance(decision, PaySurcharge) else None
