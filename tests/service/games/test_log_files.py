"""Reading and verifying logs in files."""

import json

import pytest

from engine import LogError
from service.desk import Desk
from service.games import lobby, log_files, reading
from tests.service.games.test_lobby import finish
from tests.service.support.tables import play, table


@pytest.fixture
def finished(desk: Desk) -> list[str]:
    """The lines of a finished game."""
    game, players = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, players[0])
    return reading.log(desk, game, None)


def _file(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def test_a_finished_game_holds(finished: list[str]) -> None:
    """The log of a finished game verifies, with the result and head of its last lines."""
    verified = log_files.checked(_file(finished))

    assert verified.ended == log_files.ending(verified.log)
    assert verified.head == json.loads(finished[-1])["hash"]
    assert not verified.state.awaiting


def test_an_abandoned_game_has_no_result(desk: Desk) -> None:
    """The log of an abandoned game verifies, and has no result."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    for account in (ada, ben):
        lobby.leave(desk, account, game)
    verified = log_files.checked(_file(reading.log(desk, game, None)))

    assert verified.ended is None
    assert 1 == verified.log.moves[-1].number


def _line(lines: list[str]) -> int:
    """The number of the first wrong line."""
    with pytest.raises(LogError) as error:
        log_files.checked(_file(lines))
    return error.value.line


def test_the_first_wrong_line_is_reported(finished: list[str]) -> None:
    """The first wrong line is reported, even if a later one cannot be parsed."""
    forged = json.loads(finished[3])
    forged["at"] = "2000-01-01T00:00:00.000Z"
    lines = [*finished[:3], json.dumps(forged), *finished[4:]]

    assert 4 == _line(lines)
    assert 4 == _line([*lines[:6], "nonsense", *lines[7:]])
    assert 7 == _line([*finished[:6], "nonsense", *finished[7:]])


def test_bytes_that_are_no_text_name_their_line(finished: list[str]) -> None:
    """Bytes that are not UTF-8 are reported with their line, and an empty file is an error."""
    with pytest.raises(LogError, match="line 3: is not UTF-8"):
        log_files.log_of(b"\n".join([*(line.encode() for line in finished[:2]), b"\xff"]))
    with pytest.raises(LogError):
        log_files.log_of(b"\n")


def test_a_line_is_found_by_the_beginning_of_its_hash(finished: list[str]) -> None:
    """A line is found by its hash, in lower or upper case; without one the answer is None."""
    log = log_files.log_of(_file(finished))
    head = json.loads(finished[4])["hash"]

    assert 5 == log_files.line_of_head(log, head[:12])
    assert 5 == log_files.line_of_head(log, head.upper())
    assert log_files.line_of_head(log, "f" * 64) is None
