"""A minimal mail server that discards every message: `python -m bench.receivers.sink PORT`.

It answers as fast as Python can, so that a benchmark measures the sender and not the server.
"""

import socket
import sys

GREETING = b"220 sink\r\n"
HELLO = b"250-sink\r\n250-SIZE 50000000\r\n250 8BITMIME\r\n"
FINE, GO_ON, GOODBYE = b"250 OK\r\n", b"354 go on\r\n", b"221 bye\r\n"
END = b"\r\n.\r\n"


def serve(port: int) -> None:
    """Accept mail until the process is killed."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection:
                _talk(connection)


def _talk(connection: socket.socket) -> None:
    connection.sendall(GREETING)
    buffer = b""
    while more := connection.recv(1 << 20):
        buffer += more
        while b"\n" in buffer:
            line, _, buffer = buffer.partition(b"\n")
            verb = line[:4].upper()
            if verb == b"DATA":
                connection.sendall(GO_ON)
                buffer = _letter(connection, buffer)
                connection.sendall(FINE)
            elif verb == b"QUIT":
                connection.sendall(GOODBYE)
                return
            else:
                connection.sendall(HELLO if verb == b"EHLO" else FINE)


def _letter(connection: socket.socket, buffer: bytes) -> bytes:
    """Read up to the end of a message and return the bytes after it."""
    parts, tail = [buffer], buffer
    while END not in tail:
        more = connection.recv(1 << 20)
        if not more:
            return b""
        parts.append(more)
        tail = tail[-4:] + more
    return tail.partition(END)[2]


if __name__ == "__main__":
    serve(int(sys.argv[1]))
