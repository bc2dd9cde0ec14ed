"""Answers to opening and joining a table."""

from service.desk import Desk
from service.games import lobby, table_lookup
from service.games.seating import table_answers
from tests.service.support.tables import player


def _open(desk: Desk) -> tuple[str, str]:
    ada = player(desk, "Ada")
    new = lobby.NewGame("usa", (), 3, bots={"easy": 1})
    return str(lobby.open_game(desk, ada, new, None)["id"]), ada


def test_an_answer_is_recorded_without_names(desk: Desk) -> None:
    """The recorded answer has the accounts; names are added when it is shown."""
    game, ada = _open(desk)
    with desk.database.reading() as tx:
        recorded = table_answers.document(desk, tx, table_lookup.existing(tx, game), ada)
    assert [(ada, ""), (None, "")] == [
        (seat["account"], seat["name"]) for seat in recorded["players"]
    ]

    shown = table_answers.with_names(desk, recorded)
    assert ["Ada", "House (easy)"] == [seat["name"] for seat in shown["players"]]
    assert all("account" not in seat for seat in shown["players"])


def test_an_old_answer_can_still_be_shown(desk: Desk) -> None:
    """An answer that an earlier release has recorded lacks the reserved seats: there are none."""
    game, ada = _open(desk)
    with desk.database.reading() as tx:
        recorded = table_answers.document(desk, tx, table_lookup.existing(tx, game), ada)
    del recorded["reserved"]
    assert [] == table_answers.with_names(desk, recorded)["reserved"]


def test_the_current_answer_is_that_of_now(desk: Desk) -> None:
    """A repeated request sees who has come in the meantime."""
    game, ada = _open(desk)
    before = table_answers.current(desk, ada, game)
    lobby.join(desk, player(desk, "Ben"), game, "", None)
    after = table_answers.current(desk, ada, game)
    assert (2, 3) == (len(before["players"]), len(after["players"]))
    assert before["tag"] != after["tag"]


def test_an_answer_stands_while_its_table_does(desk: Desk) -> None:
    """Whoever has left, or whose table is deleted, is not there any more."""
    game, ada = _open(desk)
    assert table_answers.is_there(desk, game, ada)
    assert not table_answers.is_there(desk, game, player(desk, "Eve"))
    lobby.leave(desk, ada, game)
    assert not table_answers.is_there(desk, game)
