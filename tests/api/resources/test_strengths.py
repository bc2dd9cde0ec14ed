"""House bots are registered once: whoever adds a strength there finds it everywhere."""

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
    """What a service with a fourth strength says."""
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
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_table_is_opened_with_a_new_strength(answers: dict[str, Any]) -> None:
    """The API takes it, and whoever reads the table is told its name."""
    assert 201 == answers["opened"]
    assert [["House (brutal) 1", NAME], ["House (brutal) 2", NAME]] == sorted(
        one for one in answers["players"] if one[1]
    )


def test_a_new_strength_plays(answers: dict[str, Any]) -> None:
    """What the house decides at its seats is asked of the new bot."""
    assert answers["asked"] >= 3


def test_the_form_offers_a_new_strength(answers: dict[str, Any]) -> None:
    """It stands beside the others under its own name, and the table has it."""
    offered = re.findall(OFFERED, answers["form"])

    assert [(name, name) for name in (*HOUSE, NAME)] == offered
    assert "House (brutal)" in answers["page"]


def test_the_document_lists_a_new_strength(answers: dict[str, Any]) -> None:
    """OpenAPI names it among the house bots, with the same bounds as the others."""
    assert [*HOUSE, NAME] == list(answers["schema"])
    assert answers["schema"]["easy"] == answers["schema"][NAME]


def test_translators_get_the_name_of_a_new_strength(answers: dict[str, Any]) -> None:
    """It is collected with the other texts for people."""
    assert answers["catalogued"]


def test_a_new_strength_is_measured(answers: dict[str, Any]) -> None:
    """The bench has a bar for it, as for one that thinks long."""
    assert 500.0 == answers["measured"]
