"""Letters about anything but an open decision."""

from typing import Any

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.games import lobby, reading, talk
from service.games.inviting import invitations
from service.links import signed_links
from service.people import opt_outs
from service.replies import mailboxes
from service.views import story
from store.tables import invitations as invitations_table
from tests.service.support.addresses import bounce_address, reply_address
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import at, change, reachable
from tests.service.support.tables import play
from tests.workers.correspondence import (
    Room,
    composed,
    delivery,
    mail,
    part,
    room,
)
from workers.channels.mail.channel import MailChannel
from workers.channels.mail.letters.games import MOST_QUOTED
from workers.channels.mail.letters.writers import TOGETHER, WRITERS

NOW = "2026-03-01T12:00:00.000Z"


def flat(desk: Desk, *letter: Any) -> str:
    """The text of a letter in one line."""
    return " ".join(part(mail(desk, *letter), "plain").split())


def over(desk: Desk) -> Room:
    """A game that has been played to its end."""
    here = room(desk, "usa", ("dice",), seats=2)
    here.play(4000)
    assert "finished" == here.table.status
    return here


def verdict_of(here: Room) -> str:
    """The verdict on the score sheet."""
    seat_story = story.of_account(here.desk, here.game, here.players[0])
    assert seat_story is not None
    assert seat_story.sheet is not None
    return seat_story.sheet.verdict


def test_every_kind_has_somebody_who_writes_it() -> None:
    """Every kind of notice that goes by mail has a writer."""
    assert MailChannel.kinds == {*WRITERS, *TOGETHER}


def test_a_game_that_has_begun(desk: Desk) -> None:
    """The letter names seat, colour, all players, the commitment and the head of the log."""
    here = room(desk, title="Sunday")
    text = flat(desk, here.about("game_started", 1, version=0))
    table = here.table
    assert f"You are {table.seated[1].name}, seat 2, blue, on the board USA." in text
    assert table.commitment in text
    assert all(str(seat.name) in text for seat in table.seated)
    assert "Head of the log after move 0: " in text


def test_a_game_that_is_over(desk: Desk) -> None:
    """The letter has the verdict, the score sheet, and how to verify the log."""
    here = over(desk)
    message = mail(desk, here.about("game_finished", 0, version=here.table.version))
    text = " ".join(part(message, "plain").split())
    assert "USA: the game is over" == message["Subject"]
    assert "Total" in text
    assert "Rank" in text
    assert verdict_of(here) in text
    public = desk.settings.public_url
    assert f"{public}/v1/games/{here.game}/log" in text
    assert f"Check this game: {public}/games/{here.game}#fair-play" in text
    assert f"Rematch: {public}/games/new?board=usa&seats=2&variants=dice&" in text
    assert "nightmail verify FILE" in text
    assert f"Head of the log after move {here.table.version}: " in text


def test_a_deadline_that_has_passed(desk: Desk) -> None:
    """The letter says what was played, and gives the deadline in the reader's time zone."""
    here = room(desk)
    change(desk, here.players[0], time_zone="Europe/Paris")
    about = here.about("decision_expired", 0, data={"deadline": NOW})
    assert composed(desk, about) is None, "nothing was played yet"
    decision = reading.decision(desk, here.game, here.players[0])
    assert decision is not None
    default = decision["default"]
    play(desk, here.game, here.players[0], default["text"])
    text = flat(desk, about)
    assert f"This was played for you: {default['label']}" in text
    assert "It was due on Sunday 1 March 2026, 13:00 (Europe/Paris, UTC+01:00)." in text


def test_a_seat_that_the_house_plays(desk: Desk) -> None:
    """The others learn for whom the house plays, the owner how to take the seat back."""
    here = room(desk)
    name = here.table.seated[1].name
    others = flat(desk, here.about("seat_caretaken", 0, version=1, data={"away": 1}))
    owner = flat(desk, here.about("seat_caretaken", 1, version=1, data={"away": 1}))
    assert f"From now on the house plays for {name}." in others
    assert "Make any move" in owner


def test_a_seat_that_was_given_up(desk: Desk) -> None:
    """The letter says who has left."""
    here = room(desk)
    still = at(desk, NOW)
    name = here.table.seated[1].name
    lobby.leave(still, here.players[1], here.game)
    text = flat(desk, here.about("seat_resigned", 0, version=1, at=NOW))
    assert f"{name} has left the game." in text


