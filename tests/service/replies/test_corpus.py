"""Replies as people write them: by program, language and habit; read as they were meant or not.

`pytest -s tests/service/replies/test_corpus.py` prints how each class of mails was read.
"""

from collections import Counter
from collections.abc import Iterable
from email import message_from_bytes
from pathlib import Path
from types import ModuleType

import pytest

from service.replies import quoting
from service.replies.commands import line_forms
from service.replies.reading import courtesies, html_styles, html_text, signatures
from service.replies.reading.words import may_be_command
from tests.service.replies.corpus import generated
from tests.service.replies.corpus.clients import CLIENTS
from tests.service.replies.corpus.generated import Sample
from tests.service.replies.corpus.languages import LANGUAGES
from tests.service.replies.corpus.reader import ASIDE, READ, UNREAD, WRONG, reading, verdict

MAILS = sorted((Path(__file__).parent / "corpus" / "mails").glob("*.eml"))
SHARE = 0.95
"""The share of readable mails that have to be read without a remark."""


def _meant(raw: bytes) -> list[str]:
    commands = message_from_bytes(raw)["X-Commands"]
    return [command.strip() for command in commands.split("|") if command.strip()]


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.stem)
def test_a_written_mail_is_read_as_it_was_meant(path: Path) -> None:
    """Each mail of the corpus is read, left aside or not read, as its header says."""
    raw = path.read_bytes()

    assert message_from_bytes(raw)["X-Expect"] == verdict(raw, _meant(raw)), reading(raw)


def _table(samples: Iterable[Sample]) -> dict[str, Counter[str]]:
    """How the mails of each habit were read."""
    table: dict[str, Counter[str]] = {}
    for sample in samples:
        table.setdefault(sample.habit, Counter())[verdict(sample.raw, sample.meant)] += 1
    return table


def _print(table: dict[str, Counter[str]]) -> None:
    columns = (READ, ASIDE, UNREAD, WRONG)
    print(f"\n{'class':34}{'n':>6}" + "".join(f"{column:>12}" for column in columns))  # noqa: T201
    for habit, counts in table.items():
        numbers = "".join(f"{counts[column]:12}" for column in columns)
        print(f"{habit:34}{counts.total():6}{numbers}")  # noqa: T201  # for pytest -s


def _total(table: dict[str, Counter[str]]) -> Counter[str]:
    return sum(table.values(), Counter())


def test_mails_are_read_whatever_wrote_them() -> None:
    """Of mails by every program in every language, 95 % are read, and none is read wrongly."""
    table = _table(generated.readable())
    _print(table)
    total = _total(table)

    assert 0 == total[WRONG]
    assert total.total() >= 1000
    assert SHARE <= total[READ] / total.total()
    assert all(SHARE <= counts[READ] / counts.total() for counts in table.values())
    assert len(CLIENTS) >= 20
    assert len(LANGUAGES) >= 15


def test_reading_stops_at_what_is_not_understood() -> None:
    """Doubts, refusals, changed minds and nonsense stop the reading; nothing else is played."""
    table = _table(generated.unreadable())
    _print(table)

    assert {UNREAD} == set(_total(table))


def test_courtesies_alone_are_no_commands() -> None:
    """Mails with nothing but courtesies and signatures have no commands, and stop nothing."""
    table = _table(generated.empty())
    _print(table)

    assert {ASIDE} == set(_total(table))


def _wrong_mails() -> list[str]:
    return [path.stem for path in MAILS if verdict(raw := path.read_bytes(), _meant(raw)) == WRONG]


def test_skipping_unknown_lines_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a reader that sets every strange line aside plays what was not meant."""
    monkeypatch.setattr(courtesies, "_is_only_polite", lambda line: not may_be_command(line))

    assert "misspelt-then-move" in _wrong_mails()


def test_reading_struck_out_text_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: struck-out text that is read makes moves that were not meant."""
    monkeypatch.setattr(html_text, "_STRUCK", frozenset())

    assert "html-struck-out-styles" in _wrong_mails()


def test_joining_cells_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: cells that are joined into one line make moves that were not meant."""
    monkeypatch.setattr(html_text, "_BREAKS", html_text._BREAKS - {"td"})

    assert "html-cells" in _wrong_mails()


def test_reading_an_original_without_marks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the letter that Outlook quotes without marks is taken for the answer."""
    monkeypatch.setattr(quoting, "_is_quoted_next", lambda *_: True)

    assert {"outlook-bold-headers", "outlook-original-without-marks"} <= set(_wrong_mails())


def test_reading_hidden_text_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: text that styles hide makes moves that were not meant."""
    monkeypatch.setattr(html_text, "sheet_of", lambda _: {})
    assert {"html-struck-out-by-class", "html-hidden-by-class"} <= set(_wrong_mails())

    monkeypatch.setattr(html_text, "style_of", lambda _: html_styles.PLAIN)
    assert {"html-hidden-sizes", "html-white-on-white"} <= set(_wrong_mails())

    monkeypatch.setattr(html_text, "_CLOSED", frozenset())
    assert "html-closed-elements" in _wrong_mails()


@pytest.mark.parametrize(
    ("module", "function", "mails"),
    [
        (line_forms, "denies", {"retraction-below", "undo"}),
        (courtesies, "denies", {"closing-with-a-condition"}),
        (signatures, "_is_about_move", {"signature-that-denies"}),
    ],
)
def test_overlooking_a_denial_is_noticed(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, function: str, mails: set[str]
) -> None:
    """Planted fault: a reader that overlooks denials plays moves that were taken back."""
    monkeypatch.setattr(module, function, lambda _: False)

    assert mails <= set(_wrong_mails())
