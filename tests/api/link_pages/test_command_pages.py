"""The page on which a player confirms a mail to the service."""

from service import account_deletion
from service.people import tokens
from tests.promises.support.database_checks import rows
from tests.support.mail_links import Place


def _tables(place: Place) -> int:
    return len(rows(place.desk.database)["games"])


def test_lines_are_carried_out_once(place: Place) -> None:
    """The page shows the lines, carries them out when told to, and only once."""
    link, before = place.commands("open usa 2", "dance"), _tables(place)
    assert "<li>open usa 2</li>" in place.web.get(link).text
    assert before == _tables(place)
    played = place.web.post(link, data={"choice": "play"})
    assert "Your table “USA” (USA) is open." in played.text
    assert "We do not know this command." in played.text
    again = place.web.post(link, data={"choice": "play"})
    assert "carried out, once" in again.text
    assert before + 1 == _tables(place)


def test_a_mail_by_somebody_else_does_nothing(place: Place) -> None:
    """“That wasn’t me” and “later” change nothing, and a choice that is none is refused."""
    link, before = place.commands("open usa 2"), _tables(place)
    assert "your account is safe" in place.web.post(link, data={"choice": "no"}).text
    assert "link in the email still works" in place.web.post(link, data={"choice": "later"}).text
    assert 400 == place.web.post(link, data={"choice": "dance"}).status_code
    assert before == _tables(place)


def test_the_link_ends_with_the_account(place: Place) -> None:
    """The link of an account that was deleted leads to a page that says so."""
    link = place.commands("open usa 2")
    account_deletion.delete(place.desk, tokens.Caller(place.players[0], "", frozenset()))
    assert 410 == place.web.get(link).status_code
