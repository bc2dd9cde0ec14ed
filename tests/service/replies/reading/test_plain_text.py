"""Plain text as lines."""

from service.replies.reading.plain_text import cleaned, unflowed, without_armour


def test_flowed_lines_are_joined() -> None:
    """RFC 3676: a line that ends with a space goes on; with DelSp the space is deleted."""
    assert ["take 3", "draw"] == unflowed(["take ", "3", "draw"])
    assert ["take 3"] == unflowed(["ta ", "ke 3"], delete_space=True)


def test_a_signature_and_a_quotation_are_not_joined() -> None:
    """The mark of a signature, and a change of depth, end a flowed paragraph."""
    assert ["draw ", "-- ", "Ada"] == unflowed(["draw ", "-- ", "Ada"])
    assert ["> one ", "draw"] == unflowed(["> one ", "draw"])
    assert ["draw ", "> one"] == unflowed(["draw ", "> one"])


def test_signed_text_is_read_without_its_armour() -> None:
    """OpenPGP's headers, escaped dashes and signature are left out; the text around stays."""
    lines = [
        *("status", "-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", "", "draw", "- -- "),
        *("Ada", "-----BEGIN PGP SIGNATURE-----", "", "1", "-----END PGP SIGNATURE-----", "help"),
    ]

    assert ["status", "draw", "-- ", "Ada", "help"] == list(without_armour(lines))


def test_invisible_characters_are_left_out() -> None:
    """Zero-width characters vanish, controls become spaces, and the signature mark stays."""
    assert "draw" == cleaned("\ufeffdr\u200baw\u00ad ")
    assert "a b" == cleaned("a\x00\u2028b")
    assert "-- " == cleaned("-- \r")
