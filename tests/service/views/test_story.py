"""The story of a game for one seat."""

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import pytest

from engine import Option, default_for, menu, question, shown
from engine.state import decision_of
from service.desk import Desk
from service.views import story
from service.views.story import Story
from tests.service.support.tables import keep_tickets, play, table
from tests.workers.correspondence import room

TABLES = [
    ("usa", ()),
    ("europe", ()),
    ("uk", ("advanced_technologies",)),
    ("europe", ("dice",)),
    ("uk", ("advanced_technologies", "dice")),
]


def story_of(desk: Desk, game: str, account: str) -> Story:
    """The story for one of the players."""
    seat_story = story.of_account(desk, game, account)
    assert seat_story is not None
    return seat_story


@pytest.mark.parametrize("board", TABLES, ids=str)
def test_the_menu_is_that_of_the_engine(desk: Desk, board: tuple[str, tuple[str, ...]]) -> None:
    """Entries, numbers, the question and the default are those of the engine."""
    here = room(desk, *board)
    for _ in range(6):
        here.play(9)
        seat = here.awaited
        decision = story_of(desk, here.game, here.players[seat]).decision
        with desk.database.reading() as tx:
            position = desk.positions.of(tx, here.table)
        rules, state = position.rules, position.state
        engine_decision = decision_of(state.awaiting, seat)
        assert decision is not None
        assert engine_decision is not None
        assert (question(rules, state, engine_decision), engine_decision.kind) == (
            decision.prompt,
            decision.kind,
        )
        listed = [
            (n, entry.text, entry.title) for n, entry in enumerate(menu(rules, state, seat), 1)
        ]
        entries = decision.entries
        assert listed == [(item.number, item.entry.text, item.entry.title) for item in entries]
        assert Option(rules, state, default_for(rules, state, seat)).label == decision.default
        assert set(decision.shown) <= set(entries)


def test_everything_a_seat_holds_is_told(desk: Desk) -> None:
    """Tickets, trains and points are those of the seat's own view."""
    here = room(desk)
    here.play(60)
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, here.table)
        view = shown(position.rules, desk.positions.view(tx, here.table, position, 1))
    seat_story = story_of(desk, here.game, here.players[1])
    mine = view["seats"][1]
    assert len(mine["tickets"]) == len(seat_story.tickets)
    tickets = position.rules.board.tickets
    assert [tickets[id].points for id in mine["tickets"]] == [
        ticket.points for ticket in seat_story.tickets
    ]
    assert ("trains", "Trains", str(mine["trains"])) in [fact[:3] for fact in seat_story.hand]
    points = [row.cells[0] for row in seat_story.standing.rows]
    assert [str(row["route_points"]) for row in view["seats"]] == points
    assert [False, True, False] == [row.me for row in seat_story.standing.rows]


def test_a_ticket_is_done_when_its_cities_are_joined(desk: Desk) -> None:
    """The tickets marked as done are those that the score sheet counts as completed."""
    here = room(desk, "usa", ("dice",), seats=2)
    here.play(4000)
    seat_story = story_of(desk, here.game, here.players[0])
    assert seat_story.sheet is not None
    done = [f"{ticket.name} ({ticket.points})" for ticket in seat_story.tickets if ticket.done]
    assert sorted(seat_story.sheet.completed[0]) == sorted(done)
    assert seat_story.decision is None


def test_the_picture_knows_what_is_new_and_what_is_mine(desk: Desk) -> None:
    """Only routes of the other player are marked as new, and only own tickets as goals."""
    here = room(desk, "usa", ("dice",), seats=2)
    lit: list[Sequence[int]] = []
    seat_story = story_of(desk, here.game, here.players[0])
    for _ in range(40):
        here.play(3)
        seat_story = story_of(desk, here.game, here.players[0])
        lit += [seat_story.scene.claimed[route] for route in seat_story.fresh]
    assert lit
    assert {1} == {owner for owners in lit for owner in owners}
    ends = [seat_story.board.tickets[ticket.id].cities for ticket in seat_story.tickets]
    assert {city for both in ends for end in both for city in end} == set(seat_story.goals)


