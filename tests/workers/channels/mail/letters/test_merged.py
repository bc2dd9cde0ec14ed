"""Letters about several games."""

import re
from typing import Any

import pytest

from service.desk import Desk
from service.links import link_actions, signed_links
from service.notify.outbox import Delivery
from service.replies import mailboxes
from service.replies.commands.several_games import LETTERS, lettered
from service.views import story
from service.views.menu_entries import titled
from tests.service.support.owing import reachable
from tests.service.support.tables import play
from tests.workers.channels.mail.letters.html_words import words_of
from tests.workers.correspondence import Room, composed, delivery, mail, part, sat_down
from workers.channels.mail.letters.merged import MOST_GAMES, MOST_TOGETHER


def sat_in(desk: Desk, number: int) -> tuple[list[Room], str]:
    """Several games of Ada and Ben, and Ada's account."""
    people = [reachable(desk, name) for name in ("Ada", "Ben")]
    return [sat_down(desk, people, title=f"Game {n}") for n in range(number)], people[0]


def turns_of(rooms: list[Room], account: str) -> list[Delivery]:
    """The deliveries about the open decisions of an account."""
    return [here.about("decision_opened", here.players.index(account)) for here in rooms]


def reply_data(rooms: list[Room], account: str, **more: Any) -> dict[str, Any]:
    """The data of a notice about a reply to a letter about these games."""
    games = [
        {"letter": letter, "game": here.game, "seat": (seat := here.players.index(account))}
        | {"decision_version": here.table.seated[seat].decision_version}
        for letter, here in zip(LETTERS, rooms, strict=False)
    ]
    return {"games": games, "message_id": "<one@example.org>"} | more


def result(letter: str, text: str, sentence: str, *, ok: bool = True) -> dict[str, Any]:
    """What came of a line."""
    return {"letter": letter, "text": text, "result": sentence, "ok": ok}


def test_of_several_only_the_open_ones_are_told(desk: Desk) -> None:
    """A merged letter leaves out decisions that were made, and is not sent when none is left."""
    rooms, ada = sat_in(desk, 3)
    letter = turns_of(rooms, ada)
    play(desk, rooms[1].game, ada, "keep all")
    message = mail(desk, *letter, pictures=True)
    text = part(message, "plain")
    assert "2 games wait for you: Game 0, Game 2" == message["Subject"]
    assert ("A: Game 0" in text, "Game 1" in text, "B: Game 2" in text) == (True, False, True)
    assert f"<{signed_links.unsubscribe(desk, ada, None)}>" == message["List-Unsubscribe"]
    for here in (rooms[0], rooms[2]):
        play(desk, here.game, ada, "keep all")
    assert composed(desk, *letter) is None


def test_games_with_the_same_title_can_be_told_apart(desk: Desk) -> None:
    """The other players follow a title that several games have, in the subject and the text."""
    ada, ben, cem = (reachable(desk, name) for name in ("Ada", "Ben", "Cem"))
    tables = [([ada, ben], "USA"), ([ada, cem], "USA"), ([ada, ben, cem], "Europe")]
    rooms = [sat_down(desk, people, title=title) for people, title in tables]
    message = mail(desk, *turns_of(rooms, ada))
    names = ("A: USA with Ben", "B: USA with Cem", "C: Europe\n")

    assert "3 games wait for you: USA with Ben, USA with Cem, Europe" == message["Subject"]
    assert all(name in part(message, "plain") for name in names)
    data = reply_data(rooms, ada, lines=[result("B", "keep all", "Done.")])
    answer = mail(desk, delivery(ada, "letter_answered", data=data))
    assert "B: USA with Cem: Done." in part(answer, "plain")


def test_the_reply_address_is_that_of_all_games(each_desk: Desk) -> None:
    """One address leads to the decisions of all games, and is the same in a letter sent again."""
    rooms, ada = sat_in(each_desk, 2)
    letter = turns_of(rooms, ada)
    message = mail(each_desk, *letter)
    mailbox = mailboxes.find(each_desk, message["Reply-To"])
    assert mailbox is not None
    assert [("A", rooms[0].game, letter[0].version), ("B", rooms[1].game, letter[1].version)] == [
        (decision.letter, decision.game, decision.decision_version)
        for decision in mailbox.decisions
    ]
    assert message["Reply-To"] == mail(each_desk, *letter)["Reply-To"]
    assert "@" not in re.sub(r"https?://\S+", "", part(message, "plain"))


@pytest.mark.parametrize("steps", [0, 12])
def test_entries_have_the_letter_of_their_game(desk: Desk, steps: int) -> None:
    """In both parts each entry is numbered as in its own menu, after the letter of its game."""
    rooms, ada = sat_in(desk, 2)
    for number, here in enumerate(rooms):
        here.play(steps, seed=number)
        while here.players.index(ada) != here.awaited:
            here.play(1)
    message = mail(desk, *turns_of(rooms, ada))
    text, html = (
        " ".join(part(message, "plain").split()),
        " ".join(" ".join(words_of(part(message, "html")).texts).split()),
    )
    for letter, here in zip("AB", rooms, strict=True):
        seat_story = story.of_account(desk, here.game, ada)
        assert seat_story is not None
        assert seat_story.decision is not None
        entries = [
            f"{letter}{item.number}. {titled(item.entry)}" for item in seat_story.decision.shown
        ]
        assert min(MOST_TOGETHER, len(entries)) == sum(entry in text for entry in entries)
        assert [entry in text for entry in entries] == [entry in html for entry in entries]
        example = seat_story.decision.examples[0]
        assert f"{lettered(letter, example.text)} – {example.label}" in text


