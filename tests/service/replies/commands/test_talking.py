"""Messages to the table by mail: the command `say`, and replies to table talk."""

import pytest

from service.desk import Desk
from service.games import lobby
from service.replies.commands import runner, talking
from service.replies.commands.conversation import Reply
from service.replies.reading.limits import LONGEST_KEPT
from tests.service.support.post import letter, opened
from tests.service.support.tables import keep_tickets


def test_one_line(desk: Desk) -> None:
    """`say Hello all` posts the rest of its line; the next line is a command again."""
    post = opened(desk)
    post.reply("say Hello all", "keep all")

    assert ["Hello all"] == post.messages()
    assert [("say Hello all", True), ("keep all", True)] == post.results()


def test_several_lines(each_desk: Desk) -> None:
    """`say` alone posts all lines after it, up to the quotation."""
    post = opened(each_desk)
    post.reply("say", "Hello all,", "draw", "Ada")

    assert ["Hello all,\ndraw\nAda"] == post.messages()
    assert [("say\nHello all,\ndraw\nAda", True)] == post.results()
    assert 1 == post.moves()


LONG = "say I think that we should meet in Paris next summer, because it is nice,"


def test_a_message_that_a_mail_program_has_broken(desk: Desk) -> None:
    """If the message seems to go on in the next line, nothing is posted."""
    post = opened(desk)
    post.reply(LONG, "and so are its trains.")

    assert [(LONG, False)] == post.results()
    assert "“say” on a line of its own" in post.answers()[-1]["lines"][0]["result"]
    assert [] == post.messages()
    post.reply(LONG, "keep all")
    assert [(LONG, True), ("keep all", True)] == post.results()
    assert [LONG.removeprefix("say ")] == post.messages()


def test_greetings_belong_to_a_message(desk: Desk) -> None:
    """Lines that are no commands, such as a greeting, are posted with the message."""
    post = opened(desk)
    ada, message = post.players[0], ["Hi Ben,", "say", "Hello all,", "draw", "Thanks, Ada"]
    reply = Reply(ada, post.game, None, ["say", "draw"], "first", message=message)
    outcome = runner.carry_out(desk, reply)
    assert ["say\nHello all,\ndraw\nThanks, Ada"] == [line.text for line in outcome.lines]
    kind = ["Hi Ben,", "well played", "Thanks, Ada"]
    whole = Reply(ada, post.game, None, kind[1:2], "second", is_talk=True, message=kind)
    runner.carry_out(desk, whole)

    assert ["Hello all,\ndraw\nThanks, Ada", "\n".join(kind)] == post.messages()
    assert 1 == post.moves()


def test_people_may_change_their_minds_at_the_table(desk: Desk) -> None:
    """A message may take something back, and may be nothing but a courtesy."""
    post = opened(desk)
    post.answer_talk("Let us meet on Friday.", "No, sorry, rather on Sunday.")
    post.answer_talk("Thanks!")

    assert ["Let us meet on Friday.\nNo, sorry, rather on Sunday.", "Thanks!"] == post.messages()


def test_nothing_to_say(desk: Desk) -> None:
    """`say` without a message is refused."""
    post = opened(desk)
    post.reply("say")

    assert [("say", False)] == post.results()
    assert [] == post.messages()


def test_a_message_that_would_be_cut_is_not_posted(desk: Desk) -> None:
    """A message of which we read only a part is refused whole."""
    post = opened(desk)
    post.answer_talk("x" * (LONGEST_KEPT + 10))
    assert [False] == [ok for _, ok in post.results()]
    post.answer_talk(*[f"Line {n}" for n in range(30)])
    assert [False] == [ok for _, ok in post.results()]

    assert [] == post.messages()


def test_a_reply_to_talk_is_a_message(desk: Desk) -> None:
    """The whole reply is posted, also when it names what is in the game; nothing is played."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)

    assert "answered" == post.answer_talk("draw the line somewhere", "3 cheers for Ben!")
    assert ["draw the line somewhere\n3 cheers for Ben!"] == post.messages()
    assert 3 == post.moves()
    assert "Posted to the table." == post.answers()[-1]["lines"][0]["result"]
    assert not post.answers()[-1]["needs_moves"]


@pytest.mark.parametrize("line", ["help", "Status.", "board", "hand", "my tickets", "history"])
def test_a_command_alone_is_a_command(desk: Desk, line: str) -> None:
    """A reply to talk whose first line is exactly a command is not posted."""
    post = opened(desk)
    post.answer_talk(line)

    assert [] == post.messages()
    assert [(line, True)] == post.results()


@pytest.mark.parametrize(
    "line", ["resign yes", "Status quo!", "help me", "leave yes", "Stop!", "tickets for Rome"]
)
def test_a_sentence_that_begins_like_a_command_is_a_message(desk: Desk, line: str) -> None:
    """Only a whole line is a command, and nothing that cannot be undone."""
    post = opened(desk)
    post.answer_talk(line)

    assert [line] == post.messages()
    assert post.seat().resigned is None


@pytest.mark.parametrize("is_turn", [True, False])
@pytest.mark.parametrize(
    "lines",
    [
        ["claim kansas-city-saint-louis with 2 blue"],
        ["Claim Kansas City - Saint Louis"],
        ["claim kansas-citty-saint-louis with 2 blue"],
        ["Hi all,", "claim boston-montreal, please"],
        ["Nice weather today.", "draw"],
        ["take 3"],
        ["3"],
        ["3 with 2 purple"],
        ["3 purple"],
        ["1 and 2"],
        ["3. claim boston-montreal"],
        ["draw tickets"],
    ],
    ids=" / ".join,
)
def test_a_move_is_not_posted(desk: Desk, lines: list[str], *, is_turn: bool) -> None:
    """A move in reply to table talk tells nobody what is planned, on any turn."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    number = next(n for n in (0, 1) if (post.seat(n).awaited_since is not None) == is_turn)
    before = post.moves()

    assert "answered" == post.answer_talk(*lines, number=number)
    assert [] == post.messages()
    assert before == post.moves()
    [result] = post.answers()[-1]["lines"]
    assert not result["ok"]
    assert "looks like a move" in result["result"]
    post.answer_talk("say", *lines, number=number)
    assert ["\n".join(lines)] == post.messages()


