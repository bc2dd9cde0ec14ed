"""Commands for operators."""

import pytest

from service import readiness
from service.desk import Desk
from service.people import opt_outs
from store.tables import mail_opt_outs
from tests.cli.running import run
from tests.service.conftest import SIGNING
from tests.service.support.newcomers import rows
from tests.service.support.secret_keys import OTHER_KEY, with_keys

EMAIL = "dan@example.org"


def test_an_operator_gives_a_lost_key_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`forget-opt-outs` deletes all opt-outs, and the service is ready with its new key."""
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    with_keys(desk, OTHER_KEY)
    monkeypatch.setenv("DATABASE_URL", desk.settings.database_url)
    monkeypatch.setenv("SECRET_KEYS", OTHER_KEY)
    done = run("db", "forget-opt-outs", "--yes")
    assert (0, True) == (done.exit_code, "Deleted 1 opt-outs." in done.output)
    assert ([], []) == (readiness.faults(desk), rows(desk, mail_opt_outs, "mailbox"))


def test_an_operator_takes_an_opt_out_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """`write-again` deletes the opt-out of one address, and fails for an invalid address."""
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    monkeypatch.setenv("DATABASE_URL", desk.settings.database_url)
    monkeypatch.setenv("SECRET_KEYS", SIGNING)
    for expected in ("Deleted the opt-out", "had not opted out"):
        done = run("db", "write-again", "Dan+x@example.org")
        assert (0, True) == (done.exit_code, expected in done.output)
    assert 1 == run("db", "write-again", "nonsense").exit_code
