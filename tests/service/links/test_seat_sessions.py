"""Sessions for one seat, and the state of the links that open them."""

import itertools
from typing import Any

import pytest
from sqlalchemy import select, update

from service import account_deletion, housekeeping
from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, moves
from service.games.decided_moves import DecidedMove
from service.games.move_requests import MoveRequest
from service.links import link_state, seat_sessions, signed_links
from service.links.seat_sessions import MOST_SESSIONS, SeatVisit
from service.people.tokens import Caller
from service.refusals import Refused
from store import timestamps
from store.database import Transaction
from store.people import accounts
from store.people.signed_links import void_links
from store.tables import seat_sessions as session_table
from store.tables import seats
from tests.service.support.tables import keep_tickets, play, player, table
from tests.service.support.timing import by_hand, seat_at, sources


def _payload(desk: Desk, game: str, player: str) -> dict[str, Any]:
    """The payload of the turn link for the open decision of a player."""
    seat = seat_at(desk, game, player)
    assert seat.decision_version is not None
    link = signed_links.turn(desk, game, seat.number, seat.decision_version)
    payload = signed_links.read(desk, "turn", link.rsplit("/", 1)[1])
    assert payload is not None
    return payload


def _turn(desk: Desk, **more: Any) -> tuple[str, str, str]:
    """A game in which a player has a turn: the game, that player, and the other."""
    game, players = table(desk, "Ada", "Ben", **more)
    keep_tickets(desk, game, players)
    mine = next(
        account for account in players if seat_at(desk, game, account).decision_version is not None
    )
    return game, mine, next(account for account in players if account != mine)


def _state(desk: Desk, payload: dict[str, Any]) -> str:
    with desk.database.reading() as tx:
        place = link_state.place_of(tx, payload)
        return link_state.decision_state(desk, payload, place)


def _opened(desk: Desk, payload: dict[str, Any]) -> str:
    cookie = seat_sessions.open_session(desk, payload, "Firefox, Linux")
    assert cookie is not None
    return cookie


def _visit(desk: Desk, cookie: str, game: str) -> SeatVisit:
    visit = seat_sessions.visit_of(desk, cookie, game)
    assert visit is not None
    return visit


def _play_in(desk: Desk, cookie: str, game: str, text: str, key: str | None = None) -> int:
    """Make a move in a session; the number of the move."""
    visit = _visit(desk, cookie, game)
    request = MoveRequest(text, key=key, also=seat_sessions.hand_on(visit.session))
    return int(moves.submit(desk, visit.visitor.account, game, request)["move"])


def _decisions(desk: Desk) -> list[int]:
    """The versions of the decisions for which there are sessions."""
    with desk.database.reading() as tx:
        return list(tx.scalars(select(session_table.c.decision_version)))


def test_a_session_is_handed_on_by_its_own_move(each_desk: Desk) -> None:
    """After the first card the session is for the second card, and after that it has ended.

    It is not open again in the next turn of the seat, and its link is for the first card only.
    """
    game, mine, other = _turn(each_desk)
    payload = _payload(each_desk, game, mine)
    cookie = _opened(each_desk, payload)
    first = _play_in(each_desk, cookie, game, "draw")
    assert ("stale", "open") == (_state(each_desk, payload), _visit(each_desk, cookie, game).stands)
    assert [first] == _decisions(each_desk)
    _play_in(each_desk, cookie, game, "draw")
    assert [first] == _decisions(each_desk)
    states = [_visit(each_desk, cookie, game).stands]
    for account in (other, other, mine):
        play(each_desk, game, account, "draw")
        states.append(_visit(each_desk, cookie, game).stands)

    assert ["stale"] * 4 == states


@pytest.mark.parametrize("source", ["mail", "link", "api", "page"])
def test_a_decision_that_is_made_elsewhere_ends_the_session(each_desk: Desk, source: str) -> None:
    """The session ends with its decision, also if the turn goes on, when it did not make it."""
    game, mine, _ = _turn(each_desk)
    cookie = _opened(each_desk, _payload(each_desk, game, mine))
    before = _decisions(each_desk)
    moves.submit(each_desk, mine, game, MoveRequest("draw", source=source))

    assert seat_at(each_desk, game, mine).decision_version is not None
    assert ("stale", before) == (_visit(each_desk, cookie, game).stands, _decisions(each_desk))


