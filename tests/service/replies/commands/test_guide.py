"""The list of commands for people."""

import pytest

from service.replies.commands import guide, runner
from service.replies.commands.guide import GuideRow


def test_each_command_is_listed_once() -> None:
    """The guide has a row for each command, and no row for anything else."""
    listed = [runner.command_of(row.example) for row in guide.COMMANDS]

    assert set(runner.COMMANDS) == set(listed)
    assert len({row.example for row in guide.COMMANDS}) == len(guide.COMMANDS)


@pytest.mark.parametrize("row", guide.MOVES, ids=lambda row: row.example)
def test_moves_are_no_commands(row: GuideRow) -> None:
    """The examples of moves are read as moves."""
    assert runner.command_of(row.example) not in runner.COMMANDS
