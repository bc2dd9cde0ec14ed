"""Finds the lines that a person wrote in a reply, above, below and between quotations.

Quotations, signatures and courtesies are set aside. Every other line is kept, also if it makes no
sense: it is where reading the commands stops.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from service.replies.reading import courtesies
from service.replies.reading.denial_words import denies
from service.replies.reading.limits import LONGEST_KEPT, MOST_LINES, MOST_SCANNED
from service.replies.reading.plain_text import cleaned
from service.replies.reading.quotations import (
    MARKER,
    has_marker,
    introduction,
    is_quoted,
    is_rest_of_quotation,
)
from service.replies.reading.signatures import (
    LONGEST_NOTICE,
    begins_signature,
    is_mark,
    is_notice,
)

__all__ = ["MARKER", "MOST_LINES", "MOST_SCANNED", "Written", "written", "written_lines"]

_COPIED_NUMBER = re.compile(r"[A-Z]?[0-9]{1,3}\.")


class Written(NamedTuple):
    """What a person wrote in a reply."""

    lines: tuple[str, ...]
    """The lines to be read as commands; one more than MOST_LINES if there are more."""
    message: tuple[str, ...]
    """The same lines with greetings, closings and thanks, for a message to people.

    If there are none, a line that begins like a legal notice: “This message made me laugh!”
    """
    aside: tuple[str, ...]
    """Lines that are quoted, a signature or a courtesy."""


def written_lines(lines: Sequence[str], display_name: str = "") -> list[str]:
    """Return the lines of a reply that are to be read as commands."""
    return list(written(lines, display_name).lines)


def written(lines: Sequence[str], display_name: str = "") -> Written:
    """Sort the lines of a reply; `display_name` is the writer's, with which mails are signed."""
    blocks, aside = _blocks([cleaned(line) for line in lines[:MOST_SCANNED]])
    names = courtesies.names_of(display_name)
    kept: list[str] = []
    message: list[str] = []
    for block in blocks:
        lines_of_block = courtesies.sort(block, names, is_first=not kept)
        kept += _with_copied_numbers(lines_of_block.lines)
        message += block
        aside += lines_of_block.aside
    if not message and aside and is_notice(aside[0]) and len(aside[0]) <= LONGEST_NOTICE:
        message = aside[:1]
    most = MOST_LINES + 1
    return Written(_bounded(kept), tuple(message[:most]), tuple(aside))


def _bounded(lines: Sequence[str]) -> tuple[str, ...]:
    """Return at most one line more than are carried out; one that denies something, if possible."""
    more = lines[MOST_LINES:]
    last = next(filter(denies, more), more[0]) if more else None
    return (*lines[:MOST_LINES], *([] if last is None else [last]))


def _blocks(lines: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Return the pieces of a reply between quotations, and the lines that are not part of them."""
    blocks: list[list[str]] = [[]]
    aside: list[str] = []
    in_signature = is_ended = has_notice = False
    number = 0
    while number < len(lines):
        line = lines[number]
        if is_quoted(line) or (line and is_rest_of_quotation(lines, number)):
            aside.append(line)
            in_signature, has_notice = is_ended, False
            blocks.append([])
        elif line and has_marker(line):
            break
        elif line and (length := introduction(lines, number)):
            if not _is_quoted_next(lines, number + length):
                break  # what follows is the original, without marks
            aside += lines[number : number + length]
            number += length - 1
            is_ended = False
        elif begins_signature(line) or (
            in_signature and (is_ended or has_notice or not denies(line))
        ):
            # A signature may quote somebody; below its mark only an introduction ends it. Below
            # the line of a telephone somebody may go on, and take back what stands above.
            is_ended = is_ended or is_mark(line)
            has_notice = has_notice or is_notice(line)
            in_signature = True
            aside.append(line)
        elif line:
            blocks[-1].append(line[:LONGEST_KEPT])
        number += 1
    return list(filter(None, blocks)), list(filter(None, [*aside, *lines[number:]]))


def _is_quoted_next(lines: Sequence[str], number: int) -> bool:
    """Return whether the next line that is not empty is marked as quoted."""
    while number < len(lines) and not lines[number]:
        number += 1
    return number < len(lines) and is_quoted(lines[number])


def _with_copied_numbers(lines: Sequence[str]) -> list[str]:
    """Put “3.” and the next line together: the number and the words of an option of our letter.

    Read apart, they would be played twice. In a letter about several games it may be “B3.”.
    """
    joined: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            joined[-1] = f"{joined[-1]} {line}"[:LONGEST_KEPT]
        else:
            joined.append(line)
        is_open = not is_open and _COPIED_NUMBER.fullmatch(line) is not None
    return joined
