"""A channel is one folder: this one is delivered to, retried, given up and shown on the page.

It follows the recipe "Add a channel" in CONTRIBUTING.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.wsgi import app_at
from service.desk import Desk
from service.notify import channels, outbox
from store.notify.deliveries import Delivery
from tests.service.support.owing import after, on_its_way, owe, reachable
from tests.site.visiting import Guest
from tests.support.waiting import until
from tests.workers.channels.toy.channel import FULL, GONE, ToyChannel
from workers.background.deliverer import Deliverer

ROOT = Path(__file__).parents[4]


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[ToyChannel]:
    """The channel, registered during a test."""
    folder = tmp_path / "toy"
    folder.mkdir()
    channel = ToyChannel(folder)
    channels.register(channel)
    yield channel
    channels.unregister(channel.name)


def account_with_file(desk: Desk, toy: ToyChannel, *lines: str, mode: str = "each_turn") -> Path:
    """The file of a new account on this channel."""
    account = reachable(desk, mode=mode)
    file = toy.folder / account
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def toy_rows(desk: Desk) -> list[tuple[str, int, str | None]]:
    """State, attempts and error of every delivery on this channel."""
    rows = on_its_way(desk, "channel", "state", "attempts", "error")
    return [tuple(row[1:]) for row in rows if row[0] == "toy"]


def deliver_until(desk: Desk, *rows: tuple[str, int, str | None]) -> None:
    """Run all registered channels until the deliveries on this one have these rows."""
    deliverer = Deliverer(desk, channels.registered())
    deliverer.start()
    try:
        until(lambda: list(rows) == toy_rows(desk), "deliveries")
    finally:
        deliverer.stop()


def test_a_notice_is_told_end_to_end(each_desk: Desk, toy: ToyChannel) -> None:
    """A notice becomes a line in the file, and a delivery by mail beside it."""
    file = account_with_file(each_desk, toy)
    owe(each_desk, file.name, "game_finished", game="g")
    deliver_until(each_desk, ("sent", 1, None))

    assert "game_finished g\n" == file.read_text(encoding="utf-8")
    assert {"mail", "toy"} == set(on_its_way(each_desk, "channel"))


def test_a_temporary_error_is_tried_again(each_desk: Desk, toy: ToyChannel) -> None:
    """A delivery is retried after each of the channel's own pauses, and then fails."""
    file = account_with_file(each_desk, toy, FULL)
    owe(each_desk, file.name, "game_finished", game="g")
    deliver_until(each_desk, ("waiting", 1, "full 1"))
    deliver_until(after(each_desk, minutes=2), ("waiting", 2, "full 2"))
    deliver_until(after(each_desk, hours=2), ("failed", 3, "full 3"))

    assert f"{FULL}\n" == file.read_text(encoding="utf-8")


def test_a_retry_arrives(desk: Desk, toy: ToyChannel) -> None:
    """A delivery that failed at first is sent once the error is over."""
    file = account_with_file(desk, toy, FULL)
    owe(desk, file.name, "game_finished", game="g")
    deliver_until(desk, ("waiting", 1, "full 1"))
    file.write_text("", encoding="utf-8")
    deliver_until(after(desk, minutes=2), ("sent", 2, None))

    assert "game_finished g\n" == file.read_text(encoding="utf-8")


def test_a_final_error_is_given_up(each_desk: Desk, toy: ToyChannel) -> None:
    """A final error fails the delivery at the first attempt."""
    file = account_with_file(each_desk, toy, GONE)
    owe(each_desk, file.name, "game_finished", game="g")
    deliver_until(each_desk, ("failed", 1, "gone"))


def test_preferences_count_here_too(desk: Desk, toy: ToyChannel) -> None:
    """Mode `off` gets nothing here either, and table talk is merged into one message."""
    quiet = account_with_file(desk, toy, mode="off")
    owe(desk, quiet.name, "game_finished", game="g")
    outbox.spread(desk)
    assert [] == toy_rows(desk)

    talked = reachable(desk, "Ben")
    (toy.folder / talked).touch()
    for version in (1, 2):
        owe(desk, talked, game="g", version=version)
    while outbox.spread(desk):
        pass
    (message,) = outbox.claim(after(desk, minutes=3), toy, 9)
    assert {1, 2} == {delivery.version for delivery in message}


def test_other_channels_leave_it_alone(each_desk: Desk, toy: ToyChannel) -> None:
    """A claim for one channel takes no deliveries of another."""
    file = account_with_file(each_desk, toy)
    owe(each_desk, file.name, "game_finished", game="g")
    outbox.spread(each_desk)
    by_mail: list[list[Delivery]] = outbox.claim(each_desk, channels.named("mail"), 9)

    assert ["mail"] == [delivery.channel for message in by_mail for delivery in message]
    [[mine]] = outbox.claim(each_desk, toy, 9)
    assert "toy" == mine.channel


@pytest.mark.usefixtures("toy")
def test_the_settings_page_shows_it(desk: Desk) -> None:
    """The page lists the channel after mail and web hooks, as not set up."""
    ada = Guest(app_at(desk), "Ada")
    listed = ada.web.get("/settings").text.partition('id="channels"')[2].partition("</section>")[0]
    assert "A file of your own" in listed
    titles = [listed.index(f"<strong>{title}</strong>") for title in ("Mail", "Webhooks", "Toy")]
    assert sorted(titles) == titles
    assert "not set up" in listed[titles[2] :]


def test_no_other_file_knows_it() -> None:
    """No file outside the tests names the channel."""
    rooms = ("api", "cli", "service", "store", "workers")
    files = [file for room in rooms for file in (ROOT / room).rglob("*.py")]
    assert files
    assert [] == [file for file in files if "toy" in file.read_text(encoding="utf-8").lower()]


def test_no_file_outside_a_channel_asks_for_it_by_name() -> None:
    """No file compares a channel by name, such as `channel == "mail"`."""
    rooms = ("api", "cli", "service", "store", "workers")
    files = [file for room in rooms for file in (ROOT / room).rglob("*.py")]
    by_name = re.compile(r"channel(\.name)? (==|!=|in) [\"'(W]")
    assert [] == [str(file) for file in files if by_name.search(file.read_text(encoding="utf-8"))]
