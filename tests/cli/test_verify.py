import random
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Record, finished, line_with, records, rehashed, run, written

LAST = len(finished())
CLAIM = line_with("route_claimed")


def _edit(line: int, **values: Any) -> list[Record]:
    made = records()
    made[line - 1] |= values
    return made


def _event(line: int, **values: Any) -> list[Record]:
    made = records()
    made[line - 1]["events"][0] |= values
    return made


def _texts(line: int, text: str) -> list[str]:
    made = list(finished())
    made[line - 1] = text
    return made


def _with(line: int, extra: str) -> list[str]:
    """The log with one more JSON member in a line, written by hand."""
    return _texts(line, finished()[line - 1][:-1] + f",{extra}}}")


def test_whole_log_holds(tmp_path: Path) -> None:
    """A finished log is valid, and the report says what was checked."""
    file = tmp_path / "game.jsonl"
    file.write_bytes(written(list(finished())))

    result = run("verify", str(file))

    assert (0, "") == (result.exit_code, result.stderr)
    assert f"{file}: the log is valid" == result.stdout.splitlines()[0]
    assert f"the set-up and {LAST - 3} moves decided again" in result.stdout
    assert f"head         {records()[-1]['hash']}" in result.stdout
    assert "matches the commitment" in result.stdout
    assert "Seat " in result.stdout.splitlines()[-1]


def _abandoned(moves: int, **last: Any) -> list[Record]:
    """A log that ends after this number of moves, with these values in its last line."""
    made = records()
    return rehashed([*made[: moves + 2], made[-1] | last])


def test_an_abandoned_game_holds() -> None:
    """A log that is marked as abandoned is valid, and the report says that it was abandoned."""
    result = run("verify", "-", given=written(_abandoned(40, abandoned=True)))

    assert (0, "") == (result.exit_code, result.stderr)
    assert "the set-up and 40 moves decided again" in result.stdout
    assert "abandoned" in result.stdout.splitlines()[-1]


def test_a_log_does_not_claim_to_be_abandoned_when_it_is_not() -> None:
    """A finished log marked as abandoned, or an early end without the mark, is invalid."""
    for moves, last, reason in (
        (LAST - 3, {"abandoned": True}, "marked as abandoned, but it was played to its end"),
        (40, {}, "the game is not over"),
        (40, {"abandoned": False}, "the game is not over"),
        (40, {"abandoned": 1}, "“abandoned” has the wrong type"),
    ):
        result = run("verify", "-", given=written(_abandoned(moves, **last)))
        assert 1 == result.exit_code
        assert reason in result.stderr


def test_an_abandoned_game_is_checked_like_any_other() -> None:
    """A forged event or another seed makes an abandoned log invalid."""
    forged = _abandoned(CLAIM, abandoned=True)
    forged[CLAIM - 1]["events"][0]["seat"] = 9
    other = _abandoned(40, abandoned=True, seed="00" * 32)

    for bad in (rehashed(forged), other):
        assert 1 == run("verify", "-", given=written(bad)).exit_code


def test_standard_input_is_read() -> None:
    """A dash reads standard input, and CRLF line ends are accepted."""
    result = run("verify", "-", given=written(list(finished())).replace(b"\n", b"\r\n"))

    assert 0 == result.exit_code


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (1, "the opening"),
        (2, "the set-up"),
        (40, "after move 38"),
        (LAST, "the end, with the seed"),
    ],
)
def test_head_is_found(line: int, place: str) -> None:
    """A head hash from a mail is found at its move, in full or by its first digits."""
    head = records()[line - 1]["hash"]

    for given in (head, head[:16].upper()):
        result = run("verify", "-", "--head", given, given=written(list(finished())))
        assert 0 == result.exit_code
        assert f"found in line {line}: " in result.stdout.splitlines()[-1]
        assert place in result.stdout.splitlines()[-1]


def test_other_head_is_not_found() -> None:
    """A head hash that no line has gives one line on standard error, and status 1."""
    result = run("verify", "-", "--head", "0" * 64, given=written(list(finished())))

    assert (1, "") == (result.exit_code, result.stdout)
    assert f"<stdin>: no line of this log has the head hash {'0' * 64}\n" == result.stderr