def test_a_message_is_quoted(desk: Desk) -> None:
    """The letter says who wrote when, and quotes each line, with mark-up escaped in HTML."""
    here = room(desk)
    words = "Well played!\n<b>Really</b> & truly\n--- Reply above this line ---"
    post = talk.say(at(desk, NOW), here.players[1], here.game, words, None)
    message = mail(desk, here.about("message_posted", 0, version=post["number"]))
    text, html = part(message, "plain"), part(message, "html")
    assert f"{here.table.seated[1].name} wrote on Sunday 1 March 2026, 12:00 (UTC):" in text
    assert "  | <b>Really</b> & truly\n" in text
    assert "&lt;b&gt;Really&lt;/b&gt; &amp; truly" in html
    assert "<b>Really" not in html


def test_talk_is_one_letter(desk: Desk) -> None:
    """One letter quotes the latest messages in order, and counts those that it leaves out."""
    here = room(desk)
    many = MOST_QUOTED + 3
    posts = [talk.say(desk, here.players[1], here.game, f"No {n}.", None) for n in range(many)]
    letter = [here.about("message_posted", 0, version=post["number"]) for post in posts]
    message = mail(desk, *letter)
    text = part(message, "plain")
    assert message["Subject"].endswith(f"{many} messages at the table")
    assert "3 earlier messages can be read at the table." in text
    places = [text.find(f"| No {n}.") for n in range(many)]
    assert [-1] * 3 == places[:3]
    assert sorted(places[3:]) == places[3:]


def test_whoever_has_answered_is_not_told(desk: Desk) -> None:
    """Messages from before the reader's own last message are left out."""
    here = room(desk)
    posts = [
        talk.say(desk, here.players[seat], here.game, f"No {seat}.", None) for seat in (1, 0, 1)
    ]
    letter = [here.about("message_posted", 0, version=posts[n]["number"]) for n in (0, 2)]
    assert 1 == part(mail(desk, *letter), "plain").count("| No 1.")
    assert composed(desk, letter[0]) is None


def test_a_message_that_is_gone_is_not_told(desk: Desk) -> None:
    """No letter is written about a message that does not exist."""
    here = room(desk)
    assert composed(desk, here.about("message_posted", 0, version=7)) is None


def test_an_address_is_asked_to_be_confirmed(desk: Desk) -> None:
    """The letter has the confirmation link, an opt-out link, and an address for the reply “yes”."""
    still = at(desk, NOW)
    account = newcomer(desk, "Ada", email="ada@example.org").account
    message = mail(still, delivery(account, "confirm_address"))
    link = signed_links.confirm_address(still, account, "ada@example.org")
    assert link in part(message, "plain")
    assert link in part(message, "html")
    assert "/never/" in message["List-Unsubscribe"]
    address = mailboxes.confirmation(still, account, "ada@example.org")
    assert address.email == message["Reply-To"]


def test_an_address_is_told_that_it_was_replaced(desk: Desk) -> None:
    """The letter goes to the old address, and does not name the new one."""
    about = delivery(reachable(desk), "address_replaced", data={"email": "old@example.org"})
    message = mail(desk, about)
    assert "old@example.org" == message["To"]
    text = str(message)
    assert "no longer uses the address old@example.org" in " ".join(text.split())
    assert "ada@example.org" not in text


def test_an_address_is_told_that_it_was_removed(desk: Desk) -> None:
    """The letter says that the address was removed, and speaks of no other."""
    data = {"email": "old@example.org", "removed": True}
    message = mail(desk, delivery(reachable(desk), "address_replaced", data=data))
    assert "Nightmail: your address was removed" == message["Subject"]
    text = " ".join(part(message, "plain").split())
    assert "The address old@example.org was removed" in text
    assert "another" not in text


def test_an_address_that_is_confirmed_is_not_asked_again(desk: Desk) -> None:
    """A confirmed address gets no second request to confirm it."""
    assert composed(desk, delivery(reachable(desk), "confirm_address")) is None