def test_only_the_session_that_moves_is_handed_on(desk: Desk) -> None:
    """Of two browsers with the same link, the one that makes the decision goes on."""
    game, mine, _ = _turn(desk)
    payload = _payload(desk, game, mine)
    cookies = [_opened(desk, payload) for _ in range(2)]
    _play_in(desk, cookies[0], game, "draw")

    assert ["open", "stale"] == [_visit(desk, cookie, game).stands for cookie in cookies]


def test_a_copy_of_the_move_keeps_the_session(each_desk: Desk) -> None:
    """A move that is sent twice with one key is one move, and the session goes on."""
    game, mine, _ = _turn(each_desk)
    cookie = _opened(each_desk, _payload(each_desk, game, mine))
    numbers = {_play_in(each_desk, cookie, game, "draw", key="twice") for _ in range(2)}

    assert (1, "open") == (len(numbers), _visit(each_desk, cookie, game).stands)


def test_a_move_that_is_not_stored_hands_nothing_on(each_desk: Desk) -> None:
    """The session is handed on in the transaction of its move, and not if that is undone."""
    game, mine, _ = _turn(each_desk)
    cookie = _opened(each_desk, _payload(each_desk, game, mine))
    visit, before = _visit(each_desk, cookie, game), _decisions(each_desk)

    def fail(tx: Transaction, decided: DecidedMove) -> None:
        seat_sessions.hand_on(visit.session)(tx, decided)
        raise Refused("forbidden", "undone")

    with pytest.raises(Refused, match="undone"):
        moves.submit(each_desk, mine, game, MoveRequest("draw", also=fail))

    assert ("open", before) == (_visit(each_desk, cookie, game).stands, _decisions(each_desk))


def test_others_may_choose_their_tickets_first(desk: Desk) -> None:
    """While all choose their first tickets, moves of others neither end nor hand on anything."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    cookie = _opened(desk, _payload(desk, game, ada))
    before = _decisions(desk)
    play(desk, game, ben, "keep all")
    assert ("open", before) == (_visit(desk, cookie, game).stands, _decisions(desk))
    _play_in(desk, cookie, game, "keep all")

    goes_on = seat_at(desk, game, ada).decision_version is not None
    assert ("open" if goes_on else "stale") == _visit(desk, cookie, game).stands


def test_a_turn_that_others_open_is_another(desk: Desk) -> None:
    """The session for the first tickets is not one for a turn that begins after others' moves."""
    for number in itertools.count():  # until the player who has chosen first also begins
        game, (ada, ben) = table(desk, f"Ada{number}", f"Ben{number}")
        cookie = _opened(desk, _payload(desk, game, ada))
        _play_in(desk, cookie, game, "keep all")
        play(desk, game, ben, "keep all")
        assert "stale" == _visit(desk, cookie, game).stands
        if seat_at(desk, game, ada).decision_version is not None:
            break


def test_what_the_clock_plays_ends_the_turn(desk: Desk) -> None:
    """A turn is late at its deadline, and stale once the clock has played for the seat."""
    desk, hands = by_hand(desk)
    game, mine, _ = _turn(desk, pace="daily")
    payload = _payload(desk, game, mine)
    hands.on(hours=20)
    cookie = _opened(desk, payload)
    hands.on(hours=4)
    assert ("late", "late") == (_state(desk, payload), _visit(desk, cookie, game).stands)
    deadlines.sweep(desk)

    assert "clock" in sources(desk, game)
    assert ("stale", "stale") == (_state(desk, payload), _visit(desk, cookie, game).stands)


def test_the_clock_ends_a_turn_that_the_player_began(desk: Desk) -> None:
    """If the clock plays the second decision of a turn, the session has ended."""
    desk, hands = by_hand(desk)
    game, mine, _ = _turn(desk, pace="live")
    cookie = _opened(desk, _payload(desk, game, mine))
    _play_in(desk, cookie, game, "draw")
    hands.on(minutes=5)
    assert "late" == _visit(desk, cookie, game).stands
    deadlines.sweep(desk)

    assert "clock" in sources(desk, game)
    assert "stale" == _visit(desk, cookie, game).stands


