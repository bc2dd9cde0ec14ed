"""What the commands of one reply share."""

import pytest

from service.desk import Desk
from service.replies.commands.conversation import Conversation, Line, Reply


def test_each_part_is_shown_once(desk: Desk) -> None:
    """The answer shows parts in the order in which they were first asked for."""
    conversation = Conversation(desk, Reply("account", "game", None, [], "key"))
    for part in ("hand", "board", "hand"):
        conversation.show(part)

    assert ["hand", "board"] == conversation.shows


def test_a_message_keeps_its_courtesies(desk: Desk) -> None:
    """The lines after `say` are those of the message, which has greetings and thanks."""
    lines, message = ["draw", "say", "How are you?"], ["draw", "say", "Hi Ben,", "How are you?"]
    conversation = Conversation(desk, Reply("account", "game", None, lines, "key", message=message))

    assert ["Hi Ben,", "How are you?"] == conversation.lines_after(Line(1, "say", "say"))
    assert len(lines) == conversation.next_line


@pytest.mark.parametrize(
    ("words", "command", "arguments"),
    [("resign yes", "resign", "yes"), ("absence: 3 jul", "absence", "3 jul"), ("", "", "")],
)
def test_a_line_has_a_command_and_arguments(words: str, command: str, arguments: str) -> None:
    """The first word is the command, without a colon, and the rest are its arguments."""
    line = Line(0, words, words)

    assert (command, arguments) == (line.command, line.arguments)


@pytest.mark.parametrize("version", [None, 0, 7])
def test_only_a_letter_about_a_decision_lists_moves(version: int | None) -> None:
    """Also the first decision, at version 0, was in a letter with numbered moves."""
    reply = Reply("account", "game", version, [], "key")

    assert (version is not None) == reply.lists_moves
