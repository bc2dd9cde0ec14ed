"""The examples of docs/orders.md can be ordered, and the refused ones are refused as it says."""

import re
from pathlib import Path

import pytest

from engine import Refusal
from engine.orders import read_orders
from service.boards import atlas

PAGE = (Path(__file__).parents[2] / "docs" / "orders.md").read_text(encoding="utf-8")
EUROPE = atlas.ruleset("europe", (), 3)
UK = atlas.ruleset("uk", ("advanced_technologies",), 3)
BLOCKS = [
    text
    for text in re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    if " / " not in text
]
ROWS = re.findall(r"^\| (`.+?`(?:, `.+?`)*) \|", PAGE, re.MULTILINE)
TEXTS = [text for row in ROWS for text in re.findall(r"`(.+?)`", row)]
REFUSED = re.findall(r"^\| `(unreadable|illegal|ambiguous)` \| `(.+?)`", PAGE, re.MULTILINE)
VERBS = ("draw", "take", "claim", "collect", "station", "buy", "tickets;", "ask")
MOVES = [text for text in TEXTS if text.split()[0] in VERBS]


@pytest.mark.parametrize("text", [*BLOCKS, *MOVES])
def test_examples_are_read(text: str) -> None:
    """What the page shows can be ordered in Europe or in the United Kingdom."""
    rules = UK if "buy" in text and "station" not in text else EUROPE
    assert read_orders(rules, text).steps


@pytest.mark.parametrize(
    "text", [text for text in TEXTS if text not in MOVES and text not in dict(REFUSED)]
)
def test_additions_are_read(text: str) -> None:
    """What may be added is read after a wish."""
    claim = "claim paris-zurich when I can"
    parts = f"{claim}, {text}" if not text.startswith(("for", "until")) else f"draw {text}"
    assert read_orders(EUROPE, parts).steps


@pytest.mark.parametrize(("code", "text"), REFUSED)
def test_refused_examples(code: str, text: str) -> None:
    """Each code has an example that is refused with it."""
    with pytest.raises(Refusal) as caught:
        read_orders(EUROPE, text)
    assert code == caught.value.code