def test_a_seat_that_is_taken_over_is_another(desk: Desk) -> None:
    """A session ends when another account sits at its seat."""
    game, mine, _ = _turn(desk)
    cookie = _opened(desk, _payload(desk, game, mine))
    other = player(desk, "Cem")
    with desk.database.writing() as tx:
        seat = seats.c.game == game, seats.c.account == mine
        tx.execute(update(seats).where(*seat).values(account=other))

    assert "gone" == _visit(desk, cookie, game).stands


@pytest.mark.parametrize("how", ["void", "resigned", "deleted"])
def test_a_session_ends_with_its_links_its_seat_and_its_account(each_desk: Desk, how: str) -> None:
    """A session ends when links are voided, and when the player resigns or is deleted."""
    game, mine, _ = _turn(each_desk)
    payload = _payload(each_desk, game, mine)
    cookie = _opened(each_desk, payload)
    if how == "void":
        with each_desk.database.writing() as tx:
            assert void_links(tx, game, payload["seat"], payload["links"])
    elif how == "resigned":
        lobby.leave(each_desk, mine, game)
    else:
        account_deletion.delete(each_desk, Caller(mine, "", frozenset()))

    visit = seat_sessions.visit_of(each_desk, cookie, game)
    stands = visit.stands if visit else None
    assert {"void": "void", "resigned": "stale", "deleted": None}[how] == stands
    assert seat_sessions.open_session(each_desk, payload, "Firefox") is None


def test_a_session_lasts_a_day_at_most(each_desk: Desk) -> None:
    """A session is late after a day, then deleted, and its link opens another one."""
    desk, hands = by_hand(each_desk)
    game, mine, _ = _turn(desk)
    payload = _payload(desk, game, mine)
    cookie = _opened(desk, payload)
    hands.on(hours=23)
    assert "open" == _visit(desk, cookie, game).stands
    hands.on(hours=1)
    assert "late" == _visit(desk, cookie, game).stands
    housekeeping.tidy(desk)

    assert seat_sessions.visit_of(desk, cookie, game) is None
    assert "open" == _visit(desk, _opened(desk, payload), game).stands


def test_a_cookie_is_for_one_game(desk: Desk) -> None:
    """A cookie says nothing about another game of its account, and odd ones say nothing."""
    game, mine, _ = _turn(desk)
    new_game = lobby.NewGame("usa", (), 2, bots={"easy": 1})
    other = lobby.open_game(desk, mine, new_game, None)["id"]
    cookie = _opened(desk, _payload(desk, game, mine))

    assert seat_sessions.visit_of(desk, cookie, game) is not None
    assert seat_sessions.visit_of(desk, cookie, other) is None
    for odd in ("", "x", cookie[:-1], cookie + "A", cookie.swapcase()):
        assert seat_sessions.visit_of(desk, odd, game) is None


def test_a_visit_carries_no_rights_and_no_address(desk: Desk) -> None:
    """A visit names its player, without scopes and without an email address."""
    game, mine, _ = _turn(desk)
    with desk.database.writing() as tx:
        accounts.change(tx, mine, {"email": "ada@example.org"})
    visitor = _visit(desk, _opened(desk, _payload(desk, game, mine)), game).visitor

    assert (mine, frozenset(), None) == (visitor.account, visitor.caller.scopes, visitor.email)


@pytest.mark.parametrize("how", ["void", "ended", "answered"])
def test_a_session_that_ends_before_the_move_is_stored_moves_nothing(
    each_desk: Desk, how: str
) -> None:
    """A move is refused in its own transaction if its session has ended since it was checked."""
    game, mine, _ = _turn(each_desk)
    payload = _payload(each_desk, game, mine)
    visit = _visit(each_desk, _opened(each_desk, payload), game)
    if how == "void":
        with each_desk.database.writing() as tx:
            void_links(tx, game, payload["seat"], payload["links"])
    elif how == "ended":
        seat_sessions.end(each_desk, visit.session)
    else:
        play(each_desk, game, mine, "draw")
    before = sources(each_desk, game)
    request = MoveRequest("draw", also=seat_sessions.hand_on(visit.session))
    with pytest.raises(Refused):
        moves.submit(each_desk, mine, game, request)

    assert before == sources(each_desk, game)


