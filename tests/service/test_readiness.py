"""Reasons why the service is not ready."""

import pytest

from service import readiness
from service.desk import Desk
from service.people import address_fingerprints
from service.refusals import Refused
from tests.service.support.newcomers import newcomer
from tests.service.support.secret_keys import OTHER_KEY, with_keys

EMAIL = "dan@example.org"


def test_a_lost_key_is_not_replaced_in_silence(desk: Desk) -> None:
    """Without the key of the opt-outs, the service is not ready and refuses addresses."""
    address_fingerprints.find_fingerprint(desk, EMAIL)
    with_keys(desk, OTHER_KEY)
    assert [readiness.LOST_KEY] == readiness.faults(desk)
    with pytest.raises(Refused) as refused:
        newcomer(desk, "Dan", email=EMAIL)
    assert "unavailable" == refused.value.code
