"""House bots are registered in one place: a strength added there appears everywhere."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.player import HOUSE
from tests.api.fourth_strength import NAME

ROOT = Path(__file__).parents[3]
OFFERED = r'<label class="short"><span>(\w+)</span>\s*<select name="(\w+)"'


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The responses of a service with a fourth strength."""
    folder = tmp_path_factory.mktemp("strengths")
    done = subprocess.run(
        [sys.executable, "-m", "tests.api.fourth_strength", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert 0 == done.returncode, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_a_table_is_opened_with_a_new_strength(answers: dict[str, Any]) -> None:
    """The API accepts the new strength, and the table shows its name."""
    assert 201 == answers["opened"]
    assert [["House (brutal) 1", NAME], ["House (brutal) 2", NAME]] == sorted(
        player for player in answers["players"] if player[1]
    )


def test_a_new_strength_plays(answers: dict[str, Any]) -> None:
    """The new bot is asked for the decisions of its seats."""
    assert answers["asked"] >= 3


def test_the_form_offers_a_new_strength(answers: dict[str, Any]) -> None:
    """The form offers the new strength by its name, and opens a table with it."""
    offered = re.findall(OFFERED, answers["form"])

    assert [(name, name) for name in (*HOUSE, NAME)] == offered
    assert "House (brutal)" in answers["page"]


def test_the_document_lists_a_new_strength(answers: dict[str, Any]) -> None:
    """The OpenAPI document lists the new strength with the same bounds as the others."""
    assert [*HOUSE, NAME] == list(answers["schema"])
    assert answers["schema"]["easy"] == answers["schema"][NAME]


def test_translators_get_the_name_of_a_new_strength(answers: dict[str, Any]) -> None:
    """The name of the new strength is in the catalogue of texts to translate."""
    assert answers["catalogued"]


def test_a_new_strength_is_measured(answers: dict[str, Any]) -> None:
    """The benchmark has a limit for the new strength, that of a bot that thinks long."""
    assert 500.0 == answers["measured"]
