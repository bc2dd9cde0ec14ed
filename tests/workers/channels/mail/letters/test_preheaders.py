"""What lists of letters and locked screens show is nothing that only the reader may know."""

import random
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine import replay
from engine.display import goals
from service.views import story
from service.views.retelling import open_to_all
from tests.amounts import amount
from tests.api.test_secrets import TABLES
from tests.random_games import Table, played
from tests.workers.channels.mail.letters.html_words import words_of
from tests.workers.channels.mail.letters.positions import Letters
from tests.workers.correspondence import part
from tests.worlds import another_world
from workers.channels.mail.letters import phrases, render

POSITIONS = amount(10, soak=100)
READ = {"lines": [{"text": "draw", "result": "Ada draws a secret card.", "ok": True}]}
KINDS = [("decision_opened", None), ("decision_reminder", None), ("letter_answered", READ)]
USA = Table("usa", (), 3)


def shown_in_lists(
    letters: Letters, positions: int
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], list[str]]]:
    """Subjects and preheaders in two worlds that look alike to spectators, and the own tickets.

    The first position is that of the first choice of tickets.
    """
    table = letters.table
    rules, game = table.rules, played(table, 0)
    rng = random.Random(f"{table} in lists")
    for at in [0, *rng.sample(range(1, len(game.steps)), positions)]:
        log, seat = list(game.game.moves[: at + 1]), game.steps[at].seat
        events = [event for move in log for event in move.events]
        left = iter(another_world(rules, events, None, rng))
        other = [move._replace(events=tuple(next(left) for _ in move.events)) for move in log]
        own = [goal.name for goal in goals(rules, replay(rules, events), seat)]
        for kind, data in KINDS:
            here, there = (letters.about(moves, seat, kind, data) for moves in (log, other))
            yield listed(here), listed(there), own


def listed(message: EmailMessage) -> tuple[str, ...]:
    """The subject and the preheader of a letter."""
    preheader = words_of(part(message, "html")).preheader.rstrip(render.FILLER)
    return str(message["Subject"]), preheader


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_lists_show_nothing_that_is_hidden(table: Table, tmp_path: Path) -> None:
    """Subject and preheader are the same whatever is hidden, and name no ticket of the reader."""
    for here, there, own in shown_in_lists(Letters(tmp_path, table), POSITIONS):
        assert here == there
        assert all(here)
        assert not [name for name in own if name in " ".join(here)]
        assert "secret" not in " ".join(here)


def test_a_headline_that_is_not_redacted_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: news that are told with everything open make the worlds differ."""
    monkeypatch.setattr(story, "as_seen_by", lambda _: open_to_all)
    assert any(here != there for here, there, _ in shown_in_lists(Letters(tmp_path, USA), 60))


def test_a_whole_question_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the whole question names tickets that are offered."""
    monkeypatch.setattr(phrases, "brief", lambda prompt: prompt)
    assert any(here != there for here, there, _ in shown_in_lists(Letters(tmp_path, USA), 1))