def test_only_what_others_did_since_is_told(desk: Desk) -> None:
    """The story tells the moves of others since the seat's own last turn, and that one apart."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    names = [story_of(desk, game, account).name for account in players]
    play(desk, game, players[0], "draw")
    play(desk, game, players[0], "draw")
    play(desk, game, players[1], "draw")
    happened = story_of(desk, game, players[0]).happened
    assert (f"{names[1]} draws a card from the deck.",) == happened.since
    assert 2 == len(happened.mine)
    assert all(sentence.startswith(f"{names[0]} draws a") for sentence in happened.mine)
    assert not happened.more


def test_what_the_clock_played_is_told_as_such(desk: Desk) -> None:
    """Moves that the clock made for a seat are told to its owner as played for them."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    name = story_of(desk, game, players[0]).name
    play(desk, game, players[0], "draw", source="clock")
    play(desk, game, players[0], "draw", source="clock")
    since = story_of(desk, game, players[0]).happened.since
    assert 2 == sum(line.startswith(f"Played for {name}: {name} draws") for line in since)


def test_a_long_absence_is_cut(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A story has at most `MOST_SENTENCES` sentences about what happened since."""
    monkeypatch.setattr(story, "MOST_SENTENCES", 3)
    here = room(desk)
    here.play(3)
    other = (here.awaited + 1) % 3
    here.play(2)
    happened = story_of(desk, here.game, here.players[other]).happened
    assert len(happened.since) <= 3
    monkeypatch.setattr(story, "STEPS_BACK", (1,))
    here.play(12)
    assert story_of(desk, here.game, here.players[0]).happened is not None


def test_the_far_past_is_found_step_by_step(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The story does not depend on the steps in which the log is read."""
    here = room(desk)
    here.play(50)
    whole = [story_of(desk, here.game, account).happened for account in here.players]
    monkeypatch.setattr(story, "STEPS_BACK", (1, 1, 2, 3, 100))
    assert whole == [story_of(desk, here.game, account).happened for account in here.players]


@pytest.mark.parametrize("board", TABLES, ids=str)
def test_every_entry_has_a_title(desk: Desk, board: tuple[str, tuple[str, ...]]) -> None:
    """The title of an entry begins with a capital and contains no underscore."""
    here = room(desk, *board)
    for _ in range(12):
        here.play(5)
        decision = story_of(desk, here.game, here.players[here.awaited]).decision
        assert decision is not None
        for item in decision.entries:
            assert item.entry.title[0].isupper()
            assert "_" not in item.entry.title


def test_the_headline_is_about_what_was_built(desk: Desk) -> None:
    """The headline is the latest sentence about a claim since, or else the latest of all."""
    here = room(desk, "usa", ("dice",), seats=2)
    here.play(2)
    claimed = 0
    for _ in range(60):
        here.play(3)
        happened = story_of(desk, here.game, here.players[0]).happened
        claims = [line for line in happened.since if " claims " in line]
        last = [*happened.since, *claims][-1] if happened.since else ""
        assert last == happened.headline
        claimed += bool(claims)
    assert claimed


def test_the_last_turn_is_told_alone(desk: Desk) -> None:
    """Of own moves directly one after the other, only those of the last turn are told."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players[::-1])
    assert "keeps" in story_of(desk, game, players[0]).happened.mine[0]
    for _ in range(2):
        play(desk, game, players[0], "draw")
    mine = story_of(desk, game, players[0]).happened.mine
    assert [True, True] == [" draws a" in sentence for sentence in mine]


def test_the_headline_is_what_everybody_may_know(desk: Desk) -> None:
    """Neither the tickets that are dealt nor the seat's own draws are headlines."""
    game, players = table(desk, "Ada", "Ben")
    assert "" == story_of(desk, game, players[0]).happened.headline
    keep_tickets(desk, game, players)
    play(desk, game, players[0], "draw", source="clock")
    happened = story_of(desk, game, players[0]).happened
    mine, other = (story_of(desk, game, account).name for account in players)
    assert any(line.startswith(f"Played for {mine}") for line in happened.since)
    assert f"3 by {other}" in happened.headline


def test_a_rematch_is_the_same_game_again(desk: Desk) -> None:
    """The address of the form names board, variants, seats and the other players."""
    here = room(desk, "usa", ("dice",), seats=3)
    path = urlsplit(story_of(desk, here.game, here.players[0]).rematch)
    fields = parse_qs(path.query)
    assert ("/games/new", ["usa"], ["dice"], ["3"]) == (
        path.path,
        fields["board"],
        fields["variants"],
        fields["seats"],
    )
    others = [str(seat.name) for seat in here.table.seated if seat.account != here.players[0]]
    assert sorted(others) == sorted(fields["guests"][0].split("\n"))


def test_nobody_else_is_told_anything(desk: Desk) -> None:
    """There is no story for a stranger, nor of an unknown game."""
    here = room(desk)
    assert story.of_account(desk, here.game, "stranger") is None
    assert story.of_account(desk, "x" * 22, here.players[0]) is None
