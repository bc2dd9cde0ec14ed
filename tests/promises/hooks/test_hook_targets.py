"""Promise 19: no webhook ever connects to an address that is not public."""

import itertools
import socket
from collections.abc import Callable
from typing import Any

import pytest

from service.notify.hook_targets import Target, is_public
from tests.support.hostile_urls import LITERALS, NAMES, answer
from workers.calling import connector
from workers.calling.connector import NOT_CALLED, Connector, Unreached

GOOD = "192.0.2.99"
"""Stands for a public address: an address for documentation, which `good` accepts."""


@pytest.fixture
def connects(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses to which connections were attempted; every attempt is refused."""
    tried: list[Any] = []

    def connect(_: socket.socket, address: Any) -> None:
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    return tried


def good(address: str) -> bool:
    """Judge as in production, but accept GOOD as public."""
    return address == GOOD or is_public(address)


def fault(caller: Connector, host: str) -> str:
    """The error with which a call of this host fails."""
    with pytest.raises(Unreached) as raised:
        caller.post("hook", Target("https", host, 443, "/"), b"{}", {})
    return raised.value.sentence


@pytest.mark.parametrize("host", LITERALS)
def test_no_spelling_is_called(connects: list[Any], host: str) -> None:
    """No spelling of an address that is not public is connected to."""
    assert NOT_CALLED == fault(Connector(is_public), host.strip("[]").replace("%25", "%"))
    assert [] == connects


@pytest.mark.parametrize("address", sorted(set(LITERALS.values())))
@pytest.mark.parametrize("others", [[], [GOOD]], ids=["alone", "behind a good one"])
def test_no_answer_of_a_resolver_is_called(
    connects: list[Any], address: str, others: list[str]
) -> None:
    """One address that is not public among those of a name is enough: no connection is made."""

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [answer(ip) for ip in (*others, address)]

    assert NOT_CALLED == fault(Connector(good, resolve=resolve), "example.org")
    assert [] == connects


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_no_name_of_this_machine_is_called(connects: list[Any], name: str) -> None:
    """A name that resolves to loopback is not called, whatever its spelling."""

    def resolve(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        host.encode("idna")
        return [answer("127.0.0.1")]

    assert NOT_CALLED == fault(Connector(is_public, resolve=resolve), name)
    assert [] == connects


def flipping() -> Callable[..., list[tuple[Any, ...]]]:
    """A resolver that returns a good address first and loopback afterwards."""
    addresses = itertools.chain([GOOD], itertools.repeat("127.0.0.1"))
    return lambda *_, **__: [answer(next(addresses))]


def test_name_that_changes_is_looked_up_once(connects: list[Any]) -> None:
    """The connection goes to the address that was checked, without a second lookup."""
    fault(Connector(good, resolve=flipping()), "example.org")

    assert [(GOOD, 443)] == connects


def test_second_request_judges_anew(connects: list[Any]) -> None:
    """A second request without a kept connection resolves and checks the name again."""
    caller = Connector(good, resolve=flipping())
    fault(caller, "example.org")

    assert NOT_CALLED == fault(caller, "example.org")
    assert [(GOOD, 443)] == connects


def test_checking_first_and_looking_up_again_would_fail(
    connects: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mutant: checking one lookup and connecting by another ends up at loopback."""
    resolve = flipping()

    def by_name(self: connector._Pinned) -> socket.socket:
        made = socket.socket()
        with made:
            made.connect(resolve(self.host, self.port)[0][4])
        return made

    monkeypatch.setattr(connector._Pinned, "_new_conn", by_name)
    fault(Connector(good, resolve=resolve), "example.org")

    assert [("127.0.0.1", 443)] == connects


def test_every_judged_address_is_tried(connects: list[Any]) -> None:
    """If one address does not respond, the next of the same lookup is tried."""

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [answer(GOOD, 443), answer(GOOD, 443)]

    fault(Connector(good, resolve=resolve), "example.org")

    assert [(GOOD, 443)] * 2 == connects
