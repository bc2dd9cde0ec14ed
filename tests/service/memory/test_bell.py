import threading
import time
from contextlib import ExitStack

import pytest

from engine import Refusal
from service.memory import bell
from service.memory.bell import Bell


def test_whoever_waits_is_woken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the next look at the database, which may be far."""
    monkeypatch.setattr(bell, "LOOK_EVERY", 60)
    ringing, news, waiting = Bell(4), list[str](), threading.Event()

    def look() -> list[str]:
        waiting.set()
        return list(news)

    def tell() -> None:
        waiting.wait()
        news.append("a move")
        ringing.ring("another game", "the game")

    teller = threading.Thread(target=tell)
    teller.start()
    began = time.monotonic()

    assert ["a move"] == ringing.wait("the game", look, 60)
    assert time.monotonic() - began < 30
    teller.join()


def test_what_another_process_did_is_seen_soon() -> None:
    """Nobody rings, and still it is found within a second or so."""
    answers = iter([[], [], ["a move"]])

    assert ["a move"] == Bell(4).wait("the game", lambda: next(answers), 60)


def test_a_wait_ends_with_its_time() -> None:
    """What is found in the end is the answer, though it is nothing."""
    assert [] == Bell(4).wait("the game", list, 0.01)


def test_a_ring_between_look_and_wait_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens while somebody looks makes them look again."""
    monkeypatch.setattr(bell, "LOOK_EVERY", 60)
    ringing = Bell(4)
    looks: list[int] = []

    def look() -> bool:
        looks.append(1)
        ringing.ring("the game")
        return len(looks) == 3

    began = time.monotonic()

    assert ringing.wait("the game", look, 60)
    assert time.monotonic() - began < 30


def test_places_are_bounded_and_given_back() -> None:
    """So many in all, so many for one; whoever leaves makes room."""
    ringing = Bell(bell.EACH + 1)
    places = [ringing.place("ada", "ada's") for _ in range(bell.EACH)]
    for place in places:
        place.__enter__()
    with pytest.raises(Refusal) as refusal, ringing.place("ada", "ada's"):
        pass
    assert "rate_limited" == refusal.value.code
    with ringing.place("ben", "ben's"), pytest.raises(Refusal), ringing.place("cem", "cem's"):
        pass
    places[0].__exit__(None, None, None)

    with ringing.place("ada", "ada's"):
        pass


def test_one_address_leaves_room_for_others() -> None:
    """However many accounts it has: half of the places are not for them."""
    ringing = Bell(4 * bell.EACH)
    with ExitStack() as stack:
        for number in range(2 * bell.EACH):
            stack.enter_context(ringing.place(f"account {number}", "one address"))
        with pytest.raises(Refusal), ringing.place("one more", "one address"):
            pass
        with ringing.place("one more", "another address"):
            pass

    with ringing.place("one more", "one address"):
        pass


def test_a_bell_that_nobody_hears_remembers_nothing() -> None:
    """Names are forgotten when nobody waits for them any more."""
    ringing = Bell(4)
    ringing.ring(*map(str, range(100)))
    ringing.wait("the game", list, 0)

    assert not ringing._rung
    assert not ringing._waiting