def test_many_games_are_told_briefly(desk: Desk) -> None:
    """With many games each has its letter, its question and its link, and no list of moves."""
    rooms, ada = sat_in(desk, MOST_GAMES + 2)
    for here in rooms[::2]:
        here.play(2)
        while here.players.index(ada) != here.awaited:
            here.play(1)
    message = mail(desk, *turns_of(rooms, ada), pictures=True)
    text = part(message, "plain")
    assert MOST_GAMES == text.count("Open my turn in game ")
    mailbox = mailboxes.find(desk, message["Reply-To"])
    assert mailbox is not None
    assert list(LETTERS[:MOST_GAMES]) == [decision.letter for decision in mailbox.decisions]
    assert "What you can do" not in text
    assert not re.search(r" A[0-9]", text)
    assert "… and 2 more games wait for you: see them all" in text
    assert f"{desk.settings.public_url}/games\n" in text
    assert len(text.encode()) <= 20_000
    assert len(part(message, "html").encode()) <= 80_000


def test_an_answer_tells_every_line_and_every_game(desk: Desk) -> None:
    """The answer names the game of each line, and has the next decision of each game."""
    rooms, ada = sat_in(desk, 2)
    play(desk, rooms[0].game, ada, "keep all")
    lines = [
        result("A", "keep all", "Ada keeps 3 tickets."),
        result("B", "9", "There is no option 9.", ok=False),
        result("", "draw", "This email is about several games.", ok=False),
    ]
    message = mail(desk, delivery(ada, "letter_answered", data=reply_data(rooms, ada, lines=lines)))
    flat = " ".join(part(message, "plain").split())
    assert "What your mail did: Game 0, Game 1" == message["Subject"]
    assert "<one@example.org>" == message["In-Reply-To"]
    assert "| A keep all A: Game 0: Ada keeps 3 tickets." in flat
    assert "| B9 B: Game 1: Refused: There is no option 9." in flat
    assert "| draw Refused: This email is about several games." in flat
    assert "You have no decision to make at the moment." in flat
    assert "Open my turn in game B" in flat
    assert " B1. Keep" in flat
    mailbox = mailboxes.find(desk, message["Reply-To"])
    assert mailbox is not None
    assert ["B"] == [decision.letter for decision in mailbox.decisions]


def test_an_answer_shows_the_lines_of_no_game_that_were_not_read(desk: Desk) -> None:
    """The letter says at which line reading stopped, and shows the others."""
    rooms, ada = sat_in(desk, 2)
    lines = [result("", "draw", "Which game?", ok=False)]
    data = reply_data(rooms, ada, lines=lines, unread=["A draw"])
    text = " ".join(part(mail(desk, delivery(ada, "letter_answered", data=data)), "plain").split())
    assert "We stopped at this line. These other lines were not read: | A draw" in text


def test_an_untrusted_reply_has_a_link_for_each_game(desk: Desk) -> None:
    """Each game has its lines and a link that plays them; other lines are shown without one."""
    rooms, ada = sat_in(desk, 3)
    data = reply_data(rooms, ada, unclear=["draw"])
    for item in data["games"]:
        item["lines"] = ["keep all"]
    play(desk, rooms[2].game, ada, "keep all")
    about = delivery(ada, "letter_unsure", data=data)
    text = part(mail(desk, about), "plain")
    links = re.findall(r"Check the lines for game (.) and play them:\n\S+/letter/(\S+)", text)
    assert ["A", "B"] == [letter for letter, _ in links]
    assert 3 == text.count("  | keep all\n")
    assert "This decision is over, so these lines cannot be played any more." in text
    assert "Lines that cannot be played" in text
    assert "  | draw\n" in text
    for (_, token), here in zip(links, rooms, strict=False):
        payload = signed_links.read(desk, "letter", token)
        assert payload is not None
        before = here.table.version
        then = desk._replace(now=lambda: about.at)
        page = link_actions.letter_page(then, payload, "play")
        assert ("played", before + 1) == (page["stands"], here.table.version)


def test_the_letter_that_came_before_can_still_be_answered(desk: Desk) -> None:
    """The address of one decision keeps working beside that of a letter about several."""
    rooms, ada = sat_in(desk, 2)
    about = turns_of(rooms, ada)[0]
    alone = mail(desk, about)["Reply-To"]
    mail(desk, *turns_of(rooms, ada))
    mailbox = mailboxes.find(desk, alone)
    assert mailbox is not None
    assert (about.game, about.version) == (mailbox.game, mailbox.decision_version)


def test_an_answer_shows_parts_by_game(desk: Desk) -> None:
    """What was asked about one game is shown below its title, and not for the others."""
    rooms, account = sat_in(desk, 2)
    decided = [
        {"letter": letter, "game": here.game, "seat": 0, "decision_version": 0}
        for letter, here in zip("AB", rooms, strict=True)
    ]
    data = {"lines": [], "games": decided, "shows": ["B hand"]}
    text = part(mail(desk, delivery(account, "letter_answered", data=data)), "plain")

    assert 1 == text.count("\nYour hand\n")
