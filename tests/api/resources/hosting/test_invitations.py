"""Invitations by name and by email."""

from datetime import timedelta

import pytest

from service import account_deletion, refusals
from service.desk import Desk
from service.games import reading
from service.games.inviting import invitation_letters
from service.links import signed_links
from service.notify import outbox
from service.people.tokens import Caller
from store import timestamps
from store.people import accounts
from store.tables import accounts as account_rows
from store.tables import deliveries
from store.tables import invitations as invitations_table
from tests.api.inviting import EMAIL, Tables
from tests.api.serving import newcomer
from tests.promises.support.database_checks import rows
from tests.service.support.newcomers import rows as desk_rows
from tests.service.support.owing import claim_mail
from tests.service.support.tables import owed
from tests.support.mail_links import Place, choices, path


def test_an_account_is_asked_by_name(each: Tables) -> None:
    """An account invited by name is notified, sees the table and joins by a choice on the page."""
    ben, _ = newcomer(each.web, "Ben")
    link = each.link(name="ben")

    assert [("invited", ben["id"], None)] == owed(each.desk, "invited")
    page = each.web.get(link)
    assert 200 == page.status_code
    for fact in ("Ada", "Evening train", "3, 2 of them free", "Yes, as Ben"):
        assert fact in page.text
    assert [f"as {ben['id']}", "no", "later"] == choices(page)
    choice = {"choice": f"as {ben['id']}"}
    assert "You have a seat" in each.web.post(link, data=choice, follow_redirects=True).text
    assert ["Ada", "Ben"] == each.names()
    assert ["accepted"] == [invitation["state"] for invitation in each.listed()]
    again = each.web.post(link, data={"choice": f"as {ben['id']}"})
    assert (200, True) == (again.status_code, "You are already at this table" in again.text)


def test_a_stranger_is_asked_by_mail(each: Tables) -> None:
    """A stranger gets one email, chooses a name, and their address counts as confirmed."""
    link = each.link(email=EMAIL)

    assert [] == owed(each.desk, "invited")
    assert [EMAIL] == each.letters()
    assert ["new", "no", "never", "later"] == choices(each.web.get(link))
    answer = each.web.post(link, data={"choice": "new", "name": "Dan"})
    assert (303, f"/games/{each.game}") == (answer.status_code, answer.headers["Location"])
    table = each.web.get(answer.headers["Location"]).text
    assert "You are here as Dan" in table
    assert "You have a seat" in table
    dan = each.table().seated[1]
    assert "Dan" == dan.name
    with each.desk.database.reading() as tx:
        account = accounts.account(tx, dan.account or "")
    assert account is not None
    assert EMAIL == account.email
    assert account.email_confirmed is not None
    assert [] == owed(each.desk, "confirm_address")
    again = each.web.post(link, data={"choice": "new", "name": "Dan"})
    assert (200, True) == (again.status_code, "You are already at this table" in again.text)


@pytest.mark.parametrize("name", ["", "  ", "Ada", "x" * 41, "two\nlines", "bad\u202ename"])
def test_a_name_must_be_free(tables: Tables, name: str) -> None:
    """An invalid name is refused on the page, which keeps the input; nothing else changes."""
    link = tables.link(email=EMAIL)
    before = rows(tables.desk.database)
    answer = tables.web.post(link, data={"choice": "new", "name": name})

    assert 400 == answer.status_code
    assert 'role="alert"' in answer.text
    assert ["new", "no", "never", "later"] == choices(answer)
    assert before == rows(tables.desk.database)


