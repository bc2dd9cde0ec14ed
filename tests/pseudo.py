"""A language for tests: every text of the catalogue between brackets, so that others stand out."""

import re
from gettext import NullTranslations

_INNERMOST = re.compile(r"⟦[^⟦⟧]*⟧")


class Marked(NullTranslations):
    """Says what stands in the code, marked."""

    def gettext(self, message: str) -> str:
        """A text between brackets."""
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same, of the right number."""
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


def unmarked(text: str) -> str:
    """What no catalogue has said: the text without all that stands between brackets."""
    while (left := _INNERMOST.sub("", text)) != text:
        text = left
    return text
