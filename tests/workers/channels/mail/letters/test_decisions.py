"""The parts of a letter that put a decision to its reader."""

from pathlib import Path

import pytest

from engine import Goal
from service.desk import Desk
from service.links import signed_links
from service.views import story
from service.views.story import Happened
from tests.random_games import Table
from tests.service.support.owing import change
from tests.service.support.tables import play
from tests.workers.channels.mail.letters.html_words import words_of
from tests.workers.channels.mail.letters.positions import Letters, turn_with_cards
from tests.workers.correspondence import (
    mail,
    part,
    room,
)
from workers.channels.mail.letters.blocks import Items, Paragraph
from workers.channels.mail.letters.decisions import how_to_answer
from workers.channels.mail.letters.phrases import tickets_held
from workers.channels.mail.letters.pieces import MOST_OWN, MOST_TOLD, happened


@pytest.mark.parametrize(
    ("variants", "name"), [((), "Locomotives"), (("dice",), "Jokers")], ids=["cards", "dice"]
)
def test_what_stands_in_is_that_of_the_game(
    desk: Desk, variants: tuple[str, ...], name: str
) -> None:
    """Locomotives stand in where cards are paid, and jokers where dice are."""
    here = room(desk, "europe", variants)
    seat_story = story.of_account(desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    assert seat_story.decision is not None
    blocks = how_to_answer(seat_story.decision._replace(with_locomotives="7 with more"))
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    (line,) = [text for text in texts if "can stand in for" in text]
    assert line.startswith(name)
    assert line.endswith(": 7 with more")


def test_a_tunnel_is_called_one(tmp_path: Path) -> None:
    """Both parts mark tunnels, and say once that what chance decides is not taken back."""
    table = Table("europe", (), 3)
    message = Letters(tmp_path, table).about(*turn_with_cards(table, 40))
    final = "What chance decides (tunnel) cannot be taken back."
    for kind in ("plain", "html"):
        text = " ".join(part(message, kind).split())
        assert 1 < text.count(", tunnel)")
        assert 1 == text.count(final)


def test_what_is_new_to_the_reader_is_explained(desk: Desk) -> None:
    """Early in a game a line explains each new kind of option, until it was chosen once."""
    here = room(desk, "europe")
    first = " ".join(part(mail(desk, here.about("decision_opened", 0)), "plain").split())
    for player in here.players:
        play(desk, here.game, player, "keep all")
    then = " ".join(part(mail(desk, here.about("decision_opened", 0)), "plain").split())

    assert "New to you: * Ticket: A ticket names two cities." in first.replace("- ", "* ")
    assert "Ticket: A ticket" not in then
    assert "Locomotive: A locomotive counts as a card of any colour." in then


def test_nothing_is_explained_late_in_a_game(desk: Desk) -> None:
    """After the first `story.EARLY` moves nothing is explained."""
    here = room(desk, "europe")
    here.play(story.EARLY + 10)

    assert "New to you" not in part(mail(desk, here.about("decision_opened")), "plain")


def test_the_link_to_the_turn_is_that_of_its_seat(desk: Desk) -> None:
    """“Open my turn” opens a session for this seat and this decision, in both parts."""
    here = room(desk)
    about = here.about("decision_opened")
    assert about.seat is not None
    assert about.version is not None
    link = signed_links.turn(desk, here.game, about.seat, about.version)
    message = mail(desk, about)
    assert f"Open my turn:\n{link}\n" in part(message, "plain")
    assert link in words_of(part(message, "html")).links


def test_what_happened_is_told_since_the_last_move(desk: Desk) -> None:
    """The letter tells the other player's moves since the seat's own last one, and none before."""
    here = room(desk, seats=2)
    here.play(2)
    first = here.awaited
    play(desk, here.game, here.players[first], "draw")
    play(desk, here.game, here.players[first], "draw")
    play(desk, here.game, here.players[1 - first], "draw")
    play(desk, here.game, here.players[1 - first], "draw")
    seat_story = story.of_account(desk, here.game, here.players[first])
    assert seat_story is not None
    other = here.table.seated[1 - first].name
    assert [f"{other} draws a card from the deck."] * 2 == list(seat_story.happened.since)
    text = part(mail(desk, here.about("decision_opened")), "plain")
    assert 2 == text.count(f"* {other} draws a card from the deck.")


def test_what_a_move_has_caused_is_told_briefly(desk: Desk) -> None:
    """Of many sentences the first are told about the own move, and the latest about others."""
    here = room(desk)
    seat_story = story.of_account(desk, here.game, here.players[0])
    assert seat_story is not None
    many = tuple(f"Sentence {n}." for n in range(200))
    blocks = happened(seat_story._replace(happened=Happened(many, many, more=False)))
    mine, since = (block.lines for block in blocks if isinstance(block, Items))
    assert (*many[: MOST_OWN - 1], "… and 191 more things happened.") == mine
    assert many[-MOST_TOLD:] == since


def test_tickets_say_what_they_lack(desk: Desk) -> None:
    """The nearest open tickets name the routes that they lack; all others are listed."""
    here = room(desk)
    here.play(40)
    seat_story = story.of_account(desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    flat = " ".join(part(mail(desk, here.about("decision_opened")), "plain").split())
    further = flat.partition("Also open: ")[2].partition("What ")[0]
    for goal in seat_story.tickets:
        assert f"{goal.name} ({goal.points})" in flat
        if goal.missing and f"{goal.name} ({goal.points})" not in further:
            first = seat_story.board.routes[goal.missing[0]]
            cities = "–".join(seat_story.board.cities[city].name for city in first.cities)
            assert f"{goal.name} ({goal.points}): missing {cities}" in flat


def test_a_ticket_names_all_routes_unless_they_are_many() -> None:
    """Seven missing routes are all named; of more, the first six."""
    board = Table("usa", (), 3).rules.board
    routes = tuple(board.routes)[:9]
    goals = [Goal("t", "A–B", 9, done=False, missing=routes[:some]) for some in (7, 8)]
    assert ["more" in line for line in tickets_held(board, goals)] == [False, True]
    assert "and 2 more routes" in tickets_held(board, goals)[1]


def test_times_are_those_of_the_reader(desk: Desk) -> None:
    """The deadline is given in the reader's time zone."""
    still = desk._replace(now=lambda: "2026-07-01T22:30:00.000Z")
    here = room(still)
    change(still, here.players[here.awaited], time_zone="Asia/Tokyo")
    flat = " ".join(part(mail(still, here.about("decision_opened")), "plain").split())
    assert "before Sunday 5 July 2026, 07:30 (Asia/Tokyo, UTC+09:00): 3 days after" in flat
