"""A language for tests: every text of the catalogue between brackets, so that others stand out."""

import re
from gettext import NullTranslations

_INNERMOST = re.compile(r"⟦[^⟦⟧]*⟧")
_PLACE = re.compile(r"\{\w+\}")


class Marked(NullTranslations):
    """Says what stands in the code, marked."""

    def gettext(self, message: str) -> str:
        """A text between brackets."""
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same, of the right number."""
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


class Hollow(NullTranslations):
    """Leaves out all words of the catalogue, so that only what was put into them is left."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: set[str] = set()
        """Every text that was said; of those with two numbers the first."""

    def gettext(self, message: str) -> str:
        """The places of a text, without the text."""
        self.heard.add(message)
        return " ".join(_PLACE.findall(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same, of the right number."""
        self.heard.add(msgid1)
        return " ".join(_PLACE.findall(msgid1 if n == 1 else msgid2))


def unmarked(text: str) -> str:
    """What no catalogue has said: the text without all that stands between brackets."""
    while (left := _INNERMOST.sub("", text)) != text:
        text = left
    return text
