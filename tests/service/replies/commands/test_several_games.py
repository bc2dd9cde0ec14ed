"""Replies to an email about several games."""

from typing import NamedTuple

import pytest

from service.desk import Desk
from service.games import lobby, reading
from service.replies import answer_limits, mailboxes
from service.replies.commands import runner, several_games
from service.replies.commands.several_games import LETTERS
from service.replies.mailboxes import LetteredDecision
from store.games import games
from store.notify import received_mail
from store.people.signed_links import void_links
from tests.service.support.post import Post, letter, opened
from tests.service.support.tables import keep_tickets, play


class Several(NamedTuple):
    """Two games of the same players, in which the first player has a turn, and one address."""

    post: Post
    games: list[str]
    address: str

    def reply(self, *lines: str, **headers: str | None) -> str:
        """Receive a reply of the first player; return its outcome."""
        return self.post.take(letter(*lines, **headers), self.address)

    def results(self) -> list[tuple[str, str, bool]]:
        """The lines of the last answer: the letter of the game, the text, whether it worked."""
        lines = self.post.answers()[-1]["lines"]
        return [(line["letter"], line["text"], line["ok"]) for line in lines]

    def reasons(self) -> list[str]:
        """The sentences about the lines of the last answer."""
        return [line["result"] for line in self.post.answers()[-1]["lines"]]

    def versions(self) -> list[int]:
        """How many moves each game has."""
        with self.post.desk.database.reading() as tx:
            tables = [games.table(tx, game) for game in self.games]
        return [table.version for table in tables if table]


def two_games(desk: Desk, *, turns: bool = True) -> Several:
    """Start two games; both await the first player, with a turn or with a choice of tickets."""
    post = opened(desk)
    account, other = post.players
    second = lobby.open_game(post.desk, account, lobby.NewGame("usa", (), 2, title="Second"), None)[
        "id"
    ]
    lobby.join(post.desk, other, second, "", None)
    ids = [post.game, second]
    if turns:
        for game in ids:
            keep_tickets(post.desk, game, post.players)
            _pass_to(post.desk, game, account)
    return Several(post, ids, address_of(post, ids))


def _pass_to(desk: Desk, game: str, account: str) -> None:
    """Let the other player take a whole turn, if it is not this player's."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    for seat in table.seated:
        if seat.account != account and seat.decision_version is not None:
            play(desk, game, seat.account or "", "draw")
            play(desk, game, seat.account or "", "draw")


def address_of(post: Post, ids: list[str]) -> str:
    """Store the reply address of a letter to the first player about these games."""
    decisions, links = [], []
    for name, game in zip(LETTERS, ids, strict=False):
        with post.desk.database.reading() as tx:
            table = games.table(tx, game)
        seat = table.seat_of(post.players[0]) if table else None
        assert seat is not None
        assert seat.decision_version is not None
        decisions.append(LetteredDecision(name, game, seat.number, seat.decision_version))
        links.append(seat.links)
    address = mailboxes.reply_to_several(post.desk, post.players[0], decisions, links)
    mailboxes.store(post.desk, [address])
    return address.email


def test_one_reply_answers_several_games(each_desk: Desk) -> None:
    """Lines with letters are played in their games, in capitals and in lower case."""
    here = two_games(each_desk)
    before = here.versions()

    assert "answered" == here.reply("A draw", "b: draw", "a) draw")
    assert [("A", "draw", True), ("B", "draw", True), ("A", "draw", True)] == here.results()
    assert [before[0] + 2, before[1] + 1] == here.versions()


def test_there_is_one_answer(each_desk: Desk) -> None:
    """One answer is owed about all games, and the same reply counts once."""
    here = two_games(each_desk)
    raw = letter("A draw", "B draw")

    assert "answered" == here.post.take(raw, here.address)
    after = here.versions()
    assert "seen" == here.post.take(raw, here.address)
    assert after == here.versions()
    (answer,) = here.post.answers()
    assert answer["row"].game is None
    assert [("A", here.games[0]), ("B", here.games[1])] == [
        (item["letter"], item["game"]) for item in answer["games"]
    ]


def test_a_crash_in_the_middle_costs_no_line(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a crash loses the answer, the next delivery sends it and repeats no move in any game."""
    here = two_games(each_desk)
    raw, before = letter("A draw", "B draw", "A draw"), here.versions()
    with monkeypatch.context() as patch:
        patch.setattr(received_mail, "add", _dies)
        with pytest.raises(SystemError):
            here.post.take(raw, here.address)

    assert "answered" == here.post.take(raw, here.address)
    assert [before[0] + 2, before[1] + 1] == here.versions()
    assert [True] * 3 == [ok for *_, ok in here.results()]


