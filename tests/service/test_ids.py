"""Random ids."""

import re

import pytest

from service import ids


@pytest.mark.parametrize(
    ("number", "length", "text"),
    [(0, 3, "aaa"), (61, 1, "9"), (62, 2, "ba"), (62**3 - 1, 3, "999")],
)
def test_a_number_is_encoded_at_full_length(number: int, length: int, text: str) -> None:
    """A number is encoded in base 62 and padded on the left."""
    assert text == ids.encoded(number, length)


def test_ids_are_long_and_differ() -> None:
    """Ids are different strings of 22 letters and digits, enough for 128 bits."""
    made = {ids.new_id() for _ in range(1000)}

    assert 1000 == len(made)
    assert all(re.fullmatch("[A-Za-z0-9]{22}", id) for id in made)
    assert 62**22 > 2**128
