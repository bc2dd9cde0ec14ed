"""Receipts of moves."""

from typing import Any

from service.desk import Desk
from service.games import moves, reading
from service.games.move_requests import MoveRequest
from tests.service.support.tables import default_text, keep_tickets, play, table
from tests.service.support.timing import seen_by


def test_a_receipt_tells_what_a_move_caused(desk: Desk) -> None:
    """A receipt has the move's events, the new version, head and tag, and the next decision."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    receipt = play(desk, game, ada, "draw")
    seen = seen_by(desk, game, ada)

    assert (game, 3, 3) == (receipt["game"], receipt["move"], receipt["version"])
    assert (seen["head"], reading.game(desk, game, ada)[0]) == (receipt["head"], receipt["tag"])
    assert receipt["decision"] == reading.decision(desk, game, ada)
    events = reading.events(desk, game, ada, receipt["events"][0]["seq"] - 1)["events"]
    assert events == receipt["events"]


def test_a_receipt_is_for_the_eyes_of_its_seat(desk: Desk) -> None:
    """A receipt shows the card drawn blind to its own seat only."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    receipt = play(desk, game, ada, "draw")
    first = receipt["events"][0]["seq"] - 1
    (mine,) = (entry["event"] for entry in receipt["events"])
    (theirs,) = (entry["event"] for entry in reading.events(desk, game, ben, first)["events"])

    assert "card_drawn" == mine["type"] == theirs["type"]
    assert mine["card"] is not None
    assert mine["card"] != theirs.get("card")


def test_a_repeated_receipt_is_the_first_one(each_desk: Desk) -> None:
    """Each of twelve moves, repeated after all of them, gets its first receipt."""
    game, (ada, ben) = table(each_desk, "Ada", "Ben", pace="daily")
    receipts = []
    for number in range(12):
        mover = ada if reading.decision(each_desk, game, ada) else ben
        request = MoveRequest(default_text(each_desk, game, mover), key=f"k{number}")
        receipts.append((mover, request, moves.submit(each_desk, mover, game, request)))

    for mover, request, receipt in receipts:
        assert receipt == moves.submit(each_desk, mover, game, request)


def test_the_last_receipt_hides_nothing(desk: Desk) -> None:
    """The receipt of the move that ends a game has no decision, and events open to all."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    receipt: dict[str, Any] = {}
    while decision := reading.decision(desk, game, ada) or reading.decision(desk, game, ben):
        mover = (ada, ben)[decision["seat"]]
        receipt = play(desk, game, mover, decision["default"]["text"])
    last = receipt["events"][0]["seq"] - 1

    assert receipt["decision"] is None
    assert "game_ended" == receipt["events"][-1]["event"]["type"]
    assert receipt["events"] == reading.events(desk, game, None, last)["events"]