@pytest.mark.parametrize("kind", sorted(MailChannel.kinds))
def test_an_unconfirmed_address_gets_nothing_else(desk: Desk, kind: str) -> None:
    """Of all kinds, an address that is not confirmed gets only `confirm_address`."""
    here = room(desk)
    change(desk, here.players[0], email_confirmed=None)
    data = {"lines": [], "label": "x", "away": 1, "hook": "h", "host": "h", "reason": "r"}
    letter = composed(desk, here.about(kind, 0, data=data))
    assert (kind == "confirm_address") == (letter is not None)


def invited(desk: Desk, **guest: str) -> tuple[str, str]:
    """A host, and the id of an invitation from them."""
    host = reachable(desk, "Host")
    game = lobby.open_game(desk, host, lobby.NewGame("usa", (), 2, title="Sunday"), None)["id"]
    return host, invitations.invite(desk, host, game, guest, None)["id"]


def invitations_of(desk: Desk, id: str) -> str:
    """The game of an invitation."""
    with desk.database.reading() as tx:
        return str(tx.scalar(select(invitations_table.c.game).where(invitations_table.c.id == id)))


def test_a_stranger_is_invited(desk: Desk) -> None:
    """The letter goes to the stranger, and a bounce of it counts for no account."""
    host, id = invited(desk, email="stranger@example.org")
    letter = composed(desk, delivery(host, "invited", data={"invitation": id}))
    assert letter is not None
    assert ("stranger@example.org", None) == (letter.recipient, letter.account)
    assert desk.settings.mail_from == letter.sender
    text = flat(desk, delivery(host, "invited", data={"invitation": id}))
    assert "Host invites you to a game at Nightmail: “Sunday”." in text
    assert "A seat is reserved for you until" in text
    assert "keeps a seat" not in text
    assert signed_links.invitation(desk, id) in text


def test_no_words_of_a_stranger_stand_in_a_subject(desk: Desk) -> None:
    """An invitation's subject and sender show neither the table's title nor the host's name."""
    host, id = invited(desk, email="stranger@example.org")
    message = mail(desk, delivery(host, "invited", data={"invitation": id}))
    assert "Nightmail: an invitation to a game" == message["Subject"]
    assert "Nightmail" == message["From"].addresses[0].display_name


@pytest.mark.parametrize("way", ["email", "name"])
def test_an_invitation_has_one_click_to_stop_them(desk: Desk, way: str) -> None:
    """An invitation by address or by name can be stopped by the button of a mail program."""
    reachable(desk, "Guest")
    host, id = invited(desk, **{way: "guest@example.org" if way == "email" else "Guest"})
    message = mail(desk, delivery(host, "invited", data={"invitation": id}))
    assert "guest@example.org" == message["To"]
    assert f"<{opt_outs.link(desk, 'guest@example.org')}>" == message["List-Unsubscribe"]
    assert "List-Unsubscribe=One-Click" == message["List-Unsubscribe-Post"]


def test_letters_that_others_cause_can_be_stopped_for_ever(desk: Desk) -> None:
    """Invitations, confirmations and sign-in letters contain the opt-out link of their address."""
    host, id = invited(desk, email="stranger@example.org")
    letter = mail(desk, delivery(host, "invited", data={"invitation": id}))
    never = opt_outs.link(desk, "stranger@example.org")
    assert f"<{never}>" == letter["List-Unsubscribe"]
    assert "List-Unsubscribe=One-Click" == letter["List-Unsubscribe-Post"]
    account = newcomer(desk, "Ada", email="stranger+ada@example.org").account
    confirmation = mail(desk, delivery(account, "confirm_address"))
    change(desk, account, email_confirmed=desk.now())
    entered = mail(desk, delivery(account, "sign_in", data={"key": "k", "next": ""}))
    for message in (letter, confirmation, entered):
        assert never in part(message, "plain")
        assert never in part(message, "html")


def test_a_guest_is_invited_by_name(desk: Desk) -> None:
    """The letter goes to the guest's address, and to nobody once the invitation is withdrawn."""
    guest = reachable(desk, "Guest")
    host, id = invited(desk, name="Guest")
    about = delivery(guest, "invited", data={"invitation": id})
    letter = composed(desk, about)
    assert letter is not None
    assert "guest@example.org" == letter.recipient
    assert bounce_address(desk, guest, letter.recipient) == letter.sender
    game = invitations_of(desk, id)
    invitations.withdraw(desk, host, game, id)
    assert composed(desk, about) is None


