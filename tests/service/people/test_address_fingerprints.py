"""Fingerprints of addresses: their key, and the mailbox that an address leads to."""

import pytest

from service import housekeeping, readiness
from service.desk import Desk
from service.people import address_fingerprints
from tests.service.conftest import SIGNING
from tests.service.support.secret_keys import OTHER_KEY, with_keys
from tests.service.support.threads import at_once

EMAIL = "dan@example.org"


@pytest.mark.parametrize(
    ("email", "expected"),
    [
        ("Dan@Example.org", "dan@example.org"),
        ("dan+a+b@example.org", "dan@example.org"),
        ("+dan@example.org", "+dan@example.org"),
        ("d.an@example.org", "d.an@example.org"),
        ("d.a.n+x@gmail.com", "dan@gmail.com"),
        ("Dan@googlemail.com", "dan@gmail.com"),
    ],
)
def test_an_address_leads_to_a_mailbox(email: str, expected: str) -> None:
    """Case and tags make no difference, nor do dots where the provider ignores them."""
    assert expected == address_fingerprints.mailbox(email)


def test_the_key_is_made_once(each_desk: Desk) -> None:
    """Of many concurrent requests one makes the key, and all use the same."""

    def made(_: int) -> str:
        with each_desk.database.writing() as tx:
            return address_fingerprints.fingerprint(each_desk, tx, EMAIL)

    assert 1 == len({*at_once(8, made), address_fingerprints.find_fingerprint(each_desk, EMAIL)})


def test_the_key_outlives_the_keys_that_seal_it(desk: Desk) -> None:
    """When SECRET_KEYS change, the key is encrypted again, and fingerprints stay the same."""
    before = address_fingerprints.find_fingerprint(desk, EMAIL)
    housekeeping.tidy(with_keys(desk, OTHER_KEY, SIGNING))
    assert before == address_fingerprints.find_fingerprint(with_keys(desk, OTHER_KEY), EMAIL)
    assert [] == readiness.faults(desk)
