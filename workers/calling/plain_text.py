"""Text that a foreign program shows as it is: no mentions, links or markup."""

import re

WORD_JOINER = "\u2060"
"""Invisible; it keeps a program from reading what stands before and after it as one thing."""
_LINKED = re.compile(r"@(?=\w)|:(?=//)|(?<=\w)\.(?=\w)|/(?=\w)")
_MARKDOWN = re.compile(r"([^\w\s\u2060.,:;!?’“”…–—])")


def inert(text: str) -> str:
    """Return a text in which nothing is taken for a mention, a link or a command."""
    return _LINKED.sub(lambda match: f"{match[0]}{WORD_JOINER}", text)


def without_markdown(text: str) -> str:
    """Return a text with every character escaped that Markdown could mean something by."""
    return _MARKDOWN.sub(r"\\\1", text.replace("_", r"\_"))
