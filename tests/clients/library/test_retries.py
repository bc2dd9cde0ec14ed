import json
from collections.abc import Callable

import httpx
import pytest

from nightmail_client import (
    AsyncNightmail,
    Nightmail,
    ServiceFailed,
    Stale,
    TooManyRequests,
    Unreachable,
)
from nightmail_client._sync import connection
from tests.clients.library.playing import run_async, token_of_newcomer
from tests.clients.running import Service

Answer = httpx.Response | httpx.TransportError
ACCOUNT = {"id": "ada", "name": "Ada"}


class Scripted(httpx.MockTransport):
    """A service that gives these answers, one after the other."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: list[httpx.Request] = []
        self._answers = iter(answers)
        super().__init__(self._handle)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = next(self._answers)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer

    @property
    def keys(self) -> list[str | None]:
        """The idempotency key of each request."""
        return [request.headers.get("Idempotency-Key") for request in self.requests]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the client would have slept, in a test that does not wait."""
    seconds: list[float] = []
    monkeypatch.setattr(connection, "sleep", seconds.append)
    return seconds


def problem(status: int, code: str, **headers: str) -> httpx.Response:
    """A refusal as the service writes it."""
    body = {"code": code, "status": status, "detail": "No.", "title": "No", "type": "about:blank"}
    return httpx.Response(status, json=body, headers=headers)


def client(transport: httpx.BaseTransport, patience: float = 60.0) -> Nightmail:
    """A client of a service that is not there."""
    return Nightmail("http://127.0.0.1:1", "nm_token", transport=transport, patience=patience)


LOST = httpx.ReadError("lost")
NOT_CONNECTED = httpx.ConnectError("refused")


FAILURES: dict[str, Callable[[], Answer]] = {
    "limit": lambda: problem(429, "rate_limited", **{"Retry-After": "7"}),
    "restart": lambda: problem(503, "unavailable", **{"Retry-After": "7"}),
    "proxy": lambda: httpx.Response(502, text="<html>Bad gateway</html>"),
    "lost": lambda: LOST,
    "refused": lambda: NOT_CONNECTED,
    "slow": lambda: httpx.ReadTimeout("slow"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_post_is_sent_again_with_the_same_key(name: str, pauses: list[float]) -> None:
    """After a limit, a restart or a lost connection the same request is sent, with its key."""
    failure = FAILURES[name]
    service = Scripted(failure(), failure(), httpx.Response(201, json={"number": 1}))
    client(service).game("g").say("Hello")

    assert 3 == len(service.requests)
    assert 1 == len({request.content for request in service.requests})
    [key] = set(service.keys)
    assert len(key or "") >= 16
    assert 2 == len(pauses)
    first = failure()
    if isinstance(first, httpx.Response) and "Retry-After" in first.headers:
        assert [7.0, 7.0] == pauses
    else:
        assert 0 < pauses[0] < pauses[1] * 2 + 0.01


def test_each_post_has_a_key_of_its_own() -> None:
    """Two messages with the same text are two messages."""
    service = Scripted(*[httpx.Response(201, json={}) for _ in range(2)])
    nightmail = client(service)
    nightmail.game("g").say("Hello")
    nightmail.game("g").say("Hello")

    assert 2 == len(set(service.keys))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PATCH", "/v1/me"),
        ("DELETE", "/v1/games/g/seats/mine"),
        ("PUT", "/v1/games/g/notebook"),
        ("POST", "/v1/games/g/bots"),
        ("POST", "/v1/games/g/link"),
        ("POST", "/v1/me/confirmation"),
    ],
)
def test_what_may_have_happened_is_not_sent_twice(method: str, path: str) -> None:
    """A change without a key is not repeated if its response was lost, but if it never left."""
    lost = Scripted(LOST)
    with pytest.raises(Unreachable):
        client(lost).call(method, path, json={})
    unavailable = Scripted(problem(503, "unavailable"))
    with pytest.raises(ServiceFailed):
        client(unavailable).call(method, path, json={})
    unsent = Scripted(NOT_CONNECTED, problem(429, "rate_limited"), httpx.Response(204))
    client(unsent).call(method, path, json={})

    assert [1, 1, 3] == [len(each.requests) for each in (lost, unavailable, unsent)]
    assert {None} == set(unsent.keys)


def test_a_refusal_is_not_sent_again() -> None:
    """What the service has judged is not repeated."""
    service = Scripted(problem(412, "stale"))
    with pytest.raises(Stale):
        client(service).call("POST", "/v1/games/g/moves", json={"text": "draw"})

    assert 1 == len(service.requests)