def _dies(*_: object) -> None:
    raise SystemError("killed")


def test_numbers_are_those_of_each_menu(desk: Desk) -> None:
    """`A1` is the first entry of the menu in game A, and `B1` that in game B."""
    here = two_games(desk)
    menus = [reading.decision(desk, game, here.post.players[0]) for game in here.games]
    place = next(
        number
        for number, (first, second) in enumerate(
            zip(*(menu["menu"] for menu in menus if menu), strict=False), 1
        )
        if {first["text"], second["text"]} == {"draw"}
    )

    here.reply(f"B{place}", f"a {place}")
    assert [("B", str(place), True), ("A", str(place), True)] == here.results()


def test_tickets_are_chosen_by_number(desk: Desk) -> None:
    """`A1 2` chooses two tickets in game A, and `B all` all of them in game B."""
    here = two_games(desk, turns=False)

    here.reply("A1 2", "B all")
    assert [("A", "1 2", True), ("B", "all", True)] == here.results()


@pytest.mark.parametrize("line", ["1", "1 2", "draw", "claim paris-dieppe", "status", "resign yes"])
def test_a_line_without_a_letter_is_refused(each_desk: Desk, line: str) -> None:
    """Without a letter nothing is played in any game, and the reason says how to write it."""
    here = two_games(each_desk)
    before = here.versions()

    assert "answered" == here.reply(line, "A draw")
    assert [("", line, False)] == here.results()
    assert before == here.versions()
    space = "" if line[0].isdigit() else " "
    expected = f"This email is about several games: write A{space}{line} or B{space}{line}, "
    assert here.reasons()[0].startswith(expected)


def test_a_line_without_a_letter_does_not_continue_a_game(desk: Desk) -> None:
    """After `A draw` a plain `draw` is refused, because either game could be meant."""
    here = two_games(desk)
    before = here.versions()
    here.reply("A draw", "draw", "B draw")

    assert [("A", "draw", True), ("", "draw", False)] == here.results()
    assert [before[0] + 1, before[1]] == here.versions()


def test_a_refusal_in_one_game_stops_only_that_game(desk: Desk) -> None:
    """Later lines for the same game are not carried out, which is said; other games go on."""
    here = two_games(desk)
    before = here.versions()
    here.reply("A claim nowhere-nothing", "A draw", "B draw")

    assert [("A", False), ("A", False), ("B", True)] == [(a, ok) for a, _, ok in here.results()]
    assert several_games.AFTER_REFUSAL == here.reasons()[1]
    assert [before[0], before[1] + 1] == here.versions()


def test_commands_about_no_game_need_no_letter(desk: Desk) -> None:
    """`help` and `absence` work without a letter, and `A status` with one."""
    here = two_games(desk)
    here.reply("help", "absence 3 Jul - 10 Jul", "A status", "B: status")

    assert [True] * 4 == [ok for *_, ok in here.results()]
    assert "the letter of its game" in here.reasons()[0]
    assert ["is waiting for" in reason for reason in here.reasons()] == [False, False, True, True]


