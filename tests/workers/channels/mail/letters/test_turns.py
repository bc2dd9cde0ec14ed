"""Letters about decisions that are open."""

import re

import pytest

from service.desk import Desk
from service.games import lobby
from service.links import signed_links
from service.replies import quoting
from service.replies.reading import html_text
from service.views import story
from service.views.menu_entries import titled
from store import timestamps
from tests.service.support.owing import change
from tests.service.support.tables import play
from tests.workers.channels.mail.letters.html_words import bag, words_of
from tests.workers.correspondence import (
    Room,
    composed,
    delivery,
    mail,
    part,
    room,
)
from workers.channels.mail.letters import render
from workers.channels.mail.letters.phrases import marker

TABLES = [
    ("usa", ()),
    ("europe", ()),
    ("uk", ("advanced_technologies",)),
    ("europe", ("dice",)),
    ("uk", ("advanced_technologies", "dice")),
]


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("steps", [0, 40])
def test_the_text_alone_is_enough(
    desk: Desk, table: tuple[str, tuple[str, ...]], steps: int
) -> None:
    """The text part has the question, the entries, the links, the facts and the deadline."""
    here = room(desk, *table)
    here.play(steps)
    seat = here.awaited
    seat_story = story.of_account(desk, here.game, here.players[seat])
    text = part(mail(desk, here.about("decision_opened")), "plain")
    assert seat_story is not None
    decision = seat_story.decision
    assert decision is not None
    flat = " ".join(text.split())
    assert decision.prompt in flat
    links = signed_links.actions(
        desk, here.game, seat, decision.version, [item.entry.text for item in decision.shown]
    )
    for item in decision.shown:
        assert f" {item.number}. {titled(item.entry)}" in flat
        assert links[item.entry.text] in text
        for thing in item.entry.choice.things if item.entry.choice else ():
            assert thing.title in flat
    assert bool(left_out(here)) == ("see them all" in flat)
    for example in decision.examples:
        assert f"{example.text} – {example.label}" in flat
    assert seat_story.head in text
    assert decision.deadline is not None
    assert f"{timestamps.read(decision.deadline):%H:%M} (UTC)" in flat
    assert "3 days after this mail was sent" in flat
    for fact in (*seat_story.hand, *seat_story.table):
        assert f"{fact.label}: {fact.value}" in flat


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_both_parts_say_the_same(desk: Desk, table: tuple[str, tuple[str, ...]]) -> None:
    """Both parts have the same words and links, including the picture's alternative text."""
    here = room(desk, *table)
    here.play(30)
    message = mail(desk, here.about("decision_opened"), pictures=True)
    text, html = part(message, "plain"), words_of(part(message, "html"))
    assert bag(text) == bag(" ".join(html.texts))
    assert set(re.findall(r"https?://\S+", text)) == set(html.links)


def test_the_picture_is_inside(desk: Desk) -> None:
    """The HTML shows a PNG that is attached, with alternative text, and loads nothing."""
    message = mail(desk, room(desk).about("decision_opened"), pictures=True)
    (image,) = [section for section in message.walk() if section.get_content_type() == "image/png"]
    html = part(message, "html")
    cid = image["Content-ID"].strip("<>")
    assert f'src="cid:{cid}"' in html
    assert image.get_content().startswith(b"\x89PNG")
    assert not re.search(r"(src|background)=.?https?:|url\(|@import|<link|<script", html)
    assert "Board USA; routes claimed: " in html


def test_the_marked_line_comes_first(desk: Desk) -> None:
    """Text and HTML begin with the marker line above which replies are written."""
    message = mail(desk, room(desk).about("decision_opened"))
    assert part(message, "plain").startswith(marker())
    texts = [word.strip() for word in words_of(part(message, "html")).texts if word.strip()]
    assert marker() == texts[0]


def test_a_reminder_says_that_it_is_one(desk: Desk) -> None:
    """A reminder says so in its subject and in its text."""
    message = mail(desk, room(desk).about("decision_reminder"))
    assert ": reminder: " in message["Subject"]
    assert "Reminder: this decision still waits for you." in part(message, "plain")


