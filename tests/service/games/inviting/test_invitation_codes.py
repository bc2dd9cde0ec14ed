"""Codes of invitations."""

from dataclasses import replace

import pytest

from service.desk import Desk
from service.games.inviting import invitation_codes


def test_a_code_names_its_invitation(desk: Desk) -> None:
    """A code leads to the payload of its invitation, also after the keys have changed."""
    code = invitation_codes.code_of(desk, "some")
    keys = ("a new key that is long enough to be one", *desk.settings.secret_keys)
    for now in (desk, desk._replace(settings=replace(desk.settings, secret_keys=keys))):
        payload = invitation_codes.payload_of(now, code)
        assert payload is not None
        assert "some" == payload["invitation"]


@pytest.mark.parametrize("code", ["", "some", "some" + "0" * invitation_codes.LENGTH, "Ä" * 30])
def test_a_code_cannot_be_made_up(desk: Desk, code: str) -> None:
    """A code with another end, or none, leads nowhere."""
    assert invitation_codes.payload_of(desk, code) is None