@pytest.mark.parametrize("head", ["", "abc", "g" * 64, "0" * 65])
def test_head_must_be_a_hash(head: str) -> None:
    """A --head that is no hash gives status 2."""
    result = run("verify", "-", "--head", head, given=b"")

    assert 2 == result.exit_code
    assert "--head" in result.stderr


SWAPPED = [*finished()[:19], finished()[20], finished()[19], *finished()[21:]]
DEEP = "[" * 100_000 + "]" * 100_000

TWICE = records()[CLAIM - 1]["events"] * 2
DICE = {"type": "dice_claim", "route": "seattle-vancouver-1", "dice": [1], "tokens": 0}

TAMPERED: dict[str, tuple[int, str, list[Record] | list[str]]] = {
    "event changed": (CLAIM, "hash chain", _event(CLAIM, points=99)),
    "event changed, hashes too": (
        CLAIM,
        "99} where the rules give",
        rehashed(_event(CLAIM, points=99)),
    ),
    "event added": (
        CLAIM,
        "has 4 events where the rules give 2",
        rehashed(_edit(CLAIM, events=TWICE)),
    ),
    "action changed": (5, "hash chain", _edit(5, action={"type": "pass"})),
    "action changed, hashes too": (5, "refuse", rehashed(_edit(5, action={"type": "pass"}))),
    "foreign action": (5, "", rehashed(_edit(5, action=DICE))),
    "seat changed": (5, "", rehashed(_edit(5, seat=-1))),
    "nonce changed": (2, "hash chain", _edit(2, nonces=["a", "b", "c"])),
    "nonce missing": (2, "nonces", _edit(2, nonces=["a", "b"])),
    "hash changed": (9, "hash chain", _edit(9, hash="0" * 64)),
    "line dropped": (
        20,
        "this is move 19, but move 18 comes next",
        [*finished()[:19], *finished()[20:]],
    ),
    "line repeated": (
        21,
        "this is move 18, but move 19 comes next",
        [*finished()[:20], *finished()[19:]],
    ),
    "lines swapped": (20, "this is move 19, but move 18 comes next", SWAPPED),
    "seed replaced": (LAST, "match the commitment", _edit(LAST, seed="00" * 32)),
    "seed no hexadecimal": (LAST, "hexadecimal", _edit(LAST, seed="secret")),
    "seed twice": (LAST, "“move” is missing", [*finished(), finished()[-1]]),
    "commitment replaced": (1, "hash", _edit(1, commitment="00" * 32)),
    "commitment replaced, hashes too": (
        LAST,
        "match the commitment",
        rehashed(_edit(1, commitment="0" * 64)),
    ),
    "end cut off": (LAST - 1, "not over", list(finished()[:-1])),
    "end cut off, seed kept": (LAST - 1, "not over", rehashed([*records()[:-2], records()[-1]])),
    "cut within a line": (30, "not JSON", [*finished()[:29], finished()[29][:50]]),
    "not JSON": (5, "not JSON", _texts(5, "no, this is not JSON")),
    "blank line": (5, "not JSON", _texts(5, "")),
    "no object": (5, "object", _texts(5, "[1, 2]")),
    "key twice": (7, "twice", _with(7, '"seat":1')),
    "NaN": (7, "NaN", _with(7, '"at":NaN')),
    "deep nesting": (7, "nested", _with(7, f'"at":{DEEP}')),
    "half a character": (7, "unpaired surrogate", _with(7, '"at":"\\ud800"')),
    "endless number": (7, "", _with(7, f'"at":{"9" * 5000}')),
    "huge slot": (8, "", rehashed(_edit(8, action={"type": "draw_face_up", "slot": 10**4000}))),
    "seat as text": (7, "“seat” has the wrong type", _edit(7, seat="1")),
    "events no list": (7, "“events” has the wrong type", _edit(7, events={})),
    "event no object": (7, "must be an object", _edit(7, events=["x"])),
    "number as truth": (3, "“move” has the wrong type", _edit(3, move=True)),
    "hash as number": (7, "“hash” has the wrong type", _edit(7, hash=5)),
    "unknown key": (7, "“colour” is not a known field", _edit(7, colour="red")),
    "unknown event": (7, "There is no event “x”", _event(7, type="x")),
    "other format": (1, "format 2", _edit(1, format=2)),
    "unknown board": (1, "no board “atlantis”", _edit(1, board="atlantis")),
    "board with a path": (1, "no board", _edit(1, board="../maps/usa")),
    "unknown variant": (1, "no variant “x”", _edit(1, variants=["x"])),
    "too many seats": (1, "2 to 5 seats", _edit(1, seats=9)[:1] + _edit(2, nonces=["a"] * 9)[1:]),
    "huge number of seats": (1, "is for 2 to 5 seats", _edit(1, seats=10**4000)),
    "type no text": (7, "", _event(7, type=[])),
    "empty": (1, "empty", []),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_found_at_its_line(name: str) -> None:
    """A tampered log gives one line on standard error with the place, and status 1."""
    line, reason, lines = TAMPERED[name]

    result = run("verify", "-", given=written(lines))

    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith(f"<stdin>: line {line}: "), result.stderr
    assert reason in result.stderr
    assert 1 == result.stderr.count("\n")
    assert len(result.stderr) < 600


def test_bytes_that_are_no_text_are_found() -> None:
    """A line that is not UTF-8 is named."""
    lines = written(list(finished())).split(b"\n")
    lines[6] = lines[6].replace(b"move", b"\xff\xfe")

    assert "<stdin>: line 7: is not UTF-8\n" == run("verify", "-", given=b"\n".join(lines)).stderr


def test_changed_map_is_explained() -> None:
    """A log with another digest of its map is reported as one whose map has changed."""
    made = records()
    made[1]["events"][0]["digest"] = "feedfeedfeedfeed"

    result = run("verify", "-", given=written(rehashed(made)))

    assert 1 == result.exit_code
    assert "line 2: the map has changed" in result.stderr


def test_terminal_is_not_at_a_strangers_mercy() -> None:
    """Control characters in a log are not printed."""
    result = run("verify", "-", given=written(_edit(1, board="\x1b[2J\x1b[31musa\n")))

    assert 1 == result.exit_code
    assert "\x1b" not in result.stderr
    assert 1 == result.stderr.count("\n")


def test_missing_file_is_bad_input(tmp_path: Path) -> None:
    """A missing file or a folder gives one line on standard error, and status 2."""
    for name in ("nothing.jsonl", ""):
        result = run("verify", str(tmp_path / name))
        assert 2 == result.exit_code
        assert 1 == result.stderr.count("\n")


def _spoilt(value: Any, chance: random.Random) -> Any:
    """The same JSON with one value in it replaced at random."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        return {**value, key: _spoilt(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], _spoilt(value[at], chance), *value[at + 1 :]]
    odd = [None, True, -1, 7, 10**30, 1.5, "", "x", "usa", "locomotive", "?", [], {}, ["?"], value]
    return chance.choice(odd)


@pytest.mark.parametrize("start", range(0, 80, 20))
@pytest.mark.parametrize("command", ["verify", "show"])
def test_no_forgery_crashes(command: str, start: int) -> None:
    """Random changes to a log, with matching hashes, do not crash a command."""
    for number in range(start, start + 20):
        chance = random.Random(number)
        made = records()
        at = chance.randrange(1, LAST - 1) if number % 4 else chance.choice([1, LAST - 2])
        made[at] = {**made[at], "events": _spoilt(made[at]["events"], chance)}
        if number % 3 == 0 and at > 1:
            made[at]["action"] = _spoilt(made[at]["action"], chance)

        result = run(command, "-", given=written(rehashed(made)))

        assert result.exit_code in (0, 1)
        if result.exit_code:
            assert f"line {at + 1}: " in result.stderr or command == "show"