def test_a_hook_that_was_switched_off(desk: Desk) -> None:
    """The letter says which hook and why, and how to switch it on: on a page, or by the API."""
    data = {"hook": "hook_1", "host": "bot.example.org", "reason": "Nothing arrived for 5 days."}
    text = flat(desk, delivery(reachable(desk), "hook_disabled", data=data))
    assert "bot.example.org is switched off: Nothing arrived for 5 days." in text
    page = text.find("Settings → Programs → Web hooks")
    assert -1 < page < text.find("PATCH /v1/me/webhooks/hook_1")


def test_a_hook_that_answers_nonsense(desk: Desk) -> None:
    """The letter names the hook, what was wrong with the answer, and the page to look at."""
    data = {"hook": "hook_1", "host": "bot.example.org", "reason": "The answer is no move."}
    text = flat(desk, delivery(reachable(desk), "hook_refused", data=data))
    assert "bot.example.org was asked for a move three times and answered with none." in text
    assert "The answer is no move." in text
    assert "Settings → Programs → Web hooks" in text


def test_an_answer_says_what_was_read_and_what_comes_next(desk: Desk) -> None:
    """The letter shows each line with its result, the open decision, and its reply address."""
    here = room(desk, seats=2)
    here.play(2)
    seat = here.awaited
    play(desk, here.game, here.players[seat], "draw")
    lines = [
        {"text": "draw", "result": "You draw a card.", "ok": True},
        {"text": "fly", "result": "“fly” is no move.", "ok": False},
    ]
    data = {"lines": lines, "message_id": "<mine@example.org>"}
    message = mail(desk, here.about("letter_answered", seat, data=data))
    text = " ".join(part(message, "plain").split())
    assert "| draw You draw a card. | fly Refused: “fly” is no move." in text
    assert "Draw your second card." in text
    assert "1. Draw a card from the deck http" in text
    assert "<mine@example.org>" == message["In-Reply-To"]
    assert message["References"].endswith("> <mine@example.org>")
    decision = here.table.seated[seat].decision_version
    assert decision is not None
    address = reply_address(desk, here.players[seat], here.game, seat, decision)
    assert address == message["Reply-To"]


def test_an_answer_shows_the_lines_that_were_not_read(desk: Desk) -> None:
    """The letter says at which line reading stopped, and shows the others."""
    here = room(desk, seats=2)
    here.play(2)
    lines = [{"text": "clam", "result": "“clam” is no move.", "ok": False}]
    data = {"lines": lines, "unread": ["draw", "status"]}
    text = flat(desk, here.about("letter_answered", here.awaited, data=data))
    assert "| clam Refused: “clam” is no move. We stopped at this line." in text
    assert "These other lines were not read: | draw | status" in text


def test_an_answer_when_nothing_is_asked(desk: Desk) -> None:
    """The letter says that no decision is open, and for whom the game waits."""
    here = room(desk, seats=2)
    here.play(2)
    other = 1 - here.awaited
    text = flat(desk, here.about("letter_answered", other, data={"lines": []}))
    assert "We found nothing in your mail that we could read." in text
    assert "You have no decision to make at the moment." in text
    assert f"Waiting for {here.table.seated[here.awaited].name} to " in text


def test_a_doubtful_mail_needs_a_link(desk: Desk) -> None:
    """The letter has the lines and a link to confirm them; after a move it is not sent."""
    still = at(desk, NOW)
    here = room(still)
    about = here.about("letter_unsure", data={"lines": ["draw", "draw"], "message_id": None})
    assert about.seat is not None
    assert about.version is not None
    link = signed_links.confirm_letter(
        still, here.game, about.seat, about.version, ["draw", "draw"], about.at
    )
    text = part(mail(still, about), "plain")
    assert link in text
    assert "  | draw\n  | draw\n" in text
    here.play(1)
    assert composed(still, about) is None


def test_nothing_is_told_of_a_game_that_is_gone(desk: Desk) -> None:
    """No letter is written about a game that is unknown, or in which the account has no seat."""
    stranger = reachable(desk, "Stranger")
    here = room(desk)
    for kind in ("game_started", "game_finished", "seat_resigned", "seat_caretaken"):
        about = delivery(stranger, kind, here.game, 0, 0, {"away": 0})
        assert composed(desk, about) is None
        assert composed(desk, about._replace(game="x" * 22)) is None
