"""Letters about decisions that are open."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine import Goal
from service.desk import Desk
from service.games import lobby
from service.links import signed_links
from service.replies import mailboxes, quoting
from service.replies.reading import html_text
from service.views import story
from service.views.menu_entries import titled
from service.views.story import Happened
from store import timestamps
from tests.random_games import Table
from tests.service.support.owing import change, reachable
from tests.service.support.tables import play
from tests.workers.channels.mail.letters.positions import Letters, turn_with_cards
from tests.workers.correspondence import (
    Room,
    composed,
    delivery,
    mail,
    part,
    room,
    sat_down,
)
from workers.channels.mail.letters import render
from workers.channels.mail.letters.blocks import Items, Paragraph
from workers.channels.mail.letters.phrases import marker, tickets_held
from workers.channels.mail.letters.pieces import MOST_OWN, MOST_TOLD, happened
from workers.channels.mail.letters.turns import MOST_GAMES, how_to_answer

TABLES = [
    ("usa", ()),
    ("europe", ()),
    ("uk", ("advanced_technologies",)),
    ("europe", ("dice",)),
    ("uk", ("advanced_technologies", "dice")),
]


class Words(HTMLParser):
    """Collects the visible text, the links and the alternative texts of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.links: list[str] = []
        self.inside: list[str] = []
        self.preheader = ""
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a link's target and a picture's alternative text."""
        given = dict(attrs)
        self.inside.append(tag)
        self.hidden = "nm_preheader" in (given.get("class") or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag == "img":
            self.said.append(given["alt"] or "")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self.hidden = False
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        """Keep visible text."""
        if self.hidden:
            self.preheader += data
        elif not {"style", "title"} & set(self.inside):
            self.said.append(data)


def words_of(html: str) -> Words:
    """Parse HTML."""
    words = Words()
    words.feed(html)
    return words


def bag(text: str) -> set[str]:
    """The words of a text, without links and punctuation."""
    bare = re.sub(r"https?://\S+", " ", text)
    return set(re.findall(r"[^\W_]{2,}", bare))


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
    assert decision.prompt in flat.replace(">> ", "")
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
    assert bag(text) == bag(" ".join(html.said))
    assert set(re.findall(r"https?://\S+", text)) == set(html.links)


def test_the_headers_of_a_turn(desk: Desk) -> None:
    """The headers name thread, list, unsubscribe link, reply address, and `auto-generated`."""
    here = room(desk, title="Sunday – übers Land")
    about = here.about("decision_opened")
    letter = composed(desk, about)
    message = mail(desk, about)
    assert letter is not None
    account, seat = here.players[here.awaited], here.awaited
    root = f"<{here.game}.{seat}@nightmail.localhost>"
    assert about.version is not None
    expected = {
        "From": "Nightmail <nightmail@nightmail.localhost>",
        "Reply-To": mailboxes.reply_address(desk, account, here.game, seat, about.version),
        "Message-ID": f"<{about.id}@nightmail.localhost>",
        "In-Reply-To": root,
        "References": root,
        "List-Id": f"<{here.game}.games.nightmail.localhost>",
        "List-Unsubscribe": f"<{signed_links.unsubscribe(desk, account, here.game)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }
    assert expected == {name: message[name] for name in expected}
    assert "Sunday – übers Land: Keep at least 2 of these tickets" == message["Subject"]
    assert mailboxes.bounce_address(desk, account, letter.recipient) == letter.sender
    assert message["To"] == letter.recipient


def test_long_headers_are_not_broken(desk: Desk) -> None:
    """`List-Unsubscribe` is neither folded nor encoded, and no line is longer than 998 bytes."""
    here = room(desk)
    letter = composed(desk, here.about("decision_opened"))
    assert letter is not None
    account = here.players[here.awaited]
    link = signed_links.unsubscribe(desk, account, here.game)
    assert f"\r\nList-Unsubscribe: <{link}>\r\n".encode() in letter.message
    assert max(map(len, letter.message.split(b"\r\n"))) <= 998


def test_no_letter_has_a_bare_line_end(desk: Desk) -> None:
    """Every line ends with CRLF, and every byte is ASCII."""
    letter = composed(desk, room(desk).about("decision_opened"), pictures=True)
    assert letter is not None
    assert letter.message.isascii()
    assert b"\n" not in letter.message.replace(b"\r\n", b"")
    assert b"\r" not in letter.message.replace(b"\r\n", b"")


def test_the_same_delivery_is_the_same_letter(desk: Desk) -> None:
    """A delivery that is composed twice gives the same letter with the same id."""
    still = desk._replace(now=lambda: "2026-01-01T12:00:00.000Z")
    here = room(still)
    here.play(12)
    about = here.about("decision_opened")
    first, again = composed(still, about), composed(still, about)
    assert first is not None
    assert again is not None
    assert first._replace(addresses=()) == again._replace(addresses=())
    assert {address.is_stored for address in again.addresses} == {True}


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
    texts = [word.strip() for word in words_of(part(message, "html")).said if word.strip()]
    assert marker() == texts[0]


def test_times_are_those_of_the_reader(desk: Desk) -> None:
    """The deadline is given in the reader's time zone."""
    still = desk._replace(now=lambda: "2026-07-01T22:30:00.000Z")
    here = room(still)
    change(still, here.players[here.awaited], time_zone="Asia/Tokyo")
    flat = " ".join(part(mail(still, here.about("decision_opened")), "plain").split())
    assert "before Sunday 5 July 2026, 07:30 (Asia/Tokyo, UTC+09:00): 3 days after" in flat


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


