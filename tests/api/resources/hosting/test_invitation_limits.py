"""Limits on invitations: how many, how often, and to whom."""

from pathlib import Path

import pytest

from tests.api.inviting import EMAIL, Tables
from tests.promises.support.database_checks import rows


def test_the_same_person_is_asked_once(tables: Tables) -> None:
    """Inviting the same person again returns the same invitation, and sends no second email."""
    made = [tables.invite(email=EMAIL).json for _ in range(3)]

    assert made[0] == made[1] == made[2]
    assert [EMAIL] == tables.letters()


def test_repeats_are_one_invitation(tables: Tables) -> None:
    """A repeated Idempotency-Key gets the same response; with another body it is refused."""
    headers = {**tables.host, "Idempotency-Key": "k" * 16}
    made = [tables.invite(headers=headers, email=EMAIL) for _ in range(2)]

    assert [201, 201] == [response.status_code for response in made]
    assert made[0].json == made[1].json
    assert 422 == tables.invite(headers=headers, email="eve@example.org").status_code


def test_letters_to_an_address_are_few(tables: Tables) -> None:
    """An address gets three invitations a day, counted over all tables."""
    for _ in range(5):
        assert 201 == tables.invite(tables.opened(), email=EMAIL).status_code

    assert [EMAIL] * 3 == tables.letters()


def test_an_account_asks_ten_an_hour(tmp_path: Path) -> None:
    """A host can invite ten people an hour; withdrawing an invitation does not lower the count."""
    tables = Tables(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_INVITATIONS="10/hour,30/day")
    tables.game = tables.opened(seats=5)
    made = [tables.invite(email=f"dan{n}@example.org") for n in range(11)]

    assert [201] * 10 + [429] == [response.status_code for response in made]
    assert 0 < int(made[-1].headers["Retry-After"]) <= 3600
    id = (made[0].json or {})["id"]
    url = f"/v1/games/{tables.game}/invitations/{id}"
    assert 204 == tables.web.delete(url, headers=tables.host).status_code
    assert 429 == tables.invite(email="eve@example.org").status_code
    tables.desk.close()


def test_a_table_asks_five_for_each_seat(tables: Tables) -> None:
    """A table can have five open invitations for each seat."""
    made = [tables.invite(email=f"dan{n}@example.org").status_code for n in range(16)]

    assert [201] * 15 + [409] == made


@pytest.mark.parametrize(
    ("invited", "status"),
    [
        ({}, 400),
        ({"name": "Ben", "email": EMAIL}, 400),
        ({"email": "nonsense"}, 400),
        ({"name": "Nobody at all"}, 404),
        ({"name": "Ada"}, 409),
        ({"name": "x" * 41}, 400),
        ({"seat": "1"}, 400),
    ],
)
def test_odd_invitations_are_refused(tables: Tables, invited: dict[str, str], status: int) -> None:
    """An invitation to no one, to two at once, to oneself or to a bad address is refused."""
    before = rows(tables.desk.database)

    assert status == tables.invite(**invited).status_code
    assert before == rows(tables.desk.database)


def test_new_accounts_are_counted(tmp_path: Path) -> None:
    """Accounts created on pages count towards the limit of their client address."""
    tables = Tables(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_ACCOUNTS="2/day")
    link = tables.link(email=EMAIL)
    tables.web.post("/v1/accounts", json={"name": "Ben"})

    assert 429 == tables.web.post(link, data={"choice": "new", "name": "Dan"}).status_code
    assert ["Ada"] == tables.names()
    tables.desk.close()
