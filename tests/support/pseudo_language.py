"""Languages for tests, which tell texts of the catalogue from all other texts."""

import re
from gettext import NullTranslations

_INNERMOST = re.compile(r"⟦[^⟦⟧]*⟧")
_PLACE = re.compile(r"\{\w+\}")


class Marked(NullTranslations):
    """Puts every text of the catalogue in brackets, so that other texts stand out."""

    def gettext(self, message: str) -> str:
        """The text in brackets."""
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The singular or the plural in brackets."""
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


class Hollow(NullTranslations):
    """Reduces every text to its placeholders, so that only the values for them are left."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: set[str] = set()
        """All texts that were looked up; for those with a plural, the singular."""

    def gettext(self, message: str) -> str:
        """The placeholders of the text."""
        self.messages.add(message)
        return " ".join(_PLACE.findall(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The placeholders of the singular or the plural."""
        self.messages.add(msgid1)
        return " ".join(_PLACE.findall(msgid1 if n == 1 else msgid2))


def unmarked(text: str) -> str:
    """The text without everything in brackets, which is what the catalogue did not supply."""
    while (left := _INNERMOST.sub("", text)) != text:
        text = left
    return text
