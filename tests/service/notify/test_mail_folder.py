"""The folder that receives mail when no mail server is set."""

import stat
from pathlib import Path

import pytest

from service.notify import mail_folder
from service.settings import Settings
from workers.channels.mail.letters.mime import Head, Image, assembled
from workers.channels.mail.letters.render import Written

AT = "2026-01-01T12:00:00.000Z"
NAME = "20260101T120000000Z-first"
PICTURE = b"\x89PNG"
LETTER = assembled(
    [Head("Subject", "Your turn", words=True), Head("To", "ada@example.org")],
    Written("Your turn.\n", "<p>Your turn.</p>"),
    [Image("board@example.org", PICTURE)],
    "nm-first",
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose mail folder does not exist yet."""
    return Settings.of({"DATA_DIR": str(tmp_path / "var"), "SECRET_KEYS": "k" * 32})


def test_a_letter_is_kept_byte_for_byte(settings: Settings) -> None:
    """A letter is stored unchanged, named by its time, and only its owner can read it."""
    mail_folder.write(settings, "first", LETTER, AT)
    (path,) = mail_folder.folder(settings).iterdir()

    assert f"{NAME}.eml" == path.name
    assert LETTER == mail_folder.raw(settings, NAME)
    assert 0o700 == stat.S_IMODE(path.parent.stat().st_mode)
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


def test_a_letter_is_parsed(settings: Settings) -> None:
    """A letter is parsed into its headers, text, HTML, and pictures by content id."""
    mail_folder.write(settings, "first", LETTER, AT)
    letter = mail_folder.opened(settings, NAME)

    assert letter is not None
    assert {("Subject", "Your turn"), ("To", "ada@example.org")} <= set(letter.headers)
    assert ("Your turn.", "<p>Your turn.</p>") == (letter.text.strip(), letter.html.strip())
    assert {"board@example.org": PICTURE} == letter.images


def test_a_letter_without_html_is_parsed(settings: Settings) -> None:
    """A letter without HTML has empty HTML and no pictures."""
    mail_folder.write(settings, "first", b"Subject: Hi\r\n\r\nHello\r\n", AT)
    letter = mail_folder.opened(settings, NAME)

    assert letter is not None
    assert ("Hello\r\n", "", {}) == (letter.text, letter.html, letter.images)


def test_the_newest_letters_are_listed_first(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most MOST letters are listed, the newest first; without a folder there are none."""
    assert [] == mail_folder.listed(settings)
    for minute in range(3):
        mail_folder.write(settings, f"m{minute}", LETTER, AT.replace("12:00", f"12:0{minute}"))
    assert ["m2", "m1", "m0"] == [
        letter.name.partition("-")[2] for letter in mail_folder.listed(settings)
    ]

    monkeypatch.setattr(mail_folder, "MOST", 1)
    (letter,) = mail_folder.listed(settings)
    assert ("Your turn", "ada@example.org") == (letter.subject, letter.recipient)


@pytest.mark.parametrize(
    "name", ["", "x", "..", "../secret", "20260101T120000000Z-../x", "20260101T120000000Z-none"]
)
def test_other_names_lead_nowhere(settings: Settings, name: str) -> None:
    """A name in another format opens no file, even if such a file exists."""
    mail_folder.write(settings, "first", LETTER, AT)
    (settings.data_dir / "secret.eml").write_bytes(b"secret")

    assert mail_folder.raw(settings, name) is None
    assert mail_folder.opened(settings, name) is None


def test_a_failed_write_leaves_nothing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed write there is neither a partial letter nor a temporary file."""

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="the disk is full"):
        mail_folder.write(settings, "first", LETTER, AT)

    assert [] == list(mail_folder.folder(settings).iterdir())


def test_a_letter_that_was_deleted_meanwhile_is_left_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A letter that is deleted while the folder is read is left out of the list."""
    for id in ("first", "second"):
        mail_folder.write(settings, id, LETTER, AT)
    read_bytes = Path.read_bytes

    def gone(path: Path) -> bytes:
        path.with_name(f"{NAME}.eml").unlink(missing_ok=True)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", gone)
    assert ["20260101T120000000Z-second"] == [
        letter.name for letter in mail_folder.listed(settings)
    ]
