"""Letters in their reader's language: every text comes from the catalogue."""

from collections.abc import Iterator
from itertools import chain

import pytest

from service.boards import atlas
from service.desk import Desk
from service.games import lobby, table_lookup, talk
from service.games.inviting import invitations
from service.i18n import catalogue
from service.notify.hooks import GONE
from service.notify.outbox import Delivery
from service.replies import quoting
from service.replies.commands import runner, several_games
from service.replies.commands.conversation import Reply
from service.replies.mailboxes import LetteredDecision
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import at, change, reachable
from tests.support.foreign_readers import english_in, foreign, names_on, page_text
from tests.workers.correspondence import NAMES, Room, delivery, mail, part, room, sat_down
from workers.channels.mail.channel import MailChannel
from workers.channels.mail.letters.phrases import marker

__all__ = ["foreign"]

NOW = "2026-03-01T12:00:00.000Z"
LINES = [
    *("help", "status", "board", "hand", "my tickets", "history", "moves", "say Ada", "stop"),
    *("start", "absence", "absence 3 Jul - 10 Jul", "absence", "absence cancel", "resign"),
]
SEVERAL = ["A status", "3", "draw"]
TABLES = [
    ("usa", ()),
    ("europe", ()),
    ("uk", ("advanced_technologies",)),
    ("europe", ("dice",)),
]


def _translated(desk: Desk, people: list[str], locale: str) -> None:
    for account in people:
        change(desk, account, locale=locale)


def _unsaid(desk: Desk, letter: list[Delivery]) -> set[str]:
    """Words in a letter's subject, text or HTML that do not come from the catalogue."""
    message = mail(desk, *letter)
    games = (letter[0].data or {}).get("games", ())
    game = next((item["game"] for item in games), letter[0].game)
    names = [*NAMES, *LINES, *SEVERAL]
    if game:
        with desk.database.reading() as tx:
            table = table_lookup.table_of(tx, game, letter[0].account)
        names += [table.title, *names_on(atlas.board(table.board))]
    texts = message["Subject"], part(message, "plain"), page_text(part(message, "html"))
    return {word for text in texts for word in english_in(text, *names)}


def _answer(here: Room, seat: int) -> Delivery:
    """A delivery that answers a letter with several kinds of lines."""
    decision = here.table.seated[seat].decision_version
    assert decision is not None
    letter = Reply(here.players[seat], here.game, decision, LINES, "key")
    with catalogue.speaking_to("nl"):
        carried = runner.carry_out(here.desk, letter)
    lines = [line._asdict() for line in carried.lines]
    return here.about("letter_answered", seat, data={"lines": lines, "shows": carried.shows})


def _about_several(rooms: list[Room], account: str) -> Iterator[list[Delivery]]:
    """Deliveries about a reply to an email about several games."""
    decisions = [
        LetteredDecision(letter, here.game, here.players.index(account), version)
        for letter, here in zip("AB", rooms, strict=True)
        if (version := here.table.seated[here.players.index(account)].decision_version) is not None
    ]
    reply = Reply(account, "", None, SEVERAL, "key")
    with catalogue.speaking_to("nl"):
        carried = several_games.carry_out(rooms[0].desk, reply, decisions)
    lines = [line._asdict() for line in carried.lines]
    games = [decision._asdict() for decision in decisions]
    yield [delivery(account, "letter_answered", data={"lines": lines, "games": games})]
    data = several_games.split_by_game(SEVERAL, decisions)
    yield [delivery(account, "letter_unsure", data=data)]


def _about_game(here: Room) -> Iterator[list[Delivery]]:
    desk, seat = here.desk, here.awaited
    for kind in ("decision_opened", "decision_reminder"):
        yield [here.about(kind, seat)]
    other = sat_down(desk, here.players, title="Ada")
    ours = other.players.index(here.players[seat])
    yield [here.about("decision_opened", seat), other.about("decision_opened", ours)]
    yield from _about_several([here, other], here.players[seat])
    yield [here.about("game_started", seat, version=0)]
    for away in (seat, 1 - seat):
        yield [here.about("seat_caretaken", seat, version=1, data={"away": away})]
    post = talk.say(at(desk, NOW), here.players[1 - seat], here.game, "Ben!", None)
    yield [here.about("message_posted", seat, version=post["number"])]
    yield [_answer(here, seat)]
    yield [here.about("letter_answered", seat, data={"lines": []})]
    yield [here.about("letter_unsure", seat, data={"lines": ["Ada", "Ben"]})]
    expired = here.about("decision_expired", seat, data={"deadline": NOW})
    here.play(8)
    yield [expired]
    lobby.leave(at(desk, NOW), here.players[1 - seat], here.game)
    yield [here.about("seat_resigned", seat, version=1, at=NOW)]