def test_an_address_with_an_account_is_treated_alike(tables: Tables) -> None:
    """The host cannot tell whether an address has an account; its owner can join with it."""
    known, _ = newcomer(tables.web, "Ben", email="ben@example.org")
    newcomer(tables.web, "Cem", email="cem@example.org")
    with tables.desk.database.writing() as tx:
        accounts.change(tx, known["id"], {"email_confirmed": tables.desk.now()})
    mails = ("ben@example.org", "cem@example.org", EMAIL)
    made = [tables.invite(email=mail).json or {} for mail in mails]

    assert 1 == len({tuple(sorted(invitation)) for invitation in made})
    assert [(row["host"], row["name"], row["state"]) for row in made] == [("Ada", None, "open")] * 3
    assert [(True, False)] * 2 + [(False, True)] == [
        (row["reserved_until"] is not None, row["waits"]) for row in made
    ]
    assert sorted(mails) == sorted(tables.letters())
    pages = [
        choices(tables.web.get(path(signed_links.invitation(tables.desk, invitation["id"]))))
        for invitation in made
    ]
    assert [f"as {known['id']}", "new"] == pages[0][:2]
    assert ["new", "new"] == [page[0] for page in pages[1:]]
    link = path(signed_links.invitation(tables.desk, made[0]["id"]))
    assert 400 == tables.web.post(link, data={"choice": f"as {tables.account['id']}"}).status_code
    assert 303 == tables.web.post(link, data={"choice": f"as {known['id']}"}).status_code
    assert ["Ada", "Ben"] == tables.names()


def test_an_invitation_is_declined(each: Tables) -> None:
    """Declining closes the invitation, forgets the address and bars another one to that table."""
    newcomer(each.web, "Ben")
    for who in ({"name": "Ben"}, {"email": EMAIL}):
        link = each.link(**who)
        assert 200 == each.web.post(link, data={"choice": "no"}).status_code
        again = each.web.get(link)
        assert (200, True) == (again.status_code, "Declined" in again.text)
        assert 403 == each.invite(**who).status_code
    assert {"declined"} == {invitation["state"] for invitation in each.listed()}
    assert EMAIL not in str(desk_rows(each.desk, invitations_table, "email"))
    assert ["Ada"] == each.names()


@pytest.mark.parametrize("data", [{"choice": "never"}, {"List-Unsubscribe": "One-Click"}])
def test_an_address_is_left_alone(tables: Tables, data: dict[str, str]) -> None:
    """An address that opts out gets no more invitations from any host, and no host can tell."""
    assert 200 == tables.web.post(tables.link(email=EMAIL), data=data).status_code
    other = tables.opened()
    answer = tables.invite(other, email=EMAIL)

    assert (201, "open") == (answer.status_code, (answer.json or {})["state"])
    assert 1 == len(desk_rows(tables.desk, deliveries, "id"))


@pytest.mark.parametrize("how", ["bounced", "off"])
def test_an_unwilling_address_gets_no_letter(tables: Tables, how: str) -> None:
    """An address that bounces, or whose account has mail switched off, gets no email."""
    dan, headers = newcomer(tables.web, "Dan", email=EMAIL)
    with tables.desk.database.writing() as tx:
        now = tables.desk.now()
        accounts.change(tx, dan["id"], {"email_confirmed": now})
        if how == "bounced":
            accounts.change(tx, dan["id"], {"bounced": now})
    if how == "off":
        tables.web.patch("/v1/me", json={"notifications": {"mode": "off"}}, headers=headers)

    assert 201 == tables.invite(email=EMAIL).status_code
    assert [] == tables.letters()


def test_only_the_table_asks_and_reads(tables: Tables) -> None:
    """Only players at the table can invite others or read its invitations."""
    _, ben = newcomer(tables.web, "Ben")
    _, cem = newcomer(tables.web, "Cem")
    tables.web.post(f"/v1/games/{tables.game}/seats", headers=ben)
    tables.invite(email=EMAIL)

    assert 403 == tables.invite(headers=cem, email="x@example.org").status_code
    url = f"/v1/games/{tables.game}/invitations"
    assert 403 == tables.web.get(url, headers=cem).status_code
    assert 401 == tables.web.get(url).status_code
    assert [EMAIL] == [invitation["email"] for invitation in tables.listed()]
    assert [None] == [invitation["email"] for invitation in tables.listed(ben)]
    id = tables.listed()[0]["id"]
    assert 404 == tables.web.delete(f"{url}/{id}", headers=ben).status_code
    assert ["open"] == [invitation["state"] for invitation in tables.listed()]


