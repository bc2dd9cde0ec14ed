import re
from pathlib import Path
from typing import Any

import pytest

from engine import Ruleset, State
from engine.errors import RulesBroken
from service.boards import atlas
from service.games.bots.selfplay import Series
from tests.cli.running import run


def test_same_seed_gives_the_same_output(tmp_path: Path) -> None:
    """The same seed gives the same output and logs; another seed gives others."""
    first = run("selfplay", "--seed", "s", "--games", "3", "--save", str(tmp_path / "a" / "deep"))
    again = run("selfplay", "--seed", "s", "--games", "3", "--save", str(tmp_path / "b"))
    other = run("selfplay", "--seed", "t", "--games", "3", "--save", str(tmp_path / "c"))

    assert (0, first.stdout) == (again.exit_code, again.stdout)
    assert other.stdout != first.stdout
    logs = [sorted((tmp_path / name).rglob("*.jsonl")) for name in "abc"]
    assert [3, 3, 3] == [len(some) for some in logs]
    assert [log.read_bytes() for log in logs[0]] == [log.read_bytes() for log in logs[1]]
    assert [log.name for log in logs[0]] != [log.name for log in logs[2]]
    assert 0 == run("verify", str(logs[0][2])).exit_code


def test_made_up_seed_is_printed() -> None:
    """A run without --seed prints a seed with which it can be repeated."""
    first = run("selfplay", "--seats", "2")
    seed = re.search(r"seed ([0-9a-f]{16})$", first.stdout.splitlines()[0])
    assert seed is not None

    assert first.stdout == run("selfplay", "--seats", "2", "--seed", seed[1]).stdout


def test_one_game_out_of_many_can_be_repeated(tmp_path: Path) -> None:
    """Game three of a run is the same when it is played alone."""
    run("selfplay", "--seed", "s", "--games", "3", "--save", str(tmp_path / "a"))
    run("selfplay", "--seed", "s", "--first", "3", "--tell", "--save", str(tmp_path / "b"))
    alone = next((tmp_path / "b").iterdir())

    assert (tmp_path / "a" / alone.name).read_bytes() == alone.read_bytes()


def test_seed_may_be_any_text(tmp_path: Path) -> None:
    """A seed with slashes, spaces and accents still gives a plain file name."""
    result = run("selfplay", "--seed", "../é x\n", "--save", str(tmp_path))

    assert 0 == result.exit_code
    assert re.fullmatch(r"usa-[0-9a-f]{8}-0001\.jsonl", next(tmp_path.iterdir()).name)


def test_summary_says_it_all() -> None:
    """The summary has games, lengths, endings, scores and victories; stderr has the speed."""
    result = run(
        "selfplay", "--seed", "s", "--games", "4", "--seats", "2", "--variant", "new_edition"
    )

    for text in (
        r"^USA · New edition · 2 seats  seed s$",
        r"^4 games, \d+ moves$",
        r"^Length: \d+\.\d moves on average, \d+ to \d+$",
        r"^Endings: last round 4 \(100\.0%\)$",
        r"^Scores: \S+ to \S+, median \S+, half of them \S+ to \S+, mean \S+$",
        r"^ +\S+ to \S+ +\d+  █",
        r"^Victories +alone +shared +percent",
        r"^Ada +\d +\d +\d+\.\d% ",
        r"^Ben +\d +\d +\d+\.\d% ",
    ):
        assert re.search(text, result.stdout, re.MULTILINE), text
    assert "a second" not in result.stdout
    assert re.fullmatch(
        r"[\d.]+ seconds: [\d\xa0]+ moves and [\d.]+ games per second\n", result.stderr
    )


def test_telling_reads_from_first_move_to_winner() -> None:
    """--tell numbers the moves without a gap, and ends with the scores in detail."""
    output = run("selfplay", "--seed", "s", "--tell").stdout
    numbers = [int(number) for number in re.findall(r"^ {1,4}(\d+)  [A-Z]", output, re.MULTILINE)]

    assert list(range(1, len(numbers) + 1)) == numbers
    for text in (
        r"^ +Ada +Ben +Cem$",
        r"^Routes +\d+ +\d+ +\d+$",
        r"^Tickets failed +",
        r"^Longest trail +",
        r"^Total +",
        r"^Completed +\d+ of \d+ ",
        r"^Trail length +\d+ ",
        r"^Rank +[123] +[123] +[123]$",
        r"^  failed +[A-Z]",
        r"^(Ada|Ben|Cem).* with −?\d+ points?\.$",
    ):
        assert re.search(text, output, re.MULTILINE), text
    assert 100 >= max(map(len, output.splitlines()))


@pytest.mark.parametrize("words", [(), ("--tell",)])
def test_check_finds_nothing_wrong(words: tuple[str, ...]) -> None:
    """With --check, a clean run ends with “no violations”, with and without --tell."""
    result = run("selfplay", "--seed", "s", "--seats", "2", "--check", *words)

    assert (0, "no violations") == (result.exit_code, result.stdout.splitlines()[-1])


def _lose_a_card(_: Ruleset, state: State) -> None:
    if sum(state.parts["routes"].points) > 9:
        raise RulesBroken("a card is lost")


def test_violation_is_reported_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A violated invariant ends the run with the game's seed and the command to repeat it."""
    rules = atlas.ruleset("usa", (), 2)
    real = Ruleset.all

    def broken(self: Ruleset, joint: str) -> tuple[Any, ...]:
        return (_lose_a_card,) if joint == "accounts" else real(self, joint)

    monkeypatch.setattr(Ruleset, "all", broken)
    words = ("selfplay", "--seed", "a b", "--seats", "2", "--games", "3")
    result = run(*words, "--check")

    assert 1 == result.exit_code
    assert 1 == result.stderr.count("\n")
    assert f"seed {Series(rules, 'a b').seed(1).hex()}, move " in result.stderr
    assert "RulesBroken: a card is lost" in result.stderr
    assert (
        "nightmail selfplay --board usa --seats 2 --seed 'a b' --first 1 --check" in result.stderr
    )
    assert 0 == run(*words).exit_code