@pytest.mark.parametrize("line", ["C draw", "I draw", "z3"])
def test_a_letter_of_no_game_is_refused(desk: Desk, line: str) -> None:
    """A letter that stands for no game plays nothing; no game is ever called I."""
    here = two_games(desk)
    before = here.versions()
    here.reply(line)

    assert [False] == [ok for *_, ok in here.results()]
    assert before == here.versions()
    assert "I" not in LETTERS


def test_a_game_whose_addresses_are_void_is_not_answered(each_desk: Desk) -> None:
    """After “this mail was forwarded” the address works for the other games only."""
    here = two_games(each_desk)
    before = here.versions()
    _void(here, 0)

    here.reply("A draw")
    assert [("A", "draw", False)] == here.results()
    assert "addresses were made void" in here.reasons()[0]
    here.reply("B draw")
    assert [("B", "draw", True)] == here.results()
    assert [before[0], before[1] + 1] == here.versions()


def test_an_address_without_games_is_unknown(each_desk: Desk) -> None:
    """When all of its games are void, the address is unknown."""
    here = two_games(each_desk)
    _void(here, 0)
    _void(here, 1)

    assert mailboxes.find(each_desk, here.address) is None


def test_what_an_earlier_release_voids_is_void(each_desk: Desk) -> None:
    """An old process increments `seats.links`, and knows nothing of addresses for several games."""
    here = two_games(each_desk)
    for game, letters in zip(here.games, (["B"], None), strict=True):
        with each_desk.database.writing() as tx:
            table = games.table(tx, game)
            seat = table.seat_of(here.post.players[0]) if table else None
            assert seat is not None
            assert void_links(tx, game, seat.number, seat.links)
        box = mailboxes.find(each_desk, here.address)
        assert letters == ([decision.letter for decision in box.decisions] if box else None)


def _void(here: Several, number: int) -> None:
    game = here.games[number]
    with here.post.desk.database.writing() as tx:
        table = games.table(tx, game)
        seat = table.seat_of(here.post.players[0]) if table else None
        assert seat is not None
        assert void_links(tx, game, seat.number, seat.links)
        mailboxes.void(tx, game, seat.number)


def test_a_decision_that_is_over_is_refused_in_its_game(desk: Desk) -> None:
    """A line for a decision that was made elsewhere is refused, and the other game goes on."""
    here = two_games(desk)
    play(desk, here.games[0], here.post.players[0], "draw")
    here.reply("A draw", "B draw")

    assert [("A", False), ("B", True)] == [(a, ok) for a, _, ok in here.results()]
    assert runner.OVER == here.reasons()[0]


def test_an_untrusted_reply_is_confirmed_game_by_game(each_desk: Desk) -> None:
    """Nothing is played; the lines are kept by game, and those of no game are kept as well."""
    here = two_games(each_desk)
    before = here.versions()
    lines = ("absence 3 Jul", "A draw", "b3", "A draw", "draw", "Z1")

    assert "unsure" == here.reply(*lines, authentication_results=None)
    assert before == here.versions()
    (notice,) = here.post.answers("letter_unsure")
    assert [("A", ["absence 3 Jul", "draw", "draw"]), ("B", ["3"])] == [
        (item["letter"], item["lines"]) for item in notice["games"]
    ]
    assert ["draw", "Z1"] == notice["unclear"]


def test_untrusted_replies_are_confirmed_while_any_decision_is_open(desk: Desk) -> None:
    """When all decisions of the email are over, an untrusted reply is only kept."""
    here = two_games(desk)
    play(desk, here.games[0], here.post.players[0], "draw")
    assert "unsure" == here.reply("B draw", authentication_results=None)
    play(desk, here.games[1], here.post.players[0], "draw")

    assert "held" == here.reply("B draw", authentication_results=None)


def test_answers_that_change_nothing_are_limited_for_each_email(desk: Desk) -> None:
    """The last answer says that it is the last, later replies are kept, and a move still works."""
    here = two_games(desk)
    became = [here.reply("3") for _ in range(answer_limits.MOST_ANSWERS + 1)]

    assert ["answered"] * answer_limits.MOST_ANSWERS + ["held"] == became
    assert answer_limits.LAST_ANSWER == here.post.answers()[-1]["note"]
    assert "answered" == here.reply("A draw")


