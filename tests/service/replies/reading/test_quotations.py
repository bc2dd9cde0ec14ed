"""Where mail programs introduce a quotation."""

import pytest

from service.boards import atlas
from service.replies import quoting
from service.replies.commands.runner import COMMANDS
from service.replies.reading.quotations import introduction
from service.replies.reading.words import COMMAND_WORDS
from service.replies.service_commands import runner as service_commands
from tests.service.replies.corpus.languages import LANGUAGES

FILLED = {"name": "Nightmail", "address": "abc@play.example.net"}
ATTRIBUTIONS = [
    *(language.attribution.format(**FILLED) for language in LANGUAGES.values()),
    *(language.bare_attribution.format(**FILLED) for language in LANGUAGES.values()),
    "On 11-Apr-2026, at 6:54 PM, Nightmail <abc@play.example.net> sent:",
    "2026-07-03 10:00 GMT+02:00 Nightmail <abc@play.example.net>:",
    "Jul 3, 2026, 10:00 by abc@play.example.net:",
    "Op 3-jul.-2026, om 10:00 heeft Nightmail <abc@play.example.net> het volgende geschreven:",
    "Am Freitag, dem 03.07.2026 um 10:00 +0200 schrieb Nightmail:",
    "* Nightmail <abc@play.example.net> [2026-07-03 10:00]:",
    "---- On Fri, 03 Jul 2026 10:00:00 +0200 Nightmail <abc@play.example.net> wrote ----",
    "2026/07/03 10:00、Nightmail <abc@play.example.net>のメッセージ:",
    "In data venerdì 3 luglio 2026 10:00:00 CEST, Nightmail ha scritto:",
]


@pytest.mark.parametrize("line", dict.fromkeys(ATTRIBUTIONS))
def test_attributions_of_many_languages_are_known(line: str) -> None:
    """An attribution is set aside above a quotation, and ends the reading above an original."""
    assert ["draw"] == quoting.written_lines(["draw", "", line, "", "tickets"])
    assert ["draw", "status"] == quoting.written_lines(["draw", line, "> tickets", "", "status"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_headers_of_many_languages_are_known(language: str) -> None:
    """Headers above an original end the reading, bold or not, in any order."""
    names = LANGUAGES[language].headers
    for block in (
        [f"{name}: x" for name in names],
        [f"*{name}:* x" for name in names],
        [f"{name} : x" for name in (names[1], names[0])],
    ):
        assert ["draw"] == quoting.written_lines(["draw", *block, "", "tickets"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("frame", ["-----{}-----", "-------- {} --------", "----- {} -----"])
def test_lines_above_an_original_are_known(language: str, frame: str) -> None:
    """A line such as “-----Original Message-----” ends the reading."""
    line = frame.format(LANGUAGES[language].original)

    assert ["draw"] == quoting.written_lines(["draw", line, "tickets"])


@pytest.mark.parametrize(
    "lines",
    [
        ["On Fri, 3 Jul 2026 at 10:00,", "Nightmail", "<abc@play.example.net>", "wrote:"],
        ["On Fri, 3 Jul 2026 at 10:00, Nightmail <", "abc@play.example.net> wrote:"],
        ["Nightmail <abc@play.example.net> schrieb am Fr., 3. Juli 2026,", "10:00:"],
        ["fre. 3. juli 2026 kl. 10:00 skrev Nightmail", "<abc@play.example.net>:"],
        ["W dniu 3 lipca 2026 użytkownik Nightmail", "<abc@play.example.net>", "napisał:"],
    ],
)
def test_broken_attributions_are_known(lines: list[str]) -> None:
    """An attribution may be broken into several lines."""
    assert ["draw"] == quoting.written_lines(["draw", *lines, "tickets"])


def test_no_command_is_taken_for_an_introduction() -> None:
    """A command directly above an attribution is read, even if it has a date or an address."""
    below = ["On Fri, 3 Jul 2026 at 10:00, Nightmail", "<abc@play.example.net> wrote:", "> x"]
    german = ["Am 03.07.2026 schrieb Nightmail", "<abc@play.example.net>:", "> x"]
    for line in ("absence 2030-07-03 - 2030-07-10", "3", "A draw", "1 with red", "to-day", "on"):
        assert [line] == quoting.written_lines([line, *below])
        assert [line] == quoting.written_lines([line, *german])


def test_two_lines_with_the_letter_of_a_game_are_no_headers() -> None:
    """“A: draw” and “A: tickets” are not two headers, although “A” is Italian for “To”."""
    assert 0 == introduction(["A: draw", "A: tickets"], 0)


def test_the_end_of_a_broken_quoted_line_is_not_read() -> None:
    """A program that breaks quoted lines leaves their ends without a mark."""
    long = "> You can answer with a number, in words, or with both of them, for example"
    lines = [long, "draw", "> short", "status"]

    assert ["status"] == quoting.written_lines(lines)


def test_all_words_of_commands_are_known() -> None:
    """The words with which commands begin, on every board, are never a courtesy."""
    rulesets = [atlas.ruleset(*table) for table in atlas.tables()]
    verbs = {verb for rules in rulesets for verb in rules.verbs()}
    commands = {*COMMANDS, *service_commands.COMMANDS}

    assert set() == (verbs | commands) - COMMAND_WORDS
