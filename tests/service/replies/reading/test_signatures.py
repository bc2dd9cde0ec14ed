"""Signatures of people, phones, programs and companies."""

import pytest

from service.replies import quoting
from service.replies.reading import signatures
from service.replies.reading.words import COMMAND_WORDS
from tests.service.replies.corpus.languages import LANGUAGES

ADDED = [
    *(language.phone for language in LANGUAGES.values()),
    "Von Samsung-Tablet gesendet",
    "Gesendet mit der GMX Mail App",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Envoyé de mon appareil Samsung",
    "Enviado desde Yahoo Mail para iPhone",
    "Enviado desde mi HUAWEI",
    "Trimis din Yahoo Mail pe Android",
    "Sent from Outlook for iOS<https://example.org>",
    "Get Outlook for Android",
    "Outlook für iOS beziehen",
    "Outlook für Android herunterladen",
    "Télécharger Outlook pour Android",
    "Obtener Outlook para Android",
    "Sent with BlueMail for Android",
    "Sent from Proton Mail for iOS",
    "Sent via the Samsung Galaxy S25, an AT&T 5G smartphone",
    "*Sent from my Pixel*",
    "[Sent from Fastmail]",
    "從我的 iPhone 傳送",
    "나의 iPhone에서 보냄",
    "Virus-free. www.example.org",
    "This email and any attachments are confidential.",
    "--",
    "-- ",
]


@pytest.mark.parametrize("line", dict.fromkeys(ADDED))
def test_a_signature_ends_the_reading(line: str) -> None:
    """Nothing is read below a signature, whatever has added it."""
    assert ["draw"] == quoting.written_lines(["draw", "", line, "tickets", "1"])


def test_a_signature_may_stand_above_a_quotation() -> None:
    """An answer below the quotation is read, also if the program has put a signature above."""
    lines = ["Sent from my iPhone", "", "> On Friday Nightmail wrote:", "> tickets", "", "draw"]
    marked = ["-- ", "Ada", "", "On Friday, 10:00, Nightmail wrote:", "> tickets", "", "draw"]

    assert ["draw"] == quoting.written_lines(lines)
    assert ["draw"] == quoting.written_lines(marked)


def test_a_signature_may_quote_somebody() -> None:
    """A quoted line within a signature does not end it."""
    assert ["draw"] == quoting.written_lines(["draw", "-- ", "Ada", "> Carpe diem", "1"])


def test_no_signature_begins_like_a_command() -> None:
    """None of the phrases begins with a word with which a command begins."""
    phrases = (*signatures._BEGINS, *signatures._NOTICES)

    assert set() == {phrase.split()[0] for phrase in phrases} & COMMAND_WORDS
