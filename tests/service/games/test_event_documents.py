"""Events as documents."""

from collections.abc import Sequence
from typing import Any

from service.desk import Desk
from service.games import event_documents, table_lookup
from service.memory.positions import events_of
from store.games.games import moves_after
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import table_at


def _seen(
    desk: Desk, game: str, seat: int | None, after: int = 0, *, all_open: bool = False
) -> Any:
    with desk.database.reading() as tx:
        current, position = table_lookup.settled(desk, tx, table_at(desk, game))
        log = [(move, events_of(move)) for move in moves_after(tx, game, -1)]
    return list(
        event_documents.documents(current, position, log, seat, after, open_to_all=all_open)
    )


def _game(desk: Desk) -> str:
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    play(desk, game, players[0], "draw")
    return game


def test_events_are_numbered_and_know_their_move(desk: Desk) -> None:
    """The numbers have no gap, and versions go up to the last move."""
    entries = _seen(desk, _game(desk), 0)

    assert list(range(1, len(entries) + 1)) == [entry["seq"] for entry in entries]
    assert [0, 1, 2, 3] == sorted({entry["version"] for entry in entries})


def test_only_later_events_are_given(desk: Desk) -> None:
    """Only events with a number above `after` are returned."""
    game = _game(desk)
    entries = _seen(desk, game, 0)

    assert entries[5:] == _seen(desk, game, 0, after=5)
    assert [] == _seen(desk, game, 0, after=len(entries))


def _cards(entries: Sequence[Any]) -> list[Any]:
    return [
        entry["event"].get("card") for entry in entries if entry["event"]["type"] == "card_drawn"
    ]


def test_a_drawn_card_is_seen_by_its_seat_alone(desk: Desk) -> None:
    """Others see a drawn card neither in the event nor in its sentence, until all is open."""
    game = _game(desk)
    (mine,) = _cards(_seen(desk, game, 0))
    hidden = [_seen(desk, game, seat) for seat in (1, None)]

    assert isinstance(mine, str)
    assert all(mine not in _cards(entries) for entries in hidden)
    assert all(mine not in entries[-1]["sentence"] for entries in hidden)
    assert [mine] == _cards(_seen(desk, game, None, all_open=True))


def test_sentences_name_the_players(desk: Desk) -> None:
    """Sentences call players by their names."""
    entries = _seen(desk, _game(desk), None)

    assert entries[-1]["sentence"].startswith(("Ada ", "Ben "))
