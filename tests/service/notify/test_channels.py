"""The registry of channels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.desk import Desk
from service.notify import channels
from tests.service.support.tables import player
from tests.workers.channels.toy.channel import ToyChannel


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[ToyChannel]:
    """A channel that is registered for the time of a test."""
    channel = ToyChannel(tmp_path)
    channels.register(channel)
    yield channel
    channels.unregister(channel.name)


def test_channels_are_listed_in_the_order_of_their_registration(toy: ToyChannel) -> None:
    """Channels are listed in the order of their registration, and found by name."""
    names = [channel.name for channel in channels.registered()]
    assert ["mail", "webhook", "web_push", "discord"] == names[:4]
    assert "toy" == names[-1]
    assert toy is channels.named("toy")


def test_a_name_belongs_to_one_channel(toy: ToyChannel, tmp_path: Path) -> None:
    """A second channel of the same name is refused, and the first stays."""
    with pytest.raises(ValueError, match="the channel toy is registered already"):
        channels.register(ToyChannel(tmp_path))

    assert toy is channels.named("toy")


def test_an_unregistered_channel_is_unknown(tmp_path: Path) -> None:
    """An unregistered channel is neither listed nor found by its name."""
    channels.register(ToyChannel(tmp_path))
    channels.unregister("toy")

    assert "toy" not in [channel.name for channel in channels.registered()]
    with pytest.raises(KeyError):
        channels.named("toy")


def test_a_process_without_channels_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no channel registered, `registered` raises an error instead of losing notices."""
    monkeypatch.setattr(channels, "_channels", {})

    with pytest.raises(RuntimeError, match=r"import workers\.channels first"):
        channels.registered()


def test_channels_are_described_to_an_account(desk: Desk, toy: ToyChannel) -> None:
    """Each channel says whether it is set up for the account; an unknown account gets no list."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    (toy.folder / ada).touch()

    described = [(channel.title, channel.is_set_up) for channel in channels.described(desk, ada)]
    assert [("Mail", False), ("Webhooks", False)] == described[:2]
    assert ("Discord", False) in described
    assert ("Toy", True) == described[-1]
    assert not channels.described(desk, ben)[-1].is_set_up
    assert [] == channels.described(desk, "nobody")
