"""Carries out a reply to an email about several games, where each line begins with a letter.

The email gives each game a letter. `A3` and `A draw` are moves in game A. A move without a letter
is refused, because nothing says which game is meant.
"""

from collections.abc import Sequence
from typing import Any

from engine.notation import names_an_entry
from engine.text import either, shown, together
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import sayable
from service.replies.arrival import Destination
from service.replies.commands import runner
from service.replies.commands.conversation import Conversation, Reply
from service.replies.commands.game_lines import GameLine, split_lines
from service.replies.commands.runner import LineResult, Outcome
from store.database import Transaction
from store.games import games
from store.notify.mailboxes import LetteredDecision, Mailbox

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of games. “I draw” is a sentence, so no game is called I."""
WITHOUT_GAME = ("help", "absence")
"""Commands that are about no game, and need no letter."""
WHICH_GAME = sayable(
    "This email is about several games: write {examples}, with the letter of the game that you "
    "mean."
)
NO_SUCH_GAME = sayable(
    "No game in this email has the letter {letter}, or its addresses were made void. Reply to a "
    "newer email."
)
AFTER_REFUSAL = sayable("Not carried out, because an earlier line for the same game was refused.")


def lettered(letter: str, text: str) -> str:
    """Return a command with the letter of its game: A3, A draw."""
    if not letter:
        return text
    return f"{letter}{text}" if names_an_entry(text) else f"{letter} {text}"


def needs_letter(line: GameLine) -> bool:
    """Return whether a line has no letter and is about a game."""
    return not line.letter and runner.command_of(line.text) not in WITHOUT_GAME


def carry_out(desk: Desk, reply: Reply, decisions: Sequence[LetteredDecision]) -> Outcome:
    """Carry out the lines of a reply, each in its game.

    After a refusal the other lines of the same game are left out, and all other lines if it is
    not known which game was meant. `reply.game` and `reply.decision_version` are not used.
    """
    if (stopped := runner.taken_back(reply.lines, has_letters=True)) is not None:
        return stopped
    by_letter = {
        decision.letter: Conversation(
            desk,
            reply._replace(game=decision.game, decision_version=decision.decision_version),
        )
        for decision in decisions
    }
    results: list[LineResult] = []
    refused: set[str] = set()
    lines = split_lines(reply.lines, has_letters=True)
    for letter, conversation in by_letter.items():
        conversation.lines = [line for line in lines if line.letter == letter]
        conversation.is_command = runner.is_command
    for line in lines:
        result = _carry_out_line(by_letter, line, refused)
        results.append(result._replace(letter=line.letter))
        if not result.ok:
            refused.add(line.letter)
            if line.letter not in by_letter:
                break
    shows = [f"{letter} {part}" for letter, game in by_letter.items() for part in game.shows]
    # A message takes all lines after it.
    next_line = max(len(results), *(game.next_line for game in by_letter.values()))
    return Outcome(results, tuple(shows), reply.lines[next_line:])


def _carry_out_line(
    by_letter: dict[str, Conversation], line: GameLine, refused: set[str]
) -> LineResult:
    if needs_letter(line):
        examples = [lettered(letter, shown(line.text)) for letter in list(by_letter)[:2]]
        return LineResult(line.text, say(WHICH_GAME, examples=either(examples)), ok=False)
    if not line.letter:
        return _without_game(next(iter(by_letter.values())), line)
    if line.letter in refused:
        return LineResult(line.text, say(AFTER_REFUSAL), ok=False)
    if line.letter not in by_letter:
        return LineResult(line.text, say(NO_SUCH_GAME, letter=line.letter), ok=False)
    return runner.run_line(by_letter[line.letter], line.number, line.text)


def _without_game(conversation: Conversation, line: GameLine) -> LineResult:
    """Carry out a command that is about no game; any conversation of the account will do."""
    result = runner.run_line(conversation, line.number, line.text)
    if runner.command_of(line.text) != "help":
        return result
    lettering = say("Begin each move with the letter of its game, such as “A3” or “B draw”.")
    return result._replace(result=together(result.result, lettering))


def looks_like_commands(
    tx: Transaction, decisions: Sequence[LetteredDecision], lines: Sequence[str]
) -> bool:
    """Return whether the first line looks like a command or a move in one of the games."""
    for line in split_lines(lines[:1], has_letters=True):
        named = [decision for decision in decisions if decision.letter == line.letter]
        for decision in (*named, *decisions):
            if table := games.table(tx, decision.game):
                return runner.looks_like_commands(table, [line.text])
    return False


def destination(tx: Transaction, box: Mailbox) -> Destination:
    """Return what an address for several games stands for; open if any decision is open."""
    tables = [(decision, games.table(tx, decision.game)) for decision in box.decisions]
    seats = [(decision, table.seat_of(box.account)) for decision, table in tables if table]
    if not any(seat for _, seat in seats):
        return Destination.NO_SEAT
    is_open = any(
        seat is not None and seat.decision_version == decision.decision_version
        for decision, seat in seats
    )
    return Destination.DECISION if is_open else Destination.NO_DECISION


def split_by_game(
    lines: Sequence[str], decisions: Sequence[LetteredDecision]
) -> dict[str, list[Any]]:
    """Return the lines of a reply by game, without its letter, and those that belong to no game.

    A command that is about no game goes with the first game, and a message with its `say`.
    """
    by_letter: dict[str, list[str]] = {decision.letter: [] for decision in decisions}
    first = next(iter(by_letter))
    unclear: list[str] = []
    for line in split_lines(lines, has_letters=True):
        letter = line.letter or ("" if needs_letter(line) else first)
        if letter in by_letter:
            by_letter[letter] += [line.text, *line.message]
        else:
            unclear += [lines[line.number], *line.message]
    games_with_lines = [
        {**decision._asdict(), "lines": by_letter[decision.letter]}
        for decision in decisions
        if by_letter[decision.letter]
    ]
    return {"games": games_with_lines, "unclear": unclear}
