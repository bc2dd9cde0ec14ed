"""Greetings, closings and thanks around a move."""

import pytest

from engine.errors import Unreadable
from engine.notation import read
from service.replies import quoting
from service.replies.reading import courtesy_words
from service.replies.reading.words import COMMAND_WORDS
from tests.service.replies.corpus.languages import LANGUAGES
from tests.service.replies.corpus.reader import position


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_greeting_and_a_closing_are_set_aside(language: str) -> None:
    """The greeting above and the closing with a name below a move are not read."""
    greeting, closing = LANGUAGES[language].greeting, LANGUAGES[language].closing

    assert ["draw"] == quoting.written_lines([greeting, "", "draw", "", closing, "Ada"])


@pytest.mark.parametrize(
    "lines",
    [
        ["Hi Nightmail,", "draw", "Cheers, Ada"],
        ["Hello,", "draw"],
        ["Good morning everybody!", "draw", "Have fun!"],
        ["draw", "Viele Grüße", "Ada"],
        ["draw", "Thanks!", "Bob"],
        ["draw", "Thanks and bye", "Best regards,", "Ada Lovelace", "Analytical Engines"],
        ["draw", "Take care,", "Ada"],
        ["draw", "LG", "Ada", "Tel. +49 170 1234567", "www.example.org"],
        ["draw", "Thanks for the game", "Ada"],
        ["hi nightmail", "draw", "Merci et à bientôt", "Ada"],
        ["Dear Mr. Smith,", "draw", "Vielen Dank und schönen Abend"],
        ["👍", "draw", "🙏"],
        ["Thanks!", "draw"],
        ["Please", "draw"],
    ],
)
def test_courtesies_are_set_aside(lines: list[str]) -> None:
    """What people write around a move is recognised."""
    assert ["draw"] == quoting.written_lines(lines)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["Hi, draw"], ["Hi, draw"]),
        (["Hello 3"], ["Hello 3"]),
        (["Draw on, friends", "tickets"], ["Draw on, friends", "tickets"]),
        (["How are you?", "draw"], ["How are you?", "draw"]),
        (["Cheers", "Ada", "draw"], ["Ada", "draw"]),
        (["draw", "Ada"], ["draw", "Ada"]),
        (["draw", "Thanks", "no draw"], ["draw", "no draw"]),
        (["draw", "Cheers", "3"], ["draw", "3"]),
        (["draw", "Thanks but no", "Ada"], ["draw", "Thanks but no", "Ada"]),
        (["Hi, only if allowed:", "draw"], ["Hi, only if allowed:", "draw"]),
        (["Hello Ben, should I:", "draw"], ["Hello Ben, should I:", "draw"]),
        (["Hi Ben, quick question", "draw"], ["Hi Ben, quick question", "draw"]),
        (["draw", "Best skip this one"], ["draw", "Best skip this one"]),
        (["draw", "Best think about it"], ["draw", "Best think about it"]),
        (["draw", "Danke, aber erst morgen"], ["draw", "Danke, aber erst morgen"]),
        (["draw", "Cheers", "think about it"], ["draw", "think about it"]),
        (["draw", "Thanks?"], ["draw", "Thanks?"]),
        (["draw", "?"], ["draw", "?"]),
        (["draw", "Cheers", "a", "b", "c", "d"], ["draw", "a", "b", "c", "d"]),
        (["draw", "Thanks", "0170 1234567"], ["draw", "0170 1234567"]),
    ],
)
def test_what_may_mean_something_is_kept(lines: list[str], kept: list[str]) -> None:
    """A line with a number, a command, a question or a denial is never a courtesy."""
    assert kept == quoting.written_lines(lines)


def test_the_writers_own_name_is_a_signature() -> None:
    """The name of the From header, or its first or last part, ends a mail; another does not."""
    for name in ("Ada", "ada lovelace", "Lovelace", "- Ada"):
        assert ["draw"] == quoting.written_lines(["draw", name], "Ada Lovelace")
    assert ["draw"] == quoting.written_lines(["draw", "thanks ada"], "Ada Lovelace")
    assert ["draw"] == quoting.written_lines(["draw", "Thanks", "jack ma"], "Jack Ma")
    assert ["draw", "Bob"] == quoting.written_lines(["draw", "Bob"], "Ada Lovelace")
    assert ["draw", "Draw"] == quoting.written_lines(["draw", "Draw"], "Draw")
    assert ["draw", "Ada", "1"] == quoting.written_lines(["draw", "Ada", "1"], "Ada")


def test_messages_keep_their_courtesies() -> None:
    """What is written to people keeps greeting and closing, but no signature and quotation."""
    lines = ["Hi all,", "well played", "Cheers", "Ada", "-- ", "Ada", "> x"]

    assert ("Hi all,", "well played", "Cheers", "Ada") == quoting.written(lines).message


def test_no_courtesy_begins_like_a_command() -> None:
    """No phrase begins with the word of a command, but for two that no board reads."""
    phrases = (
        *courtesy_words.GREETINGS,
        *courtesy_words.CLOSINGS,
        *courtesy_words.POLITE,
        *courtesy_words.POINTERS,
    )
    like_commands = {phrase for phrase in phrases if phrase.split()[0] in COMMAND_WORDS}

    assert {"all the best", "take care"} == like_commands
    for phrase in like_commands:
        with pytest.raises(Unreadable):
            read(*position(), phrase)