def test_a_question_is_about_one_game(desk: Desk) -> None:
    """Each question names the game whose part the answer shows."""
    several = two_games(desk)
    several.reply("A board", "B hand")

    assert ["A board", "B hand"] == several.post.answers()[-1]["shows"]


def test_all_lines_after_say_are_its_message(desk: Desk) -> None:
    """After `A say` no line is a command any more, in no game."""
    several = two_games(desk)
    before = several.versions()
    several.reply("A say", "Hello Ben,", "B draw")

    assert [("A", "say\nHello Ben,\nB draw", True)] == several.results()
    assert ["Hello Ben,\nB draw"] == several.post.messages()
    assert before == several.versions()


def test_a_message_is_no_command_when_its_game_has_stopped(desk: Desk) -> None:
    """The lines after `A say` are not carried out either if an earlier line of A was refused."""
    several = two_games(desk)
    before = several.versions()
    several.reply("A fly", "A say", "B draw")

    assert [("A", "fly", False), ("A", "say", False)] == several.results()
    assert ["B draw"] == several.post.answers()[-1]["unread"]
    assert before == several.versions()


def test_a_message_is_confirmed_with_its_game(desk: Desk) -> None:
    """No link of a reply that is not certain plays what is part of a message."""
    several = two_games(desk)
    several.reply("B draw", "A say", "hello all", "B draw", authentication_results=None)
    (notice,) = several.post.answers("letter_unsure")

    assert [("A", ["say", "hello all", "B draw"]), ("B", ["draw"])] == [
        (item["letter"], item["lines"]) for item in notice["games"]
    ]
    several.reply("say", "B draw", authentication_results=None)
    notice = several.post.answers("letter_unsure")[-1]
    assert ([], ["say", "B draw"]) == (notice["games"], notice["unclear"])


def test_a_message_takes_nothing_back(desk: Desk) -> None:
    """A line of a message after `A say` may read as if it took something back."""
    several = two_games(desk)
    several.reply("B draw", "A say", "no wait, I meant you")

    assert [True, True] == [ok for *_, ok in several.results()]
    assert ["no wait, I meant you"] == several.post.messages()


@pytest.mark.parametrize("line", ["A no wait", "B: no, rather 5", "I meant B draw"])
def test_a_line_with_a_letter_takes_back(desk: Desk, line: str) -> None:
    """A line that begins with a letter can take something back as well."""
    several = two_games(desk)
    before = several.versions()
    several.reply("A draw", line)

    assert [("", line, False)] == several.results()
    assert before == several.versions()


def test_a_changed_mind_stops_the_moves_of_all_games(desk: Desk) -> None:
    """If a line takes something back, no game moves; the answer has the lines not read."""
    several = two_games(desk)
    before = several.versions()
    several.reply("A draw", "no wait, B draw", "B draw")

    assert before == several.versions()
    assert [("", "no wait, B draw", False)] == several.results()
    assert ["A draw", "B draw"] == several.post.answers()[-1]["unread"]


def test_courtesies_and_forms_are_forgiven_in_each_game(desk: Desk) -> None:
    """A greeting, a closing and a polite word change nothing about the moves of two games."""
    several = two_games(desk)
    before = several.versions()
    several.reply("Hi Nightmail,", "", "A draw, please", "B: *draw*", "", "Cheers,", "Ada")

    assert [1, 1] == [after - old for old, after in zip(before, several.versions(), strict=True)]
    assert [] == several.post.answers()[-1]["unread"]


def test_lines_without_a_game_leave_the_rest_unread(desk: Desk) -> None:
    """After a line that names no game, the other lines are shown as not read."""
    several = two_games(desk)
    several.reply("draw", "A draw")

    assert ["A draw"] == several.post.answers()[-1]["unread"]
