"""Letters are composed in another process when there are many, whatever happens to it."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from service.desk import Desk
from service.notify.outbox import Delivery
from tests.support.waiting import until
from tests.workers.correspondence import Room, composed, delivery, room
from workers.channels.mail import scribe
from workers.channels.mail.letters.compose import Composed
from workers.channels.mail.scribe import Scribe


class Own:
    """What the scribe would compose itself, and does not."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def composed(self, letter: Sequence[Delivery]) -> Composed | None:
        """Say so."""
        self.asked.append(letter[0].id)
        return None


def begin_until_helped(made: Scribe, here: Room) -> None:
    """Until the other process has composed something."""
    started = here.about("game_started")
    until(lambda: made.begin([started]).result() is not None, "somebody to help")


@contextmanager
def helped(here: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Scribe, Own, int]]:
    """A scribe with another process that is ready, what it composes itself, and who helps."""
    monkeypatch.setattr(scribe, "MANY", 1)
    monkeypatch.setattr(scribe, "PAUSE", 0.0)
    made, own = Scribe(here.desk, pictures=False), Own()
    made._composer = own  # type: ignore[assignment]
    try:
        begin_until_helped(made, here)
        assert made._mate is not None
        own.asked.clear()
        yield made, own, made._mate._process.pid
    finally:
        made.close()


def test_a_few_letters_are_composed_here(desk: Desk) -> None:
    """Another process would take longer to start than they take."""
    here = room(desk)
    made = Scribe(desk, pictures=False)
    letters = [made.begin([here.about("decision_opened")]) for _ in range(scribe.MANY - 1)]
    assert all(letter.result() for letter in letters)
    assert made._mate is None
    made.close()


def test_many_letters_are_composed_elsewhere(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the same, and stay in order; what is out of date is none there, too."""
    here = room(each_desk, board="europe")
    told, late = here.about("decision_opened"), here.about("decision_opened", version=99)
    with helped(here, monkeypatch) as (made, own, _):
        first, second, third = (made.begin([one]) for one in (told, late, told))
        mine = composed(each_desk, told)
        assert mine is not None
        for page in (first.result(), third.result()):
            assert page is not None
            assert (mine.sender, mine.recipient) == (page.sender, page.recipient)
            assert len(mine.message) == len(page.message)
        assert second.result() is None
    assert [] == own.asked


def test_a_letter_that_nobody_waits_for_any_more_takes_no_other_one_s_place(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes after it gets their own."""
    here = room(desk)
    one, two = here.about("decision_opened"), here.about("game_started")
    with helped(here, monkeypatch) as (made, _, pid):
        os.kill(pid, signal.SIGSTOP)
        pages = [made.begin([letter]) for letter in (one, one, two)]
        assert pages[1].cancel()
        os.kill(pid, signal.SIGCONT)
        last = pages[2].result()
        assert last is not None
        assert f"<{two.id}@".encode() in last.message


def test_who_is_killed_loses_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had taken on is composed here, and the next who helps is another."""
    here = room(desk)
    about = here.about("decision_opened")
    with helped(here, monkeypatch) as (made, own, pid):
        os.kill(pid, signal.SIGSTOP)
        pages = [made.begin([about]) for _ in range(3)]
        os.kill(pid, signal.SIGKILL)
        assert [None] * 3 == [page.result() for page in pages]
        assert [about.id] * 3 == own.asked
        begin_until_helped(made, here)
        assert made._mate is not None
        assert made._mate._process.pid != pid


def test_who_hangs_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before somebody else would send the letter once more."""
    monkeypatch.setattr(scribe, "PATIENCE", 0.2)
    here = room(desk)
    about = here.about("decision_opened")
    with helped(here, monkeypatch) as (made, own, pid):
        os.kill(pid, signal.SIGSTOP)
        assert made.begin([about]).result() is None
        assert [about.id] == own.asked


def test_what_cannot_be_composed_there_is_tried_here(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the fault is told where all are told; and the other goes on."""
    here = room(desk)
    strange, about = delivery(here.players[0], "no such kind"), here.about("decision_opened")
    with helped(here, monkeypatch) as (made, own, _):
        made.begin([strange]).result()
        assert [strange.id] == own.asked
        assert made.begin([about]).result() is not None


def test_who_is_not_needed_any_more_goes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the process that it helps has died without a word: its line is closed then."""
    with helped(room(desk), monkeypatch) as (made, _, _):
        assert made._mate is not None
        made._mate._line.close()
        assert made._mate._process.wait(timeout=20) == 0


def test_a_process_that_cannot_live_is_not_begun_again_and_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters are composed here then, and no letter costs another attempt."""
    about = room(desk).about("decision_opened")
    monkeypatch.setattr(scribe, "MANY", 1)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    made = Scribe(desk, pictures=False)
    first = made.begin([about])
    mate = made._mate
    assert mate is not None
    mate._process.wait()
    pages = [made.begin([about]) for _ in range(5)]
    assert all(page.result() for page in (first, *pages))
    assert mate.is_gone
    assert made._mate is None
    made.close()


def test_without_room_for_a_process_letters_are_composed_here(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No letter waits because the machine is full."""
    about = room(desk).about("decision_opened")
    monkeypatch.setattr(scribe, "MANY", 1)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    made = Scribe(desk, pictures=False)
    assert made.begin([about]).result() is not None
    made.close()
