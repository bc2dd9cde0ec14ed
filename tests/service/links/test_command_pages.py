"""The page on which the owner of an address confirms a mail to the service."""

from typing import Any

import pytest

from service.desk import Desk
from service.links import command_pages, signed_links
from service.replies.service_commands import runner
from store.people import accounts
from tests.service.support.office import Office, office_at


@pytest.fixture
def office(desk: Desk) -> Office:
    """A desk with the player Ada."""
    office = office_at(desk)
    office.player("Ada", "ada@example.org")
    return office


def _payload(office: Office, *lines: str) -> dict[str, Any]:
    ada = office.account("Ada")
    assert ada is not None
    link = signed_links.confirm_commands(office.desk, ada.id, "Ada@example.org", list(lines))
    payload = signed_links.read(office.desk, "commands", link.rpartition("/")[2])
    assert payload is not None
    return payload


def test_two_clicks_at_once_carry_the_lines_out_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second click while the first is carried out shows the same, and does nothing twice."""
    payload, carry_out, pages = _payload(office, "open usa 2"), runner.carry_out, []

    def click_again(*args: Any) -> runner.ServiceOutcome:
        monkeypatch.setattr(runner, "carry_out", carry_out)
        pages.append(command_pages.commands_page(office.desk, payload, "play"))
        return carry_out(*args)

    monkeypatch.setattr(runner, "carry_out", click_again)
    pages.append(command_pages.commands_page(office.desk, payload, "play"))
    assert "played" == pages[0]["stands"]
    assert pages[0] == pages[1]
    assert 1 == office.tables()
    assert "done" == command_pages.commands_page(office.desk, payload)["stands"]


@pytest.mark.parametrize(
    "change", [{"email": "new@example.org"}, {"email_confirmed": None}, {"email": None}]
)
def test_the_link_ends_with_the_address(office: Office, change: dict[str, Any]) -> None:
    """A link that was sent to an earlier address of the account does nothing."""
    payload, ada = _payload(office, "open usa 2"), office.account("Ada")
    assert ada is not None
    with office.desk.database.writing() as tx:
        accounts.change(tx, ada.id, change)
    assert {"stands": "gone"} == command_pages.commands_page(office.desk, payload, "play")
    assert 0 == office.tables()
