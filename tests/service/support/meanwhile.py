"""Something that happens between a decision and its commit."""

from collections.abc import Callable
from typing import Any

import pytest

from service.games import moves
from service.games.decided_moves import DecidedMove, decide_move


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let this happen once, after the next move was decided and before it is stored."""

    def slowly(*args: Any) -> DecidedMove:
        monkeypatch.undo()
        decided = decide_move(*args)
        act()
        return decided

    monkeypatch.setattr(moves, "decide_move", slowly)