@pytest.mark.parametrize(
    "line",
    ["Take care!", "claim your prize", "2 more trains and I am done", "pass me the salt", "End it"],
)
def test_a_sentence_that_begins_like_a_move_is_a_message(desk: Desk, line: str) -> None:
    """Words with which a move can begin are no move if the notation cannot read the rest."""
    post = opened(desk)
    keep_tickets(desk, post.game, post.players)
    post.answer_talk(line)

    assert [line] == post.messages()


def test_a_message_that_begins_like_a_notice(desk: Desk) -> None:
    """A sentence that begins like a legal notice is posted if there is nothing else."""
    post = opened(desk)
    post.answer_talk("This message made me laugh!")

    assert ["This message made me laugh!"] == post.messages()
    post.answer_talk("Sent from my telephone")
    assert 1 == len(post.messages())


def test_quotations_between_are_mentioned(desk: Desk) -> None:
    """The answer says so if quoted lines between others were left out of a message."""
    post = opened(desk)
    post.answer_talk("Yes!", "", "> Will you come?", "> And Ben?", "", "He will come too.")
    assert "quoted in between" in post.answers()[-1]["lines"][0]["result"]
    post.answer_talk("See you.", "", "> Will you come?")

    assert ["Yes!\nHe will come too.", "See you."] == post.messages()
    assert "Posted to the table." == post.answers()[-1]["lines"][0]["result"]


def test_no_move_is_played_from_a_reply_to_talk(desk: Desk) -> None:
    """Moves after a command are refused there."""
    post = opened(desk)
    post.answer_talk("status", "keep all")

    assert [("status", True), ("keep all", False)] == post.results()
    assert talking.NO_MOVES == post.answers()[-1]["lines"][-1]["result"]
    assert 1 == post.moves()


def test_an_automatic_reply_is_never_posted(desk: Desk) -> None:
    """What a machine has sent is dropped, by its headers or by its subject."""
    post = opened(desk)

    assert "automatic" == post.answer_talk("I am away.", auto_submitted="auto-replied")
    assert "held" == post.answer_talk("I am away.", subject="Out of office")
    assert [] == post.messages()


def test_the_same_text_is_posted_once(desk: Desk) -> None:
    """An automatic reply that was not recognised repeats itself; the second is refused."""
    post = opened(desk)
    post.answer_talk("I am away until Monday.")
    post.answer_talk("I am away until Monday.")

    assert [("I am away until Monday.", False)] == post.results()
    assert ["I am away until Monday."] == post.messages()


def test_messages_by_mail_are_limited(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of a day the answer says so; the next day there is room again."""
    monkeypatch.setattr(talking, "MOST_A_DAY", 2)
    post = opened(desk).at("2026-05-01T12:00:00.000Z")
    for n in range(3):
        post.reply(f"say No {n}")

    assert [("say No 2", False)] == post.results()
    assert ["No 0", "No 1"] == post.messages()
    post.at("2026-05-02T12:00:00.000Z").reply("say No 3")
    assert ["No 0", "No 1", "No 3"] == post.messages()


def test_who_has_resigned_only_reads(desk: Desk) -> None:
    """A message of a player who has resigned is refused, and the answer says why."""
    post = opened(desk)
    lobby.leave(desk, post.players[0], post.game)
    post.answer_talk("Bye!")

    assert [("Bye!", False)] == post.results()
    assert "resigned" in post.answers()[-1]["lines"][0]["result"]


def test_a_doubtful_message_is_not_posted(desk: Desk) -> None:
    """A reply to talk whose sender is not certain is not posted; its owner is told."""
    post = opened(desk)
    raw = letter("Hello all", authentication_results=None)

    assert "unsure" == post.take(raw, post.talk_address())
    assert [] == post.messages()
