"""The documentation of commands agrees with the code and with the page of a game."""

import re
from pathlib import Path

from api.site.play import blueprint
from service.boards import atlas
from service.replies.commands import guide, runner
from tests.api.test_secrets import Service
from tests.random_games import Table

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs" / "replies.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, str]:
    """The first two cells of each row of the table with this heading."""
    table = PAGE.partition(heading)[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[^|]*) \| ([^|]*) \|$", table, re.MULTILINE)
    return dict(cells)


def test_every_command_is_documented() -> None:
    """The table of lines has every command, and the list that `help` sends has each once."""
    lines = rows("| line | what it does |")
    verbs = {verb for name, variants, seats in atlas.tables()
             for verb in atlas.ruleset(name, variants, seats).verbs()}  # fmt: skip
    words = {words.split()[0] for line in lines for words in re.findall(r"`([^`]+)`", line)}
    commands = {word for word in words if word.islower()} - verbs - {"all"}

    assert {*runner.COMMANDS} == commands
    assert {*runner.COMMANDS} == {row.example.split()[0] for row in guide.COMMANDS}


def test_no_command_is_a_move() -> None:
    """No command hides a verb of the notation on any board; `tickets` is a known exception."""
    for name, variants, seats in atlas.tables():
        verbs = {*atlas.ruleset(name, variants, seats).verbs()}
        assert verbs.isdisjoint(runner.COMMANDS)
        assert verbs & {*runner.UNLISTED} == {"tickets"} & verbs


def test_every_form_of_the_page_has_a_command(tmp_path: Path) -> None:
    """Each form that the page of a game can send is in the table, with a command or a reason."""
    rules = Service(tmp_path, Table("usa", (), 2)).app.url_map.iter_rules()
    forms = {
        rule.rule
        for rule in rules
        if rule.endpoint.startswith(f"{blueprint.name}.") and "POST" in (rule.methods or ())
    }
    table = {path.strip("`"): command for path, command in rows("| form of the page").items()}

    assert forms == {*table}
    for command in (text for text in table.values() if not text.startswith("none: ")):
        named = [words.split()[0] for words in re.findall(r"`([^`]+)`", command)]
        assert all(word in runner.COMMANDS for word in named)
        assert named or command.startswith("a move")