def test_an_invitation_is_taken_back(tables: Tables) -> None:
    """The link of a withdrawn invitation says so, and no email is sent any more."""
    link = tables.link(email=EMAIL)
    id = tables.listed()[0]["id"]
    url = f"/v1/games/{tables.game}/invitations/{id}"

    assert 204 == tables.web.delete(url, headers=tables.host).status_code
    assert 204 == tables.web.delete(url, headers=tables.host).status_code
    assert 410 == tables.web.get(link).status_code
    assert 410 == tables.web.post(link, data={"choice": "new", "name": "Dan"}).status_code
    assert [] == tables.letters()
    assert ["withdrawn"] == [invitation["state"] for invitation in tables.listed()]


def test_a_full_table_has_no_seat(tables: Tables) -> None:
    """When the game has begun the link says so, and no one can be invited any more."""
    link = tables.link(email=EMAIL)
    tables.let_reservations_end()
    for name in ("Ben", "Cem"):
        _, headers = newcomer(tables.web, name)
        tables.web.post(f"/v1/games/{tables.game}/seats", headers=headers)

    assert 409 == tables.web.get(link).status_code
    assert 409 == tables.web.post(link, data={"choice": "new", "name": "Dan"}).status_code
    assert 409 == tables.invite(email="eve@example.org").status_code
    assert [] == tables.letters()
    assert 0 == len(
        [name for (name,) in desk_rows(tables.desk, account_rows, "name") if name == "Dan"]
    )


def test_an_invitation_has_its_time(tables: Tables) -> None:
    """An invitation is valid for 30 days."""
    place = Place(tables.app, tables.desk, tables.game, [])
    link = tables.link(email=EMAIL)

    with place.later(timedelta(days=29)):
        assert 200 == tables.web.get(link).status_code
    with place.later(timedelta(days=31)):
        assert 410 == tables.web.post(link, data={"choice": "new", "name": "Dan"}).status_code


def test_a_table_that_is_gone(tables: Tables) -> None:
    """When every player has left the table, its invitations cannot be accepted."""
    link = tables.link(email=EMAIL)
    tables.web.delete(f"/v1/games/{tables.game}/seats/mine", headers=tables.host)

    assert 410 == tables.web.get(link).status_code
    assert 410 == tables.web.post(link, data={"choice": "no"}).status_code


def test_private_tables_open_for_guests(each: Tables) -> None:
    """A guest invited to a private table can see and join it, by link or through the API."""
    each.game = each.opened(visibility="private")
    _, ben = newcomer(each.web, "Ben")
    url = f"/v1/games/{each.game}"

    assert 404 == each.web.get(url, headers=ben).status_code
    each.invite(name="Ben")
    assert 200 == each.web.get(url, headers=ben).status_code
    assert 201 == each.web.post(f"{url}/seats", headers=ben).status_code
    link = each.link(email=EMAIL)
    assert 303 == each.web.post(link, data={"choice": "new", "name": "Dan"}).status_code
    assert 3 == len(each.names())


def test_a_declined_private_table_is_hidden_again(tables: Tables) -> None:
    """A guest who has declined no longer sees the private table."""
    tables.game = tables.opened(visibility="private")
    _, ben = newcomer(tables.web, "Ben")
    link = tables.link(name="Ben")
    tables.web.post(link, data={"choice": "no"})

    assert 404 == tables.web.get(f"/v1/games/{tables.game}", headers=ben).status_code


WAYS = ("", "/events", "/messages", "/board.svg", "/log", "/decision")


