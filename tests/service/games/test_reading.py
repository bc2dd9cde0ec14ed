"""Reading games, decisions, events and logs."""

import json
from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby, reading
from tests.service.games.test_lobby import finish
from tests.service.support.tables import keep_tickets, play, player, table
from tests.service.support.timing import seen_by, table_at


def test_a_game_is_answered_from_the_cache(desk: Desk) -> None:
    """A second read returns the cached bytes, until a move changes the tag."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    tag, first = reading.game(desk, game, ada)
    assert (tag, first) == reading.game(desk, game, ada)
    assert first is reading.game(desk, game, ada)[1]
    play(desk, game, ada, "keep all")

    assert tag != reading.game(desk, game, ada)[0]
    assert 1 == seen_by(desk, game, ada)["version"]


def test_each_reader_has_their_own_view(desk: Desk) -> None:
    """Each seat and a spectator see different states; a resigned player sees a spectator's."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    states = [seen_by(desk, game, reader)["state"] for reader in (ada, ben, None)]
    assert 3 == len({json.dumps(state, sort_keys=True) for state in states})
    lobby.leave(desk, ben, game)

    assert seen_by(desk, game, None)["state"] == seen_by(desk, game, ben)["state"]
    assert seen_by(desk, game, ben)["me"] is None


def test_a_table_that_has_not_begun_has_no_state(desk: Desk) -> None:
    """An open table has no head, no state, no result and no events."""
    ada = player(desk, "Ada")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    seen = seen_by(desk, game, ada)

    assert [None] * 3 == [seen[name] for name in ("head", "state", "result")]
    assert ("open", 0, 0) == (seen["status"], seen["version"], seen["me"])
    assert [] == reading.events(desk, game, ada, 0)["events"]


def test_a_decision_is_new_once(desk: Desk) -> None:
    """A decision is new until the reader names the version at which it was opened."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    version, decision = reading.newly_opened(desk, game, ada, None)
    assert (0, reading.decision(desk, game, ada)) == (version, decision)

    assert (0, None) == reading.newly_opened(desk, game, ada, version)
    play(desk, game, ada, "keep all")
    assert (0, None) == reading.newly_opened(desk, game, ada, version)


def test_a_decision_is_for_those_who_sit_there(desk: Desk) -> None:
    """An account without a seat is refused, and gets no new decision."""
    game, _ = table(desk, "Ada", "Ben")
    eve = player(desk, "Eve")
    with pytest.raises(Refusal) as refusal:
        reading.decision(desk, game, eve)

    assert "forbidden" == refusal.value.code
    assert (None, None) == reading.newly_opened(desk, game, eve, None)


def test_decisions_of_all_games_come_by_deadline(desk: Desk) -> None:
    """Open decisions of all games are sorted by deadline, and read in parts."""
    first, (ada, _) = table(desk, "Ada", "Ben", pace="days")
    second = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2, pace="live"), None)["id"])
    lobby.join(desk, player(desk, "Cem"), second, "", None)
    places, decisions, *_ = reading.awaiting(desk, ada, None, 1)
    assert ([second], 2) == ([decision["game"] for decision in decisions], len(places))
    places, decisions, *_ = reading.awaiting(desk, ada, places[0], 1)

    assert ([first], 1) == ([decision["game"] for decision in decisions], len(places))


def test_events_come_in_parts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events read in parts are all events of the game, each once."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    whole = reading.events(desk, game, None, 0)
    monkeypatch.setattr(reading, "MOST_EVENTS", 1)
    entries: list[Any] = []
    part: dict[str, Any] = {"last": 0, "more": True}
    while part["more"]:
        part = reading.events(desk, game, None, part["last"])
        entries += part["events"]

    assert whole["events"] == entries
    assert not part["over"]


def test_a_log_is_published_when_the_game_is_over(desk: Desk) -> None:
    """A log is refused before the end; then it has the commitment first and the seed last."""
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    with pytest.raises(Refusal) as refusal:
        reading.log(desk, game, ada)
    assert "not_over" == refusal.value.code
    finish(desk, game, ada)
    lines = reading.log(desk, game, ada)
    seen = seen_by(desk, game, None)

    assert seen["commitment"] == json.loads(lines[0])["commitment"]
    assert "seed" in json.loads(lines[-1])
    assert seen["version"] + 3 == len(lines)


def test_a_nonce_counts_after_the_commitment(desk: Desk) -> None:
    """In an old game without a time of commitment, only nonces of later players count."""
    game, _ = table(desk, "Ada", "Ben")
    row = table_at(desk, game)
    opener = row.seated[0]._replace(nonce="mine", joined=row.created)
    later = opener._replace(joined="9999")
    old = row._replace(committed=None)

    assert reading.nonce_given(row, opener)
    assert not reading.nonce_given(row, opener._replace(nonce=""))
    assert [False, True] == [reading.nonce_given(old, seat) for seat in (opener, later)]