def test_of_several_only_the_open_ones_are_told(desk: Desk) -> None:
    """A merged letter leaves out decisions that were made, and is not sent when none is left."""
    people = [reachable(desk, name) for name in ("Ada", "Ben")]
    rooms = [sat_down(desk, people, title=f"Game {n}") for n in range(3)]
    ada = [here.players.index(people[0]) for here in rooms]
    letter = [here.about("decision_opened", seat) for here, seat in zip(rooms, ada, strict=True)]
    play(desk, rooms[1].game, people[0], "keep all")
    message = mail(desk, *letter, pictures=True)
    text = part(message, "plain")
    assert "2 games wait for you: Game 0, Game 2" == message["Subject"]
    assert ("Game 0" in text, "Game 1" in text, "Game 2" in text) == (True, False, True)
    for about in (letter[0], letter[2]):
        assert about.game is not None
        assert about.seat is not None
        assert about.version is not None
        address = mailboxes.reply_address(desk, people[0], about.game, about.seat, about.version)
        assert address in text
    assert f"<{signed_links.unsubscribe(desk, people[0], None)}>" == message["List-Unsubscribe"]
    for here in (rooms[0], rooms[2]):
        play(desk, here.game, people[0], "keep all")
    assert composed(desk, *letter) is None


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
    for text in (part(message, "plain"), " ".join(words_of(part(message, "html")).said)):
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


def test_tickets_say_what_they_lack(desk: Desk) -> None:
    """An open ticket names the routes that it lacks; others are listed as done or lost."""
    here = room(desk)
    here.play(40)
    seat_story = story.of_account(desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    flat = " ".join(part(mail(desk, here.about("decision_opened")), "plain").split())
    for goal in seat_story.tickets:
        assert f"{goal.name} ({goal.points})" in flat
        if goal.missing:
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


def test_many_games_are_told_briefly(desk: Desk) -> None:
    """With many games each has its question, its link and its address, and no list of moves."""
    people = [reachable(desk, name) for name in ("Ada", "Ben")]
    rooms = [sat_down(desk, people, title=f"Game {n}") for n in range(MOST_GAMES + 2)]
    letter = [here.about("decision_opened", here.players.index(people[0])) for here in rooms]
    message = mail(desk, *letter, pictures=True)
    text = part(message, "plain")
    assert MOST_GAMES == text.count("Open my turn:")
    assert MOST_GAMES == text.count("To answer for this game, write to")
    assert "What you can do" not in text
    assert "… and 2 more games wait for you: see them all" in text
    assert f"{desk.settings.public_url}/games\n" in text
    assert len(text.encode()) <= 20_000
    assert len(part(message, "html").encode()) <= 80_000


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
