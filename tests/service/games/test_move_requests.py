"""Requests for moves, and the digests of their bodies."""

from typing import Any

import pytest
from sqlalchemy import update

from engine import Chosen, Refusal, Unreadable
from engine.codec import read_action
from service.desk import Desk
from service.games import moves
from service.games.move_requests import MoveRequest, from_body, hash_of_key
from store.tables import moves as moves_table
from tests.service.support.tables import keep_tickets, player, table

DRAW = {"type": "draw_blind"}
UNSORTED = {"type": "dice_claim", "tokens": 0, "route": "hull-leeds", "dice": [4, 2]}


@pytest.mark.parametrize(
    ("body", "digest"),
    [
        ({"action": DRAW}, "75c5d56012e73f2d90485738f620f1d2"),
        ({"text": "draw blue"}, "0530243cb5a684fa038cc3c9d10cd9ee"),
        ({"action": UNSORTED}, "be00a92f6279366c3b67709cf4253aae"),
        ({"action": {"type": "fly"}}, "3d6250d3ae156a0d3d69556ed156842f"),
    ],
)
def test_digests_stay_as_they_were_stored(body: dict[str, Any], digest: str) -> None:
    """Digests never change, so that a key used before an upgrade still fits its body."""
    assert digest == from_body(body).digest.hex()


def test_choices_have_digests_of_their_own() -> None:
    """Different choices have different digests, read from JSON or not."""
    bodies = [{"entry": 1}, {"entry": 2}, {"entry": 2, "way": "3 red"}, {"entry": 2, "things": [1]}]
    digests = {from_body({"choose": body}).digest for body in bodies}
    answers = [Chosen(1), Chosen(2), Chosen(2, "3 red"), Chosen(2, things=(1,))]

    assert 4 == len(digests)
    assert 4 == len({MoveRequest(answer).digest for answer in answers})


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"entry": "1"},
        {"entry": True},
        {"entry": 1.0},
        {"entry": 1, "way": 2},
        {"entry": 1, "locomotives": "2"},
        {"entry": 1, "things": "1"},
        {"entry": 1, "things": [None]},
        {"entry": 1, "things": [[1]]},
        {"entry": 1, "speed": 3},
    ],
)
def test_a_malformed_choice_is_unreadable(desk: Desk, body: object) -> None:
    """A choice that is not exactly right is refused as unreadable, and nothing changes."""
    game, (ada, _) = table(desk, "Ada", "Ben")

    assert "unreadable" == _refused(desk, ada, game, from_body({"choose": body})).code


def test_an_action_has_the_digest_of_its_json() -> None:
    """An action has the digest of the JSON that was sent, unless its dice were unsorted."""
    assert from_body({"action": DRAW}).digest == MoveRequest(read_action(DRAW)).digest
    assert from_body({"action": UNSORTED}).digest != MoveRequest(read_action(UNSORTED)).digest


def test_a_move_stored_before_an_upgrade_is_repeated(desk: Desk) -> None:
    """With a stored digest, the same body gets the same receipt and another body is refused."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    request = from_body({"action": DRAW})._replace(key="k")
    receipt = moves.submit(desk, ada, game, request)
    old = bytes.fromhex("75c5d56012e73f2d90485738f620f1d2")
    with desk.database.writing() as tx:
        row = update(moves_table).where(moves_table.c.key == hash_of_key("k"))
        assert 1 == tx.execute(row.values(digest=old)).rowcount

    assert receipt == moves.submit(desk, ada, game, request)
    with pytest.raises(Refusal) as refusal:
        moves.submit(desk, ada, game, MoveRequest("draw", key="k"))
    assert "idempotency_mismatch" == refusal.value.code


def _refused(desk: Desk, account: str, game: str, request: MoveRequest) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        moves.submit(desk, account, game, request)
    return refusal.value


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("draw", "An action must be an object with a “type”."),
        ({"type": "fly"}, "There is no action “fly”."),
        (DRAW | {"card": "red"}, "“draw_blind” has no field “card”."),
    ],
)
def test_an_unreadable_action_says_what_is_wrong(desk: Desk, action: Any, sentence: str) -> None:
    """An unreadable action is refused with the sentence of the codec."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    refusal = _refused(desk, ada, game, from_body({"action": action}))

    assert isinstance(refusal, Unreadable)
    assert ("unreadable", sentence) == (refusal.code, refusal.sentence)


def test_other_faults_are_told_before_an_unreadable_action(desk: Desk) -> None:
    """An unknown game, a stranger, a wrong version and a used key are reported first."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    moves.submit(desk, ada, game, MoveRequest("keep all", key="k"))
    bad = from_body({"action": {"type": "fly"}})

    assert "not_found" == _refused(desk, ada, "x" * 22, bad).code
    assert "forbidden" == _refused(desk, player(desk, "Eve"), game, bad).code
    assert "stale" == _refused(desk, ben, game, bad._replace(versions=frozenset({7}))).code
    assert "stale" == _refused(desk, ben, game, bad._replace(decision_version=7)).code
    assert "idempotency_mismatch" == _refused(desk, ada, game, bad._replace(key="k")).code