def test_patience_ends() -> None:
    """A pause that is longer than the patience is left to the caller, with its length."""
    answer = problem(429, "rate_limited", **{"Retry-After": "90"})
    with pytest.raises(TooManyRequests):
        client(Scripted(answer), patience=60).me()
    with pytest.raises(Unreachable):
        client(Scripted(NOT_CONNECTED), patience=0).me()


def test_a_proxy_that_answers_is_told_apart() -> None:
    """A response that is no problem document becomes an exception with its status."""
    with pytest.raises(ServiceFailed, match="500") as failed:
        client(Scripted(httpx.Response(500, text="oops"))).me()

    assert "unknown" == failed.value.code


class Lossy(httpx.HTTPTransport):
    """A network that loses the response to each of the first requests that change something."""

    def __init__(self, losses: int) -> None:
        super().__init__()
        self.losses = losses

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request, and lose its response."""
        response = super().handle_request(request)
        if request.method == "POST" and self.losses:
            self.losses -= 1
            response.read()
            response.close()
            raise httpx.ReadError("lost")
        return response


def test_lost_responses_double_nothing(service: Service) -> None:
    """Against the real service each lost request takes effect once, and its answer arrives."""
    token, network = token_of_newcomer(service), Lossy(0)
    with Nightmail(service.url, token, transport=network) as ada:
        network.losses = 2  # of the commitment
        game = ada.open_game(board="usa", seats=2, bots={"easy": 1})
        network.losses = 2
        game.say("Hello")
        network.losses = 2
        receipt = game.play("keep all")

        assert [game.id] == [each["id"] for each in ada.games(mine="true")]
        assert ["Hello"] == [message["text"] for message in game.messages()]
        events = [record["event"] for record in game.events()]
        mine = receipt["events"][0]["event"]
        assert 1 == len([event for event in events if event == mine])


class Streaming(httpx.MockTransport):
    """A service whose streams break; it keeps the `Last-Event-ID` of each."""

    def __init__(self, *streams: bytes | Answer) -> None:
        self.ids: list[str | None] = []
        self._streams = iter(streams)
        super().__init__(self._handle)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.ids.append(request.headers.get("Last-Event-ID"))
        stream = next(self._streams)
        if isinstance(stream, httpx.TransportError):
            raise stream
        if isinstance(stream, httpx.Response):
            return stream
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=stream)


def _event(number: int) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (number, json.dumps({"seq": number}).encode())


STREAMS: tuple[bytes | Answer, ...] = (
    _event(1) + _event(2) + b"event: decision\ndata: {}\n\n",
    LOST,
    problem(503, "unavailable", **{"Retry-After": "3"}),
    _event(3),
    b"event: over\ndata: {}\n\n",
)


def test_a_stream_goes_on_after_a_break(pauses: list[float]) -> None:
    """It is opened again with the id of the last event, until the game is over."""
    service = Streaming(*STREAMS)
    events = list(client(service).game("g").stream())

    assert [1, 2, 3] == [event.data["seq"] for event in events if event.name == "message"]
    assert ["decision", "over"] == [event.name for event in events if event.name != "message"]
    assert [None, "2", "2", "2", "3"] == service.ids
    assert 3.0 in pauses


def test_a_stream_that_stays_broken_is_given_up() -> None:
    """After the patience, or at once if the service refuses, the failure is raised."""
    with pytest.raises(Unreachable):
        next(iter(client(Streaming(LOST), patience=0).stream()))
    with pytest.raises(Stale):
        next(iter(client(Streaming(problem(412, "stale"))).stream()))


def test_pages_stay_at_the_service() -> None:
    """A link to the next page is followed at the same host only, where the token may go."""
    link = {"Link": '<http://127.0.0.2:9/v1/games?cursor=x>; rel="next"'}
    page = {"games": [{"id": "g"}]}
    service = Scripted(httpx.Response(200, json=page, headers=link), httpx.Response(200, json=page))
    assert 2 == len(list(client(service).games()))

    assert {"127.0.0.1"} == {request.url.host for request in service.requests}
    assert "cursor=x" == service.requests[1].url.query.decode()


async def _say(transport: httpx.AsyncBaseTransport) -> None:
    async with AsyncNightmail("http://127.0.0.1:1", "nm_token", transport=transport) as nightmail:
        await nightmail.game("g").say("Hello")


def test_the_asynchronous_client_does_the_same() -> None:
    """It is the original of the blocking one: one key, however often it is sent."""
    busy = problem(429, "rate_limited", **{"Retry-After": "0"})
    service = Scripted(busy, httpx.Response(201, json={}))
    run_async(_say, service)

    assert 2 == len(service.keys)
    assert 1 == len(set(service.keys))
