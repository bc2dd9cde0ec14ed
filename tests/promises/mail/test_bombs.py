"""Promise 27: no mail, however malformed, costs more than 1 s of CPU or 64 MB."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amounts import amount
from tests.promises.mail.bombs import BOMBS, CPU, MEMORY, look
from tests.service.support.post import letter
from tests.service.support.reports import bounce, complaint

CASES = amount(100, soak=2000)
REAL = [
    letter("take 3", "draw"),
    letter("claim dieppe-paris with 2 purple", content_type="text/plain; format=flowed"),
    letter("<p>draw</p><blockquote>claim</blockquote>", content_type="text/html; charset=latin-1"),
    letter(
        *("--b", "Content-Type: text/plain", "", "draw", "--b", "Content-Type: text/html", ""),
        *("<p>draw</p>", "--b--"),
        content_type='multipart/alternative; boundary="b"',
    ),
    bounce("5.1.1", "ada@example.org"),
    complaint("abuse", "Return-Path: <x@example.org>"),
]
PIECES = [
    *(
        b"\r\n",
        b"\n\n",
        b"\r",
        b"\0",
        b"\xff\xfe",
        b" ",
        b";",
        b'"',
        b"(",
        b"<",
        b">",
        b"=?utf-8?q?",
    ),
    *(b"--b", b"--b--", b"Content-Type: ", b"multipart/mixed; boundary=b", b"message/rfc822"),
    *(b"Content-Transfer-Encoding: base64", b"charset=utf-7", b"On a wrote:", b"From: ", b"-- "),
]


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A real mail with pieces cut out and others inserted."""
    raw = draw(st.sampled_from(REAL))
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(raw)))
        to = min(len(raw), at + draw(st.integers(0, 40)))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=20))
        raw = raw[:at] + piece * draw(st.sampled_from([1, 1, 1, 2, 500])) + raw[to:]
    return raw


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(raw=mangled())
def test_a_mangled_mail_breaks_nothing(raw: bytes) -> None:
    """A mangled mail raises no exception and takes less than a second of CPU."""
    before = time.process_time()
    look(raw)

    assert CPU > time.process_time() - before


def _read_all(*more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.promises.mail.bombs", *more],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )


def test_bombs_do_not_go_off() -> None:
    """Each mail takes less than a second of CPU, and all of them less than 64 MB."""
    results = _read_all()
    assert 0 == results.returncode, results.stderr
    document = json.loads(results.stdout)

    assert {} == {name: spent for name, spent in document["costs"].items() if spent >= CPU}
    assert len(BOMBS) == len(document["costs"])
    assert MEMORY > document["memory"]


def test_an_expression_with_nested_repetition_is_noticed() -> None:
    """Planted fault: forty short lines exceed the CPU limit, which kills the process."""
    assert -signal.SIGXCPU == _read_all("--faulty").returncode
