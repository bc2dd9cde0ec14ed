"""The folder that receives mail when no mail server is set: one file for each letter."""

import os
import re
import tempfile
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple, cast

from service.settings import Settings
from store.private_files import make_folder

NAME = re.compile(r"[0-9TZ]{15,25}-[A-Za-z0-9_-]{1,64}")
MOST = 200
"""Letters in the list."""


class Letter(NamedTuple):
    """A letter in the list."""

    name: str
    subject: str
    recipient: str
    date: str


class Opened(NamedTuple):
    """A parsed letter."""

    name: str
    headers: list[tuple[str, str]]
    text: str
    html: str
    images: dict[str, bytes]
    """By the content ids that the HTML refers to."""


def folder(settings: Settings) -> Path:
    """Return the path of the folder."""
    return settings.data_dir / "mail"


def write(settings: Settings, id: str, message: bytes, at: str) -> None:
    """Write a letter to the folder atomically."""
    place = folder(settings)
    make_folder(settings.data_dir)
    make_folder(place)
    handle, part = tempfile.mkstemp(dir=place, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(message)
        Path(part).replace(place / f"{re.sub('[^0-9TZ]', '', at)}-{id}.eml")
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def listed(settings: Settings) -> list[Letter]:
    """Return the letters in the folder, the newest first."""
    paths = sorted(folder(settings).glob("*.eml"), reverse=True)[:MOST]
    return [letter for path in paths for letter in _listed(path)]


def _listed(path: Path) -> Iterator[Letter]:
    try:
        message = _read(path)
    except FileNotFoundError:  # deleted in the meantime
        return
    yield Letter(path.stem, message["Subject"], message["To"], message["Date"])


def raw(settings: Settings, name: str) -> bytes | None:
    """Return the bytes of a letter as it would have been sent; None if there is no such file."""
    path = folder(settings) / f"{name}.eml"
    if not NAME.fullmatch(name) or not path.is_file():
        return None
    return path.read_bytes()


def opened(settings: Settings, name: str) -> Opened | None:
    """Parse a letter; None if there is no such file."""
    content = raw(settings, name)
    if content is None:
        return None
    message = _parsed(content)
    images = {
        str(part["Content-ID"]).strip("<>"): cast(bytes, part.get_payload(decode=True))
        for part in message.walk()
        if part.get_content_type() == "image/png"
    }
    heads = [(key, str(value)) for key, value in message.items()]
    return Opened(name, heads, _part(message, "plain"), _part(message, "html"), images)


def _part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    return str(body.get_content()) if body else ""


def _read(path: Path) -> EmailMessage:
    return _parsed(path.read_bytes())


def _parsed(message: bytes) -> EmailMessage:
    return message_from_bytes(message, policy=policy.default)