def gone(here: Room) -> None:
    """Leave the game with the awaited seat."""
    lobby.leave(here.desk, here.players[here.awaited], here.game)


@pytest.mark.parametrize("kind", ["decision_opened", "decision_reminder"])
def test_a_decision_that_is_not_open_is_not_told(each_desk: Desk, kind: str) -> None:
    """A decision that was made, or whose player has left the game, gets no letter."""
    here = room(each_desk)
    about = here.about(kind)
    assert composed(each_desk, about) is not None
    here.play(1)
    assert composed(each_desk, about) is None
    again = here.about(kind)
    gone(here)
    assert composed(each_desk, again) is None


def test_a_reminder_and_its_decision_are_one(desk: Desk) -> None:
    """A decision and its reminder in one letter are told once."""
    here = room(desk)
    seat = here.awaited
    letter = [here.about(kind, seat) for kind in ("decision_opened", "decision_reminder")]
    text = part(mail(desk, *letter), "plain")
    assert 1 == text.count("What you can do")


def left_out(here: Room) -> int:
    """How many entries the letter about the open decision leaves out."""
    seat_story = story.of_account(here.desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    assert seat_story.decision is not None
    return len(seat_story.decision.entries) - len(seat_story.decision.shown)


def test_the_order_is_that_of_need(desk: Desk) -> None:
    """Both parts: what is asked, the link, the board, hand, tickets, news, score, moves, how to."""
    here = room(desk, "europe")
    here.play(3)
    while not left_out(here):
        here.play(1)
    message = mail(desk, here.about("decision_opened"), pictures=True)
    order = [
        *("Please answer before", "Open my turn", "Board Europe; routes claimed", "Your hand"),
        *("Your tickets", "What happened since your last move", "Score so far"),
        *("What you can do", "see them all", "How to answer", "Head of the log"),
    ]
    for text in (part(message, "plain"), " ".join(words_of(part(message, "html")).texts)):
        places = [text.find(words) for words in order]
        assert -1 not in places
        assert sorted(places) == places


def test_lists_of_letters_show_the_news(desk: Desk) -> None:
    """The preheader says what happened last and how much time there is, and is not shown."""
    here = room(desk, seats=2)
    here.play(2)
    first = here.awaited
    for _ in range(2):
        play(desk, here.game, here.players[first], "draw")
    other = here.table.seated[first].name
    html = part(mail(desk, here.about("decision_opened")), "html")
    shown = words_of(html).preheader
    assert f"{other} draws a card from the deck. You have 3 days." == shown.rstrip(render.FILLER)
    assert len(shown) > render.LONGEST_PREHEADER
    before, _, after = html.partition('<div class="nm_preheader" style="display:none')
    assert "<p" not in before
    assert after


def test_a_reply_to_the_html_begins_at_the_preheader(desk: Desk) -> None:
    """What our own letter says is never read as a command, not even above its marker line."""
    html = part(mail(desk, room(desk).about("decision_opened")), "html")
    lines = html_text.read_page("<div>draw</div>" + html.partition("<body")[2]).lines
    assert ["draw"] == [line for line in quoting.written_lines(lines) if "<" not in line][:1]
    assert not any("days" in line for line in lines)


@pytest.mark.parametrize(
    "values",
    [{"email": None}, {"email_confirmed": None}, {"bounced": "2026-01-01T12:00:00.000Z"}],
    ids=["gone", "not confirmed", "bounced"],
)
def test_nobody_is_written_to_at_an_address_that_is_not_good(
    each_desk: Desk, values: dict[str, str | None]
) -> None:
    """No turn letter goes to an address that was removed, never confirmed, or has bounced."""
    here = room(each_desk)
    about = here.about("decision_opened")
    change(each_desk, about.account, **values)
    assert composed(each_desk, about) is None


def test_an_account_that_is_gone_gets_nothing(desk: Desk) -> None:
    """No letter is written to an account that does not exist."""
    assert composed(desk, delivery("nobody", "decision_opened", "game", 0, 1)) is None
