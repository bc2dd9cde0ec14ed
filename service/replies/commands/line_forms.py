"""Tidies a line of a reply before it is read as a command.

Marks around the line, polite words and the usual forms of a number change nothing about what is
meant. Everything else stays as it was written, and the command that reads it may refuse it. A line
is tidied without looking at the game, so that it reads the same when the reply is read again.
"""

import re

from engine.orders import without_order_words
from service.replies.reading.courtesy_words import FRIENDLY, POLITE
from service.replies.reading.denial_words import denies
from service.replies.reading.words import folded

MOST_ROUNDS = 4
"""Marks and polite words that may stand around each other, as in “*3* please!”."""
MOST_POLITE = max(len(phrase.split()) for phrase in POLITE)

_MESSAGES = ("say",)
"""Commands after which a message to people follows."""
_PAIRS = ("**", "__", '""', "''", "``", "“”", "„“", "„”", "«»", "»«", "‚‘", "‘’", "()", "[]")  # noqa: RUF001  # quotation marks
"""Marks around a line."""
_BULLETS = ("- ", "* ", "• ", "· ", "– ", "→ ", "-> ")
_AFTER = " \t!.,;\N{FULLWIDTH EXCLAMATION MARK}\N{IDEOGRAPHIC FULL STOP}"
_PICTURES = "".join(FRIENDLY) + " \ufe0f\u200d🏻🏼🏽🏾🏿"
_DENIALS = tuple("👎❌🚫⛔✖")
_WITH_DENIALS = ("absence cancel",)
"""Commands with a word that elsewhere takes something back."""
_SMILEYS = (":-)", ":)", ";-)", ";)", ":-D", ":D", "^^", "<3")
_LABELS = (
    *("option", "number", "no.", "nr", "move", "choice", "nummer", "zug", "numéro", "numero"),
    *("opción", "opcion", "número", "opção", "opcao", "opțiunea", "optiunea", "numărul", "numarul"),
    *("varianta", "opzione", "optie", "zet", "n°", "nº", "n.º", "n.°", "n."),
)
"""Words before the number of an option; “no 3” without a full stop may be a refusal."""
_CHOOSES = (
    *("i choose", "i'd choose", "i pick", "my choice is", "i choose the", "i'll choose"),
    *("ich wähle", "ich nehme die", "je choisis", "je choisis l'", "elijo", "elijo la", "escolho"),
    *("escolho a", "aleg", "scelgo", "scelgo l'", "ik kies", "ik kies voor"),
)
"""Words before a number or an option. “I take 3” is none: it might mean the third card."""
_TAKES = (
    *(
        "i take",
        "i'll take",
        "i would like",
        "i'd like",
        "ich nehme",
        "je prends",
        "tomo",
        "quiero",
    ),
    *("prendo", "ik neem", "iau", "eu iau", "quero", "i'll go with", "i go with"),
)
"""Words before an option, where a number alone might mean something else."""


def _either(words: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_NUMBER = re.compile(
    rf"(?:(?:(?:{_either((*_CHOOSES, *_TAKES))})\s*)?(?P<label>{_either(_LABELS)})[:.]?\s*"
    rf"|(?:{_either(_CHOOSES)})\s+)?"
    r"(?P<before>[#№(\[*]{0,3})\s?(?P<number>[0-9]{1,3})(?P<after>[)\].:*]{0,3})(?P<rest>\s.*)?",
    re.IGNORECASE,
)


def tidied(text: str) -> str:
    """Return the command in a line, without marks and polite words around it."""
    bare = text.strip()
    if has_message(bare):
        return bare
    for _ in range(MOST_ROUNDS):
        before = bare
        bare = _without_polite(_without_marks(bare))
        if bare == before:
            break
    if not bare:
        return text
    number = _NUMBER.fullmatch(bare)
    return _numbered(number) if number else bare


def _numbered(match: re.Match[str]) -> str:
    """Return the number of an option and what follows it.

    A colon after the number says that it names an option, as in “Option 3” and “3) 1 2”; then it
    is never one of several numbers in a list.
    """
    label, *marks, number, rest = match.group("label", "before", "after", "number", "rest")
    is_label = label or (any(marks) and rest)
    return f"{number}{':' if is_label else ''}{rest or ''}"


def has_message(text: str) -> bool:
    """Return whether a line begins a message to people, in which every word counts."""
    first, *others = folded(text).split(" ", 2)
    # In a reply about several games the letter of the game stands before the command.
    return first in _MESSAGES or (len(first) == 1 and others[:1] != [] and others[0] in _MESSAGES)


def begins_message(text: str) -> bool:
    """Return whether a line is `say` alone; then all lines after it are the message."""
    return has_message(text) and not message_in(text)


def message_in(text: str) -> str:
    """Return the message in the same line as `say`; empty if there is none."""
    _, *message = text.split(maxsplit=1)
    return message[0].strip() if message else ""


def takes_something_back(text: str) -> bool:
    """Return whether a line denies what stands above it, as “no, rather 5”; no command does."""
    command = tidied(text)
    if folded(command) in _WITH_DENIALS:
        return False
    return text.strip()[:1] in _DENIALS or denies(without_order_words(command))


def _without_marks(text: str) -> str:
    for bullet in _BULLETS:
        text = text.removeprefix(bullet)
    text = text.strip(_PICTURES)
    for smiley in _SMILEYS:
        text = text.removesuffix(smiley)
    text = text.rstrip(_AFTER).strip()
    if len(text) > 2 and text[0] + text[-1] in _PAIRS and text[-1] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _without_polite(text: str) -> str:
    """Return the words without polite phrases around them, unless nothing else is left."""
    words = text.split()
    for count in range(min(MOST_POLITE, len(words) - 1), 0, -1):
        if folded(" ".join(words[:count])) in POLITE:
            words = words[count:]
            break
    for count in range(min(MOST_POLITE, len(words) - 1), 0, -1):
        if folded(" ".join(words[-count:])) in POLITE:
            words = words[:-count]
            break
    return " ".join(words)
