import itertools
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.hook_calls import fault, here, impatient, post
from tests.support.hook_receiver import Receiver, behaving, read_request, receiving
from workers.calling import connector
from workers.calling.connector import Connector, anywhere


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An honest receiver."""
    with receiving() as made:
        yield made


@pytest.fixture
def caller() -> Iterator[Connector]:
    """A connector with a short deadline that may call this machine."""
    with impatient() as made:
        yield made


def test_request_comes_as_it_was_sent(receiver: Receiver, caller: Connector) -> None:
    """Path, headers and body arrive, and the response comes back."""
    receiver.reply(201, b"hello", x_said="so")
    answer = post(caller, receiver.server_port, b'{"a":1}')

    assert (201, b"hello", True) == (answer.status, answer.body, answer.is_whole)
    assert "so" == answer.headers["X-Said"]
    (call,) = receiver.calls
    assert ("/hook?a=b", b'{"a":1}', "yes") == (call.path, call.body, call.headers["x-told"])
    assert f"127.0.0.1:{receiver.server_port}" == call.headers["host"]


def test_connection_is_kept(receiver: Receiver, caller: Connector) -> None:
    """Requests of one hook share a connection; another hook gets its own."""
    for _ in range(3):
        post(caller, receiver.server_port)
    caller.post("other hook", here(receiver.server_port), b"{}", {})

    ports = [call.port for call in receiver.calls]
    assert 1 == len(set(ports[:3]))
    assert ports[3] not in ports[:3]


def test_connection_that_was_closed_is_made_again(caller: Connector) -> None:
    """A server that closes the connection after each response is called on a new one."""

    def once(guest: socket.socket) -> None:
        read_request(guest)
        guest.sendall(b"HTTP/1.1 204 So\r\n\r\n")
        guest.close()

    with behaving(once) as port:
        assert [204] * 5 == [post(caller, port).status for _ in range(5)]


@pytest.mark.parametrize("ending", ["close", "reset"])
def test_connection_that_dies_under_the_request_is_made_again(
    caller: Connector, ending: str
) -> None:
    """A kept connection that closes or resets when it is reused is replaced by a new one."""
    served = itertools.count()

    def behave(guest: socket.socket) -> None:
        if next(served) == 0:
            read_request(guest)
            guest.sendall(b"HTTP/1.1 204 So\r\n\r\n")
            guest.recv(1)
            if ending == "reset":
                guest.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            guest.close()
        else:
            read_request(guest)
            guest.sendall(b"HTTP/1.1 200 So\r\ncontent-length: 0\r\n\r\n")

    with behaving(behave) as port:
        assert [204, 200] == [post(caller, port).status for _ in range(2)]


def test_redirect_is_not_followed(receiver: Receiver, caller: Connector) -> None:
    """A redirect is returned as the response, and its target is not called."""
    receiver.reply(307, b"", location=receiver.url + "/elsewhere")

    assert 307 == post(caller, receiver.server_port).status
    assert 1 == len(receiver.calls)


def test_no_proxy_is_asked(
    receiver: Receiver, caller: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proxy settings in the environment are ignored."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    assert 204 == post(caller, receiver.server_port).status


def test_nobody_listens(caller: Connector) -> None:
    """A closed port is reported as not reached."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]

    assert connector.NOT_REACHED == fault(caller, here(port))


def test_name_that_hangs_is_given_up() -> None:
    """A DNS lookup that never returns ends at the deadline."""
    never = threading.Event()

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        never.wait()
        return []

    late = Connector(anywhere, deadline=0.1, resolve=resolve)
    assert connector.NO_ANSWER.format(0.1) == fault(late, here(1))
    never.set()


def test_name_that_is_unknown() -> None:
    """A name that does not resolve gives the same error as an address that must not be called."""

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        raise socket.gaierror

    assert connector.NOT_CALLED == fault(Connector(anywhere, resolve=resolve), here(1))


def test_we_ask_for_nothing_packed(receiver: Receiver, caller: Connector) -> None:
    """By default the request asks for a response without compression."""
    post(caller, receiver.server_port)

    assert "identity" == receiver.calls[0].headers["accept-encoding"]


@contextmanager
def secure(folder: Path, name: str) -> Iterator[tuple[int, ssl.SSLContext]]:
    """A server with a certificate for this name, and a context that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = serialization.Encoding.PEM
    private = key.private_bytes(form, serialization.PrivateFormat.PKCS8, plain)
    path = folder / "server.pem"
    path.write_bytes(private + certificate.public_bytes(form))
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(path)

    def behave(guest: socket.socket) -> None:
        with serving.wrap_socket(guest, server_side=True) as safe:
            while True:
                read_request(safe)
                safe.sendall(b"HTTP/1.1 200 So\r\ncontent-length: 2\r\n\r\nok")

    with behaving(behave) as port:
        yield port, ssl.create_default_context(cadata=certificate.public_bytes(form).decode())


def to_loopback(*_: object, **__: object) -> list[tuple[object, ...]]:
    """Resolve every name to loopback."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", to_loopback.port))]  # type: ignore[attr-defined]  # set by the test


def test_certificate_counts(tmp_path: Path) -> None:
    """The certificate must be trusted, and be valid for the host name in the URL."""
    with secure(tmp_path, "example.org") as (port, trusting):
        to_loopback.port = port  # type: ignore[attr-defined]  # for the resolver above
        good = Connector(anywhere, tls=trusting, resolve=to_loopback)
        named = here(port, "https", "example.org")
        assert b"ok" == good.post("hook", named, b"{}", {}).body
        assert b"ok" == good.post("hook", named, b"{}", {}).body

        stranger = Connector(anywhere, resolve=to_loopback)
        assert connector.NOT_TRUSTED == fault(stranger, named)
        other = here(port, "https", "www.example.org")
        assert connector.NOT_TRUSTED == fault(good, other)
        good.close()