def test_an_account_has_few_sessions(desk: Desk) -> None:
    """With the next session the oldest ends; the others are listed, and can be ended by id."""
    desk, hands = by_hand(desk)
    game, mine, other = _turn(desk)
    payload = _payload(desk, game, mine)
    cookies = []
    for _ in range(MOST_SESSIONS + 1):
        hands.on(seconds=1)
        cookies.append(_opened(desk, payload))
    listed = seat_sessions.list_open(desk, mine)

    assert seat_sessions.visit_of(desk, cookies[0], game) is None
    assert MOST_SESSIONS == len(listed)
    assert [] == seat_sessions.list_open(desk, other)
    seat_sessions.end_by_id(desk, other, listed[0].session.id)
    assert seat_sessions.visit_of(desk, cookies[1], game) is not None
    seat_sessions.end_by_id(desk, mine, listed[0].session.id)
    assert seat_sessions.visit_of(desk, cookies[1], game) is None


def test_the_page_tells_what_everybody_may_know(desk: Desk) -> None:
    """The page names game, player and what is awaited; later what has happened since."""
    game, mine, other = _turn(desk)
    payload = _payload(desk, game, mine)
    page = seat_sessions.turn_page(desk, payload)
    assert ("open", mine, game) == (page["stands"], page["account"], page["game"])
    assert page["next"]
    assert "story" not in page
    for account in (mine, mine, other):
        play(desk, game, account, "draw")
    page = seat_sessions.turn_page(desk, payload)

    assert ("stale", 3) == (page["stands"], len(page["events"]))
    assert all("draws a card from the deck" in sentence for sentence in page["events"])


def _at_open_table(desk: Desk) -> tuple[str, str, str]:
    """A session opened at a table that waits for one more: the game, the player, the cookie."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 3), None)["id"])
    lobby.join(desk, ben, game, "", None)
    cookie = seat_sessions.open_at_table(desk, game, ben, "Firefox, Linux")
    assert cookie is not None
    return game, ben, cookie


def test_a_session_before_the_game_is_for_the_first_decision(each_desk: Desk) -> None:
    """It is open at the table, then for the first decision, wherever the player is seated."""
    desk = each_desk
    game, ben, cookie = _at_open_table(desk)
    assert "open" == _visit(desk, cookie, game).stands
    lobby.join(desk, player(desk, "Cem"), game, "", None)
    visit = _visit(desk, cookie, game)
    assert ("open", ben) == (visit.stands, visit.visitor.account)
    assert seat_at(desk, game, ben).number == visit.session.seat

    _play_in(desk, cookie, game, "keep all")
    assert "stale" == _visit(desk, cookie, game).stands


@pytest.mark.parametrize("way", ["leave", "void", "time"])
def test_a_session_before_the_game_ends(desk: Desk, way: str) -> None:
    """It ends when its player leaves, when the seat's links are made void, and after a day."""
    game, ben, cookie = _at_open_table(desk)
    if way == "leave":
        lobby.leave(desk, ben, game)
        lobby.join(desk, player(desk, "Cem"), game, "", None)
    elif way == "void":
        with desk.database.writing() as tx:
            void_links(tx, game, seat_at(desk, game, ben).number, 0)
    else:
        moment = timestamps.later(desk.now(), seat_sessions.LIFETIME)
        desk = desk._replace(now=lambda: moment)

    assert {"leave": "gone", "void": "void", "time": "late"}[way] == _visit(
        desk, cookie, game
    ).stands


def test_a_decision_made_elsewhere_ends_a_session_from_before(desk: Desk) -> None:
    """Keeping tickets by mail ends the session that was opened at the table."""
    game, ben, cookie = _at_open_table(desk)
    lobby.join(desk, player(desk, "Cem"), game, "", None)
    play(desk, game, ben, "keep all")

    assert "stale" == _visit(desk, cookie, game).stands


def test_a_session_needs_a_seat(desk: Desk) -> None:
    """No session is opened for an account that does not sit at the table."""
    game, _, _ = _at_open_table(desk)
    assert seat_sessions.open_at_table(desk, game, player(desk, "Eve"), "x") is None
