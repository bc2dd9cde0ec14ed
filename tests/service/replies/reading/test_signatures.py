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


@pytest.mark.parametrize(
    "line",
    [
        *("This email was a mistake, please ignore it.", "Confidential: do not play this yet"),
        *("This message is only a draft, please do not play it", "Sent by mistake, take 3"),
        *("Upgrade to claim brest-paris instead", "Sent from my iPhone by mistake"),
        *("This message is about Paris", "Sent from my heart"),
        *("Diese Nachricht ist falsch", "Ce message est une erreur"),
    ],
)
def test_the_beginning_of_a_signature_is_not_enough(line: str) -> None:
    """A line without the name of a device or words of a notice, or about the move, is kept."""
    assert ["draw", line] == quoting.written_lines(["draw", "", line])


def test_a_telephone_does_not_hide_what_is_below() -> None:
    """Below the line of a telephone a denial is kept; below a notice and “-- ” nothing is."""
    lines = ["draw", "Sent from my iPhone", "", "Wait, wrong game"]
    notice = ["draw", "This email is confidential.", "If you are not the recipient, delete it"]

    assert ["draw", "Wait, wrong game"] == quoting.written_lines(lines)
    assert ["draw"] == quoting.written_lines(notice)
    assert ["draw"] == quoting.written_lines(["draw", "-- ", "Not all who wander are lost"])


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
