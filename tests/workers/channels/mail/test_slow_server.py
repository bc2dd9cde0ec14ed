"""A mail server that takes its time after a letter, as RFC 5321 allows."""

from dataclasses import replace
from datetime import timedelta

import pytest

from service.desk import Desk
from service.notify import outbox
from tests.service.support.owing import on_its_way
from tests.support.waiting import until
from tests.workers.correspondence import room
from tests.workers.mailserver import mail_server
from workers.background.deliverer import Deliverer
from workers.channels.mail import transport
from workers.channels.mail.channel import MailChannel
from workers.lanes import in_order, work_loop


def _states(desk: Desk) -> list[str]:
    return sorted(on_its_way(desk, "state"))


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lease of a letter lasts a second, and the next one waits for a moment only."""
    monkeypatch.setattr(in_order, "PATIENCE", 0.1)
    monkeypatch.setattr(work_loop, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(outbox, "LEASE", timedelta(seconds=1.5))
    monkeypatch.setattr(outbox, "LONGEST_ATTEMPT", timedelta(seconds=1))


@pytest.mark.usefixtures("_hurried")
def test_other_letters_go_out_while_one_waits(desk: Desk) -> None:
    """A letter waits longer than its lease for the last reply; others go, and each goes once."""
    with mail_server() as (server, place):
        server.accepting.clear()
        here = desk._replace(settings=replace(desk.settings, smtp_url=f"smtp://{place}"))
        room(here, seats=2)
        working = Deliverer(here, [MailChannel()])
        working.start()
        try:
            until(lambda: bool(server.held), "the first letter")
            until(lambda: ["sent"] * 3 + ["waiting"] == _states(desk), "the other letters")
            (lease,) = (at for at, state in _leases(desk) if state == "waiting")
            until(lambda: desk.now() > lease, "the end of its lease")
            server.accepting.set()
            until(lambda: ["sent"] * 4 == _states(desk), "the first letter")
        finally:
            server.accepting.set()
            working.stop()
    ids = [_message_id(letter.content or b"") for letter in server.letters]
    assert (4, 4) == (len(ids), len(set(ids)))


def _leases(desk: Desk) -> list[tuple[str, str]]:
    return [(at, state) for at, state in on_its_way(desk, "not_before", "state")]


def _message_id(content: bytes | str) -> str:
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return text.partition("Message-ID: ")[2].partition("\r\n")[0]


@pytest.mark.usefixtures("_hurried")
def test_a_worker_stops_although_the_server_does_not_answer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter without a reply is given up when the worker stops, and waits for the next one."""
    monkeypatch.setattr(in_order, "GRACE", 0.1)
    with mail_server() as (server, place):
        server.accepting.clear()
        here = desk._replace(settings=replace(desk.settings, smtp_url=f"smtp://{place}"))
        room(here, seats=2)
        working = Deliverer(here, [MailChannel()])
        working.start()
        until(lambda: ["sent"] * 3 + ["waiting"] == _states(desk), "the other letters")
        working.stop()
        assert ["sent"] * 3 + ["waiting"] == _states(desk)
        (error,) = filter(None, on_its_way(desk, "error"))
        assert error.startswith("sending: ")
        server.accepting.set()


def test_servers_get_the_time_that_the_standard_asks_for() -> None:
    """The limits are those of RFC 5321, 4.5.3.2, and a connection lives longer than all of them."""
    assert transport.TO_ANSWER >= 5 * 60
    assert transport.TO_ACCEPT >= 10 * 60
    longest = 2 * transport.TO_ANSWER + 2 * transport.TO_ACCEPT
    assert transport.CUT_AFTER - transport.REUSED_FOR >= longest