def _about_accounts(desk: Desk, ada: str, locale: str) -> Iterator[list[Delivery]]:
    hook = {"hook": "hook@", "host": "example@", "reason": GONE}
    yield [delivery(ada, "hook_disabled", data=hook)]
    yield [delivery(ada, "hook_refused", data=hook | {"reason": "Ada"})]
    yield [delivery(ada, "destination_paused", data={"label": "Ada", "reason": GONE})]
    yield [delivery(ada, "sign_in", data={"key": "key", "next": "/"}, at=desk.now())]
    lines = [{"text": "Ada", "result": "Ada", "ok": ok, "items": ["Ben"]} for ok in (True, False)]
    yield [delivery(ada, "commands_answered", data={"lines": lines, "message_id": None})]
    yield [delivery(ada, "commands_answered", data={"lines": []})]
    yield [delivery(ada, "commands_unsure", data={"lines": ["Ada"]})]
    stranger = {"email": "eve@example.org", "locale": locale, "lines": lines}
    yield [delivery("", "stranger_answered", data=stranger)]
    cem = newcomer(desk, "Cem", email="cem@example.org", locale=locale).account
    yield [delivery(cem, "confirm_address")]
    for removed in (True, False):
        old = {"email": "old@example.org", "removed": removed}
        yield [delivery(ada, "address_replaced", data=old)]
    eli = reachable(desk, "Eli")
    change(desk, eli, locale=locale)
    game = lobby.open_game(desk, ada, lobby.NewGame("europe", ("dice",), 3, title="Ada"), None)
    invitations.invite(desk, ada, game["id"], {"name": "Eli"}, None)
    (invitation,) = invitations.listed(desk, ada, game["id"])
    yield [delivery(eli, "invited", game["id"], data={"invitation": invitation["id"]})]


def test_every_letter_is_said_in_the_language_of_its_reader(desk: Desk, foreign: str) -> None:
    """Letters of every kind have only catalogue texts, names, numbers, addresses and commands."""
    here = room(desk, "usa", seats=2, pace="days")
    _translated(desk, here.players, foreign)
    over = sat_down(desk, here.players, "usa", ("dice",))
    over.play(4000)
    assert "finished" == over.table.status
    finished = over.about("game_finished", 0, version=over.table.version)
    words: dict[str, set[str]] = {}
    # Compose each letter at once: the next event may supersede it.
    for letter in chain(
        [[finished]], _about_game(here), _about_accounts(desk, here.players[0], foreign)
    ):
        for about in letter:
            words.setdefault(about.kind, set()).update(_unsaid(desk, letter))
    assert {kind: set() for kind in MailChannel.kinds} == words


@pytest.mark.parametrize(("board", "variants"), TABLES)
def test_every_board_is_told_in_the_language_of_its_reader(
    desk: Desk, foreign: str, board: str, variants: tuple[str, ...]
) -> None:
    """Letters from every board have only catalogue texts: cards, dice, stations, technologies."""
    here = room(desk, board, variants, seats=2)
    _translated(desk, here.players, foreign)
    here.play(30)
    assert set() == _unsaid(desk, [here.about("decision_opened")])
    assert set() == _unsaid(desk, [_answer(here, here.awaited)])


def test_two_readers_of_one_game_have_two_languages(desk: Desk, foreign: str) -> None:
    """One worker writes to each reader in their language: subject, text, HTML and headers."""
    here = room(desk, seats=2, pace="days")
    change(desk, here.players[1], locale=foreign)
    for seat, heading in ((0, "How to answer"), (1, "⟦How to answer⟧"), (0, "How to answer")):
        message = mail(desk, here.about("decision_opened", seat))
        language = foreign if seat else "en"
        assert f"\n{heading}\n" in part(message, "plain")
        assert f'<html lang="{language}">' in part(message, "html")
        assert language == message["Content-Language"]
        assert ("⟦" in message["Subject"]) == bool(seat)
    assert "en" == catalogue.current_language()


def test_an_answer_in_any_language_ends_at_our_line(foreign: str) -> None:
    """The marker line ends a reply in the reader's language and in English."""
    with catalogue.speaking_to(foreign):
        line = marker()
    assert "⟦" in line
    assert ["draw"] == quoting.written_lines(["draw", line, "claim"])
    assert ["draw"] == quoting.written_lines(["draw", marker(), "claim"])
