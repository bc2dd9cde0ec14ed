"""A cheap load client: one process, raw sockets, and requests that are prepared in advance."""

import multiprocessing
import selectors
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from multiprocessing.connection import Connection
from time import perf_counter, process_time
from typing import Any, NamedTuple

HEADERS_END = b"\r\n\r\n"
LENGTH = b"content-length:"
PATIENCE = 30.0


class Lane(NamedTuple):
    """Requests that are sent in order, for example the moves of one game."""

    requests: Sequence[bytes]
    status: int
    again: bool = False
    """Whether the lane starts again after its last request."""


class Order(NamedTuple):
    """A job for the client: send the requests of the lanes with this name."""

    name: str
    connections: int
    seconds: float = 3600.0
    most: int = 10**9


class Answered(NamedTuple):
    """An answered request of a lane, and how long the response took."""

    lane: int
    step: int
    seconds: float


class Load(NamedTuple):
    """The result of an order."""

    answered: list[Answered]
    seconds: float
    busy: float
    """The share of the time for which the client itself used the CPU."""

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.answered) / self.seconds

    def within(self, share: float) -> float:
        """Return the response time within which this share of the requests was answered."""
        times = sorted(answered.seconds for answered in self.answered)
        return times[min(len(times) - 1, int(len(times) * share))]


def joined(loads: Sequence[Load]) -> Load:
    """Merge several loads into one."""
    seconds = sum(load.seconds for load in loads)
    busy = sum(load.busy * load.seconds for load in loads) / seconds
    return Load([answered for load in loads for answered in load.answered], seconds, busy)


class Client:
    """A handle on a client process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def learn(self, port: int, lanes: Mapping[str, Sequence[Lane]]) -> None:
        """Send lanes to the client process; each starts with its first request."""
        self._pipe.send((port, dict(lanes)))

    def run(self, order: Order) -> Load:
        """Run an order and wait for its result."""
        self._pipe.send(order)
        done, fault = self._pipe.recv()
        if fault:
            raise RuntimeError(fault)
        return Load(*done)


@contextmanager
def client() -> Iterator[Client]:
    """Start a client in its own process."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_work, args=(far,), daemon=True)
    process.start()
    far.close()
    try:
        yield Client(near)
    finally:
        near.close()
        process.join(PATIENCE)


def _work(pipe: Connection) -> None:
    roads: dict[str, _Road] = {}
    while True:
        try:
            message: Any = pipe.recv()
        except EOFError:
            return
        if isinstance(message, Order):
            try:
                pipe.send((tuple(roads[message.name].travel(message)), None))
            except Exception as error:  # noqa: BLE001  # raised again in the parent process
                pipe.send((None, f"{message.name}: {error!r}"))
        else:
            port, lanes = message
            roads |= {name: _Road(port, some) for name, some in lanes.items()}


class _Road:
    """The lanes of one name, and the next step of each."""

    def __init__(self, port: int, lanes: Sequence[Lane]) -> None:
        self.port = port
        self.lanes = lanes
        self.steps = [0] * len(lanes)

    def travel(self, order: Order) -> Load:
        answered: list[Answered] = []
        numbers = range(len(self.lanes))
        cars = [_Car(self, numbers[n :: order.connections]) for n in range(order.connections)]
        with selectors.DefaultSelector() as selector:
            for car in cars:
                selector.register(car.socket, selectors.EVENT_READ, car)
            worked, began = process_time(), perf_counter()
            until = began + order.seconds
            left = order.most - len(cars)
            going = sum(car.start() for car in cars)
            while going:
                ready = selector.select(PATIENCE)
                if not ready:
                    raise TimeoutError("no answer")
                for key, _ in ready:
                    if key.data.listen(answered):
                        left -= 1
                        if perf_counter() > until or left < 0 or not key.data.start():
                            going -= 1
                            selector.unregister(key.fileobj)  # the server closes idle connections
            ended = perf_counter()
        for car in cars:
            car.socket.close()
        return Load(answered, ended - began, (process_time() - worked) / (ended - began))


class _Car:
    """One connection, which serves its lanes in turn."""

    def __init__(self, road: _Road, numbers: Sequence[int]) -> None:
        self.road = road
        self.left = len(numbers)
        self.numbers = cycle(numbers)
        self.socket = socket.create_connection(("127.0.0.1", road.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.lane = 0
        self.began = 0.0

    def start(self) -> bool:
        """Send the next request of any lane; return False if none is left."""
        for _ in range(self.left):
            self.lane = next(self.numbers)
            lane, step = self.road.lanes[self.lane], self.road.steps[self.lane]
            if lane.again or step < len(lane.requests):
                self.began = perf_counter()
                self.socket.sendall(lane.requests[step % len(lane.requests)])
                return True
        return False

    def listen(self, answered: list[Answered]) -> bool:
        """Read from the socket and return whether the response is complete."""
        received = self.socket.recv(1 << 17)
        if not received:
            raise ConnectionError("the server has closed the connection")
        self.received += received
        head = self.received.find(HEADERS_END)
        if head < 0:
            return False
        status = int(self.received[9:12])
        if status != 304 and len(self.received) < head + 4 + self._length(head):
            return False
        if status != self.road.lanes[self.lane].status:
            raise ValueError(self.received.decode(errors="replace")[:2000])
        step = self.road.steps[self.lane]
        answered.append(Answered(self.lane, step, perf_counter() - self.began))
        self.road.steps[self.lane] = step + 1
        self.received = b""
        return True

    def _length(self, head: int) -> int:
        headers = self.received[:head].lower()
        at = headers.index(LENGTH) + len(LENGTH)
        return int(headers[at:].split(b"\r", 1)[0])
