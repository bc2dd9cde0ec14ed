import pytest

from store.games.packing import packed, unpacked

LINE = (
    '{"action":{"slot":3,"type":"draw_face_up"},"at":"2030-01-02T03:04:05.678Z","events":'
    '[{"card":"yellow","replacement":"locomotive","seat":0,"slot":3,"type":"card_taken"}],'
    '"move":4,"seat":0,"source":"api"}'
)
STORED = "0123c3e7c606ba0686ba064621406f1b98581998ea99995b60f739bc0740a9d7e17e33c1e635b04f00"


@pytest.mark.parametrize("line", [LINE, "", "{}", "é🚂\n" * 9, "ab" * 40_000])
def test_a_line_comes_back_as_it_was(line: str) -> None:
    """A line survives packing and unpacking unchanged, however odd or long it is."""
    assert line == unpacked(packed(line))


def test_a_usual_line_takes_a_quarter() -> None:
    """A typical line is packed to less than a quarter of its length."""
    assert len(packed(LINE)) * 4 < len(LINE)


def test_a_line_that_was_stored_once_can_be_read_for_ever() -> None:
    """A line that was packed with the first dictionary can still be unpacked."""
    assert LINE == unpacked(bytes.fromhex(STORED))


def test_a_line_of_a_later_version_is_not_guessed_at() -> None:
    """Unpacking a line with an unknown dictionary raises an error that names the dictionary."""
    with pytest.raises(ValueError, match="dictionary 9"):
        unpacked(b"\t" + packed(LINE)[1:])
