"""Turns plain text into lines as they were typed: cleaned, joined, and without OpenPGP armour."""

import unicodedata
from collections.abc import Iterable, Iterator

from service.replies.reading.limits import LONGEST_LINE

SIGNATURE_MARK = "-- "

_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_END = "-----END PGP SIGNATURE-----"


def cleaned(line: str) -> str:
    """Return a line in normal form NFC, without invisible characters."""
    if line.rstrip("\r") == SIGNATURE_MARK:
        return SIGNATURE_MARK
    bare = unicodedata.normalize("NFC", line[:LONGEST_LINE])
    shown = (char if char.isprintable() else " " for char in bare if char not in _ZERO_WIDTH)
    return " ".join("".join(shown).split())


def unflowed(lines: Iterable[str], *, delete_space: bool = False) -> list[str]:
    """Join lines that a mail program broke as format=flowed (RFC 3676).

    With DelSp=yes the space at the end of a broken line was added by the program.
    """
    joined: list[str] = []
    is_open = False
    for line in lines:
        bare = line.removeprefix(" ")
        if is_open and not bare.startswith(">") and bare != SIGNATURE_MARK:
            if len(joined[-1]) < LONGEST_LINE:
                joined[-1] = (joined[-1][:-1] if delete_space else joined[-1]) + bare
        else:
            joined.append(bare)
        # A paragraph ends where the depth of the quotation changes.
        is_open = bare.endswith(" ") and bare != SIGNATURE_MARK and not bare.startswith(">")
    return joined


def without_armour(lines: Iterable[str]) -> Iterator[str]:
    """Leave out what OpenPGP adds to signed text: headers, escaped dashes and the signature."""
    is_head = is_signed = is_signature = False
    for line in lines:
        mark = line.rstrip()
        if mark == _SIGNED:
            is_head = is_signed = True
        elif mark == _SIGNATURE and is_signed:
            is_signed, is_signature = False, True
        elif is_signature:
            is_signature = mark != _END
        elif is_head:
            is_head = bool(mark)
        else:
            yield line[2:] if is_signed and line.startswith("- ") else line
