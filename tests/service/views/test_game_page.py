"""The page of a game as plain data."""

from engine import Option, default_for, menu
from service.desk import Desk
from service.games import lobby, reading, talk
from service.games.inviting import invitations
from service.views import game_page
from service.views.game_page import GamePage
from tests.service.support.tables import keep_tickets, play, player, table
from tests.service.support.timing import seat_at, table_at
from tests.workers.correspondence import room


def _page(
    desk: Desk, game: str, account: str | None, at: int | None = None, of: int | None = None
) -> GamePage:
    page = game_page.visit(desk, game, account, at, of).page
    assert page is not None
    return page


def test_a_player_sees_their_own_cards_and_decision(desk: Desk) -> None:
    """Only players see a hand, tickets and a decision; spectators see the same table."""
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    keep_tickets(desk, game, [ada, ben])
    mine, other, visitor = (_page(desk, game, account) for account in (ada, ben, None))

    assert mine.hand != other.hand
    assert mine.tickets
    assert (None, ()) == (visitor.hand, visitor.tickets)
    assert mine.market == visitor.market
    assert mine.standing.columns == visitor.standing.columns
    assert [True, False, False] == [page.decision is not None for page in (mine, other, visitor)]


def test_the_decision_is_that_of_the_api(desk: Desk) -> None:
    """The decision on the page has the prompt, kind and times of the API."""
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    keep_tickets(desk, game, [ada, ben])
    decision, document = _page(desk, game, ada).decision, reading.decision(desk, game, ada)
    assert decision is not None
    assert document is not None

    assert (document["prompt"], document["kind"]) == (decision.prompt, decision.kind)
    assert (document["since"], document["deadline"]) == (decision.since, decision.deadline)
    assert seat_at(desk, game, ada).decision_version == decision.version


def test_the_decision_shows_the_menu_and_the_default(desk: Desk) -> None:
    """The page has every entry of the menu, and the label of the move played at the deadline."""
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    keep_tickets(desk, game, [ada, ben])
    decision = _page(desk, game, ada).decision
    assert decision is not None
    with desk.database.reading() as tx:
        position = desk.positions.of(tx, table_at(desk, game))
    rules, state = position.rules, position.state
    items = [item for section in decision.sections for item in section.items]

    assert {*enumerate(menu(rules, state, 0), 1)} == {(item.n, item.entry) for item in items}
    assert Option(rules, state, default_for(rules, state, 0)).label == decision.default
    assert not decision.is_one_choice


def test_an_earlier_version_has_no_decision(desk: Desk) -> None:
    """An earlier version shows its events and the hand of that time, but no decision."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    play(desk, game, ada, "draw")
    earlier = _page(desk, game, ada, at=1)
    now = _page(desk, game, ada)

    assert (1, False, None) == (earlier.at, earlier.is_now, earlier.decision)
    assert (3, True) == (now.at, now.is_now)
    assert earlier.happened.since
    assert earlier.hand is not None
    assert now.hand is not None
    assert sum(earlier.hand.values()) + 1 == sum(now.hand.values())
    assert 3 == _page(desk, game, ada, at=99).at


def test_after_the_end_one_seat_is_shown_at_a_time(desk: Desk) -> None:
    """After the end the page shows the chosen seat, else the reader's own, else a winner's."""
    here = room(desk)
    here.play(9999)
    winner = _page(desk, here.game, None).marks.seat
    page = _page(desk, here.game, here.players[1])
    assert page.sheet is not None

    assert winner in page.sheet.winners
    assert 1 == page.marks.seat
    assert 0 == _page(desk, here.game, here.players[1], of=0).marks.seat
    assert 1 == _page(desk, here.game, here.players[1], of=9).marks.seat
    assert ("", None) == (page.awaited, page.decision)


def test_a_waiting_table_shows_its_guests_to_its_players(desk: Desk) -> None:
    """Before the start only players see the guests; others see the table and its messages."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3), None)["id"])
    invitations.invite(desk, ada, game, {"name": "Ben"}, None)
    talk.say(desk, ada, game, "Come in!", None)
    mine, other = (game_page.visit(desk, game, account) for account in (ada, ben))

    assert (None, None) == (mine.page, other.page)
    assert (["Ben"], []) == ([guest["name"] for guest in mine.guests], other.guests)
    assert ["Come in!"] == [message["text"] for message in other.messages]
    assert [(0, True), (None, False)] == [
        (visit.me, visit.table["sits"]) for visit in (mine, other)
    ]


def test_the_tag_changes_with_everything_on_the_page(desk: Desk) -> None:
    """A new player, a message and a move each change the tag."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    tags = [game_page.tag(desk, game, ada)]
    lobby.join(desk, ben, game, "", None)
    tags.append(game_page.tag(desk, game, ada))
    talk.say(desk, ada, game, "Hello", None)
    tags.append(game_page.tag(desk, game, ada))
    play(desk, game, ada, "keep all")
    tags.append(game_page.tag(desk, game, ada))

    assert 4 == len(set(tags))
    assert tags[-1] == _page(desk, game, ada).tag == game_page.tag_of(table_at(desk, game))


def test_the_house_is_awaited_until_it_has_played(desk: Desk) -> None:
    """`awaits_house` is true as long as a seat of the house is awaited."""
    ada = player(desk, "Ada")
    new = lobby.NewGame("usa", (), 2, bots={"easy": 1})
    game = str(lobby.open_game(desk, ada, new, None)["id"])
    assert game_page.awaits_house(desk, game, ada)
    play(desk, game, ada, "keep all")
    seats = table_at(desk, game).seated

    waits = any(seat.house and seat.awaited_since for seat in seats)
    assert waits == game_page.awaits_house(desk, game, ada)


def test_a_route_that_cannot_be_claimed_has_a_reason(desk: Desk) -> None:
    """Only the awaited player gets reasons, one for every route that is not offered."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    decision = _page(desk, game, ada).decision
    assert decision is not None
    offered = {item.place for section in decision.sections for item in section.items}
    routes = _page(desk, game, ada).board.routes
    reasons = {route: game_page.why_not(desk, game, ada, route) for route in routes}

    assert offered - {None} == {route for route, reason in reasons.items() if not reason}
    assert {""} == {game_page.why_not(desk, game, "stranger", route) for route in routes}
    assert "" == game_page.why_not(desk, game, ada, "nowhere")
