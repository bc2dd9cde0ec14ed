import pytest

from cli.listening.event_stream import LONGEST, ServerEvent, events

STREAM = (
    b"retry: 1000\n\n: still here\n\nid: 5\nevent: decision\ndata: {\xe2\x80\x93}\n\n"
    b"data: a\ndata: b\n\nevent: empty\n\ndata: unfinished"
)


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_events_arrive_in_pieces_of_any_size(size: int, end: bytes) -> None:
    """Events are whole however they are cut; comments, pauses and unfinished ones are none."""
    text = STREAM.replace(b"\n", end)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]

    assert [
        ServerEvent("decision", "{–}", "5"),
        ServerEvent("message", "a\nb", None),
    ] == list(events(pieces))


def test_an_endless_event_is_refused() -> None:
    """A stream that never ends an event does not fill the memory."""
    with pytest.raises(ValueError, match="without an end"):
        list(events([b"data: " + b"x" * LONGEST]))
