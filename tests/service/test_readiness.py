"""Reasons why the service is not ready."""

import pytest

from service import readiness
from service.desk import Desk
from service.notify import mail_providers
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


def test_a_provider_that_refuses_our_mail_is_a_warning(desk: Desk) -> None:
    """The service stays ready, and the warning names neither the provider nor an address."""
    assert [] == readiness.warnings(readiness.refusing_providers(desk))
    for number in range(mail_providers.LEAST):
        mail_providers.Tally(desk).add(f"player{number}@example.org", refused=True)
    (warning,) = readiness.warnings(readiness.refusing_providers(desk))
    assert "1 mail provider" in warning
    assert "example.org" not in warning
    assert [] == readiness.faults(desk)


def test_a_database_that_is_away_is_no_warning(desk: Desk) -> None:
    """Without its tables the database is a fault, and monitoring goes on."""
    with desk.database.writing() as tx:
        tx.exec_driver_sql("DROP TABLE mail_providers")
    assert [] == readiness.refusing_providers(desk)