def test_a_private_game_is_hidden_from_guests_who_never_sat_down(each: Tables) -> None:
    """A private game that has begun is hidden from invited guests who did not join it."""
    each.game = each.opened(visibility="private", seats=2)
    _, ben = newcomer(each.web, "Ben")
    _, cem = newcomer(each.web, "Cem")
    url = f"/v1/games/{each.game}"
    for name in ("Ben", "Cem"):
        each.invite(name=name)
    assert 200 == each.web.get(url, headers=cem).status_code
    assert 201 == each.web.post(f"{url}/seats", headers=ben).status_code

    assert {404} == {each.web.get(url + way, headers=cem).status_code for way in WAYS}
    seen = each.web.get(url, headers={**cem, "If-None-Match": '"0"'})
    assert 404 == seen.status_code
    assert 200 == each.web.get(url, headers=ben).status_code


def test_a_guest_who_left_does_not_see_the_private_game(tables: Tables) -> None:
    """A guest who left before the game began cannot see it, and their event stream ends."""
    tables.game = tables.opened(visibility="private")
    url = f"/v1/games/{tables.game}"
    guests = {name: newcomer(tables.web, name)[1] for name in ("Ben", "Cem", "Dan")}
    for name in guests:
        tables.invite(name=name)
    tables.web.post(f"{url}/seats", headers=guests["Cem"])
    tables.web.delete(f"{url}/seats/mine", headers=guests["Cem"])
    headers = {**guests["Cem"], "Accept": "text/event-stream"}
    stream = iter(tables.web.get(f"{url}/events", headers=headers).response)
    assert b"retry: 1000\n\n" == next(stream)
    for name in ("Ben", "Dan"):
        tables.web.post(f"{url}/seats", headers=guests[name])

    assert next(stream, None) is None
    statuses = [tables.web.get(url, headers=guest).status_code for guest in guests.values()]
    assert [200, 404, 200] == statuses


def test_an_old_invitation_shows_no_private_table(tables: Tables) -> None:
    """An invitation older than 30 days no longer shows the private table."""
    tables.game = tables.opened(visibility="private")
    _, ben = newcomer(tables.web, "Ben")
    tables.invite(name="Ben")
    month = timestamps.later(timestamps.now(), -signed_links.FOR_INVITATION)
    with tables.desk.database.writing() as tx:
        tx.execute(invitations_table.update().values(at=month))

    assert 404 == tables.web.get(f"/v1/games/{tables.game}", headers=ben).status_code


def test_a_letter_is_one_delivery(each: Tables) -> None:
    """An email to a stranger is one delivery in the outbox, on behalf of the host."""
    each.invite(email=EMAIL)
    desk: Desk = each.desk
    outbox.spread(desk)
    claimed = claim_mail(desk, 10)

    assert [[("invited", each.account["id"])]] == [
        [(delivery.kind, delivery.account) for delivery in letter] for letter in claimed
    ]
    made = invitation_letters.letter(desk, (claimed[0][0].data or {})["invitation"])
    assert made is not None
    assert (EMAIL, "Ada", None) == (made.email, made.host, made.guest)
    assert ["Ada"] == made.table["players"]


def test_a_host_who_goes_takes_the_letters_along(tables: Tables) -> None:
    """Deleting the host's account removes its invitations and their emails."""
    tables.invite(email=EMAIL)
    caller = Caller(str(tables.account["id"]), "", frozenset())
    account_deletion.delete(tables.desk, caller)

    assert [] == tables.letters()
    assert [] == desk_rows(tables.desk, invitations_table, "email")


def test_a_stream_is_refused_if_its_game_closes_between_two_looks(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that begins between two reads of a stream request gives 404, not an error."""

    def closed(*_: object) -> None:
        raise refusals.not_found()

    monkeypatch.setattr(reading, "newly_opened", closed)
    tables.game = tables.opened()
    ben = newcomer(tables.web, "Ben")[1]
    headers = {**ben, "Accept": "text/event-stream"}
    answer = tables.web.get(f"/v1/games/{tables.game}/events", headers=headers)

    assert 404 == answer.status_code
