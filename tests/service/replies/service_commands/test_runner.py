"""Reading the lines of a mail to the service."""

import re
from pathlib import Path

import pytest

from service.replies.service_commands import runner
from tests.service.support.office import Office


def test_what_was_not_read_is_shown(office: Office) -> None:
    """After a line that is refused, the answer lists those that were not read."""
    office.player("Ada", "ada@example.org")
    office.write("opne usa 2", "games")
    assert ["games"] == office.answers()[-1]["unread"]
    office.write("open usa 2", "no wait, europe")
    assert (0, ["open usa 2"]) == (office.tables(), office.answers()[-1]["unread"])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("open atlantis 3", "Name a board first"),
        ("open europe 3 tomorrow", "“tomorrow” is not understood"),
        ("open europe 9", "seats"),
        ("join nowhere", "There is no"),
        ("rematch", "You have no such game"),
        ("invite abcdefgh Ben", "You have no such game"),
        ("digest weekly", "Write one of"),
        ("zone Atlantis", "time zone"),
        ("dance", "We do not know this command"),
        ("sign off", "You play here as Ada"),
    ],
)
def test_bad_commands_are_explained(office: Office, line: str, reason: str) -> None:
    """A command that cannot be carried out is answered with the reason, and changes nothing."""
    office.player("Ada", "ada@example.org")
    office.write(line, "open usa 2" if line != "sign off" else "help")
    result, _ = office.results()[0]
    assert reason in result
    assert 0 == office.tables()


def test_commands_are_forgiven_like_replies(office: Office) -> None:
    """Greetings, closings and polite words around a command change nothing."""
    office.player("Ada", "ada@example.org")
    office.write("Hi Nightmail,", "", "open usa 2, please", "absence 3 Jul", "", "Cheers,", "Ada")
    assert [True, True] == [ok for _, ok in office.results()]


def test_every_command_is_documented() -> None:
    """The page about replies and the answer to `help` have every command; none is made up."""
    page = (Path(__file__).parents[4] / "docs" / "replies.md").read_text(encoding="utf-8")
    section = page.partition("## Writing to Nightmail itself")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    documented = {word for row in rows for word in re.findall(r"`(\w+)", row)}
    assert {*runner.COMMANDS} == documented
    explained = {line.split()[0] for line in runner.HELP}
    assert {*runner.COMMANDS} - {"help", "as"} == explained


def test_only_what_changed_something_counts(office: Office) -> None:
    """An answer to a question, or to a command in vain, has changed nothing."""
    office.player("Ada", "ada@example.org")
    office.write("help", "games", "as Ada", "sign on Ada", "absence", "open usa 2", "dance")
    changed = [line["changed"] for line in office.answers()[-1]["lines"]]
    assert [False] * 5 + [True, False] == changed
