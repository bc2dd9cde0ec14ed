"""Letters of every kind as text and as HTML: widths, pictures, links and quotations."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser
from itertools import chain
from typing import Any

import pytest

from service.desk import Desk
from service.games import lobby, talk
from service.games.inviting import invitations
from service.notify.hooks import GONE
from service.notify.outbox import Delivery
from service.replies.commands.several_games import LETTERS
from service.views import story
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import at, change, reachable
from tests.workers.channels.mail.letters.html_words import words_of
from tests.workers.correspondence import Room, delivery, mail, part, sat_down
from workers.channels.mail.channel import MailChannel
from workers.channels.mail.letters import render
from workers.channels.mail.letters.blocks import Grid

NOW = "2026-03-01T12:00:00.000Z"
MOST_COLUMNS = 78
WIDEST_PICTURE = 600
PEOPLE = [
    "Ada-Lovelace the Great of Piccadilly",
    "Ben",
    "Cemalettin-Nakipoglu-van-der-Bergstrasse",
    "Dorothea-Maximiliane",
    "Elisabethina",
]
TITLE = "> The longest title of a game that anybody can give to a game in these eighty ch"
TALK = "> quoted\nhttps://example.org/" + "path/" * 40 + "\n" + "long" * 60 + "\n> > more"
URL = re.compile(r"\s*(\| )?https?://\S+")
"""A link on a line of its own, perhaps in what a player wrote."""


class Tags(HTMLParser):
    """Collects pictures, and links with their texts."""

    def __init__(self) -> None:
        super().__init__()
        self.images: list[dict[str, str | None]] = []
        self.links: list[tuple[str, str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a picture, or the target of a link."""
        if tag == "img":
            self.images.append(dict(attrs))
        if tag == "a":
            self._inside = True
            self.links.append((dict(attrs)["href"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        """Leave a link."""
        self._inside = self._inside and tag != "a"

    def handle_data(self, data: str) -> None:
        """Keep the text of a link."""
        if self._inside:
            target, text = self.links[-1]
            self.links[-1] = target, text + data


def tags_of(message: EmailMessage) -> Tags:
    """Parse the HTML part of a letter."""
    tags = Tags()
    tags.feed(part(message, "html"))
    return tags


def _about_games(desk: Desk) -> Iterator[list[Delivery]]:
    """Deliveries of every kind about games, with long names and titles."""
    people = [reachable(desk, name) for name in PEOPLE]
    change(desk, people[1], name="> Ben")
    rooms = [sat_down(desk, people, "europe", title=TITLE) for _ in range(2)]
    rooms.append(sat_down(desk, people[:4], "uk", ("advanced_technologies",), title=TITLE))
    for number, here in enumerate(rooms):
        here.play(60, seed=number)
        while here.awaited != here.players.index(people[0]):
            here.play(1)
    first, seat = rooms[0], rooms[0].players.index(people[0])
    turns = [here.about("decision_opened", here.players.index(people[0])) for here in rooms]
    yield from ([about] for about in turns)
    yield turns
    yield [first.about("decision_reminder", seat)]
    yield [first.about("game_started", seat, version=0)]
    lines = [{"text": TALK, "result": TALK, "ok": False, "letter": ""}]
    yield [first.about("letter_answered", seat, data={"lines": lines})]
    yield [first.about("letter_unsure", seat, data={"lines": TALK.splitlines()})]
    yield from _about_replies(rooms, people[0], lines)
    post = talk.say(at(desk, NOW), people[1], first.game, TALK, None)
    yield [first.about("message_posted", seat, version=post["number"])]
    expired = first.about("decision_expired", seat, data={"deadline": NOW})
    first.play(2)
    yield [expired]
    yield [first.about("seat_caretaken", seat, version=1, data={"away": seat})]
    lobby.leave(at(desk, NOW), people[1], first.game)
    yield [first.about("seat_resigned", seat, version=1, at=NOW)]
    over = sat_down(desk, people, "europe", title=TITLE)
    over.play(4000)
    yield [over.about("game_finished", 0, version=over.table.version)]


def _about_replies(
    rooms: list[Room], account: str, lines: list[dict[str, Any]]
) -> Iterator[list[Delivery]]:
    """Deliveries about a reply to an email about several games."""
    lettered = zip(LETTERS, rooms, strict=False)
    games = [_decision(letter, here, account) for letter, here in lettered]
    data = {"lines": lines, "games": games, "unclear": TALK.splitlines()}
    for kind in ("letter_answered", "letter_unsure"):
        yield [delivery(account, kind, data=data)]


def _decision(letter: str, here: Room, account: str) -> dict[str, object]:
    seat = here.players.index(account)
    version = here.table.seated[seat].decision_version
    fields = {"letter": letter, "game": here.game, "seat": seat, "decision_version": version}
    return {**fields, "lines": ["draw", "3 with 2 purple"]}


def _about_accounts(desk: Desk) -> Iterator[list[Delivery]]:
    """Deliveries of every kind about an account."""
    ada = reachable(desk, "Ada")
    hook = {"hook": "hook", "host": "hooks.example.org", "reason": GONE}
    yield [delivery(ada, "hook_disabled", data=hook)]
    yield [delivery(ada, "hook_refused", data=hook)]
    yield [delivery(ada, "destination_paused", data={"label": TITLE, "reason": GONE})]
    yield [delivery(ada, "sign_in", data={"key": "key", "next": "/"}, at=desk.now())]
    yield [delivery(newcomer(desk, "Cem", email="cem@example.org").account, "confirm_address")]
    lines = [{"text": TALK, "result": TALK, "ok": False, "items": [TALK]}]
    yield [delivery(ada, "commands_answered", data={"lines": lines})]
    yield [delivery(ada, "commands_unsure", data={"lines": TALK.splitlines()})]
    stranger = {"email": "eve@example.org", "locale": "en", "lines": lines}
    yield [delivery("", "stranger_answered", data=stranger)]
    old = {"email": "old@example.org", "removed": False}
    yield [delivery(ada, "address_replaced", data=old)]
    eli = reachable(desk, "Eli")
    game = lobby.open_game(desk, ada, lobby.NewGame("europe", (), 3, title=TITLE), None)["id"]
    invitations.invite(desk, ada, game, {"name": "Eli"}, None)
    (invitation,) = invitations.listed(desk, ada, game)
    yield [delivery(eli, "invited", game, data={"invitation": invitation["id"]})]


def test_every_letter_is_rendered_well(desk: Desk) -> None:
    """All rules of this file hold in letters of every kind, with the longest names and titles."""
    kinds = set()
    for letter in chain(_about_games(desk), _about_accounts(desk)):
        kinds.add(letter[0].kind)
        message = mail(desk, *letter, pictures=True)  # the next event may supersede it
        assert ([], [], [], []) == (
            long_lines(part(message, "plain")),
            quoted_lines(part(message, "plain")),
            pictures_without_size(tags_of(message)),
            texts_of_several_links(tags_of(message)),
        ), letter[0].kind
    assert MailChannel.kinds == kinds


def long_lines(text: str) -> list[str]:
    """Lines of more than 78 columns, apart from links on a line of their own."""
    return [
        line for line in text.splitlines() if len(line) > MOST_COLUMNS and not URL.fullmatch(line)
    ]


def quoted_lines(text: str) -> list[str]:
    """Lines that mail programs take for a quotation, and fold away."""
    return [line for line in text.splitlines() if line.lstrip().startswith(">")]


def pictures_without_size(tags: Tags) -> list[dict[str, str | None]]:
    """Pictures that a program without styles would show too wide, or in the wrong shape."""
    return [
        image
        for image in tags.images
        if not 0 < int(image.get("width") or 0) <= WIDEST_PICTURE
        or not int(image.get("height") or 0)
        or "max-width:100%" not in (image.get("style") or "")
    ]


def texts_of_several_links(tags: Tags) -> list[str]:
    """Texts that two links with different targets share."""
    targets: dict[str, set[str]] = {}
    for target, text in tags.links:
        targets.setdefault(" ".join(text.split()), set()).add(target)
    return [text for text, urls in targets.items() if len(urls) > 1]


def test_faults_are_noticed() -> None:
    """Planted faults: a long line, a quotation, a picture without size, and equal links."""
    assert ["x" * 79] == long_lines("x" * 78 + "\n" + "x" * 79)
    assert ["see https://example.org/" + "x" * 79] == long_lines(
        "see https://example.org/" + "x" * 79 + "\n  https://example.org/" + "x" * 79
    )
    assert [">> now", "  > now"] == quoted_lines(">> now\n  > now\n| > now\na > b")
    tags = Tags()
    tags.feed('<img src="a" width="601" height="1" style="max-width:100%"><img src="b">')
    tags.feed('<a href="a">Play</a><a href="b"><b>Play</b></a><a href="b">Other</a>')
    assert ["a", "b"] == [image["src"] for image in pictures_without_size(tags)]
    assert ["Play"] == texts_of_several_links(tags)


def test_claimed_routes_are_named(desk: Desk) -> None:
    """Both parts name the routes of each player, for readers who see no pictures."""
    people = [reachable(desk, name) for name in ("Ada", "Ben")]
    here = sat_down(desk, people)
    assert "No routes are claimed yet." in part(mail(desk, here.about("decision_opened")), "plain")
    here.play(60)
    seat_story = story.of_account(desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    board, scene = seat_story.board, seat_story.scene
    message = mail(desk, here.about("decision_opened"), pictures=True)
    assert scene.claimed
    for text in (part(message, "plain"), " ".join(words_of(part(message, "html")).texts)):
        flat = " ".join(text.split())
        for id in scene.claimed:
            assert "–".join(board.cities[city].name for city in board.routes[id].cities) in flat


@pytest.mark.parametrize("board", ["usa", "europe", "uk"])
def test_a_picture_has_the_shape_of_its_file(desk: Desk, board: str) -> None:
    """Width and height in the HTML are those of the PNG, made smaller."""
    message = mail(
        desk,
        sat_down(desk, [reachable(desk, name) for name in ("Ada", "Ben")], board).about(
            "decision_opened"
        ),
        pictures=True,
    )
    (image,) = [section for section in message.walk() if section.get_content_type() == "image/png"]
    png = image.get_content()
    width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    (shown,) = tags_of(message).images
    assert abs(int(shown["height"] or 0) - int(shown["width"] or 0) * height / width) <= 1


def test_a_wide_table_has_its_words_above_its_numbers() -> None:
    """A table that is too wide for the text part has a line of words above each line of numbers."""
    narrow = Grid(("", "Points", "Trains"), (("1 Ada", "12", "40"),), 1)
    assert "       Points  Trains\n1 Ada      12      40" == render.lined_up(narrow)
    name = "1 " + "A" * 70
    wide = narrow._replace(rows=((name, "12", "40"),))
    assert f"Points  Trains\n{name}\n    12      40" == render.lined_up(wide)
