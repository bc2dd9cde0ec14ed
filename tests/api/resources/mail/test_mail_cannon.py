"""Limits on emails to strangers hold even when games and accounts are deleted in between."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from service import account_deletion, housekeeping
from service.links import signed_links
from service.people import opt_outs, sessions
from service.people.tokens import Caller
from store.people import accounts
from tests.api.inviting import EMAIL, Tables
from tests.api.serving import fresh_app, newcomer
from tests.promises.support.database_checks import count, text_of
from tests.service.support.tables import owed
from tests.service.support.threads import at_once
from tests.support.mail_links import Place, choices, path

RATES = {"RATE_LIMIT_INVITATIONS": "10/hour,30/day", "RATE_LIMIT_LETTERS": "30/hour,100/day"}


@pytest.fixture(params=["sqlite", "postgres"])
def limited(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tables]:
    """Ada's table on either database, with the default limits."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    url = url if request.param == "sqlite" else request.getfixturevalue("ready_postgres")
    opened = Tables(url, **RATES)
    yield opened
    opened.desk.close()


def _leave(tables: Tables, game: str) -> None:
    """Leave a table, which deletes it and everything about it."""
    url = f"/v1/games/{game}/seats/mine"
    assert 204 == tables.web.delete(url, headers=tables.host).status_code


def test_deleted_games_leave_the_counts_of_a_host(limited: Tables) -> None:
    """Deleting a table does not reset the number of invitations that a host has sent."""
    made = []
    for n in range(4):
        game = limited.opened()
        made += [limited.invite(game, email=f"p{n}{m}@example.org") for m in range(4)]
        _leave(limited, game)
    assert [201] * 10 + [429] * 6 == [response.status_code for response in made]
    assert 0 < int(made[-1].headers["Retry-After"]) <= 3600


def test_deleted_accounts_leave_the_counts_of_their_guest(limited: Tables) -> None:
    """A stranger gets three invitations a day, even when the hosts delete their accounts."""
    letters = []
    for n in range(5):
        account, limited.host = newcomer(limited.web, f"Eve {n}")
        game = limited.opened()
        assert 201 == limited.invite(game, email=EMAIL).status_code
        letters += limited.letters()
        account_deletion.delete(limited.desk, Caller(account["id"], "", frozenset()))
    assert [EMAIL] * 3 == letters


def test_a_source_is_counted_over_all_its_accounts(tmp_path: Path) -> None:
    """RATE_LIMIT_LETTERS counts the emails of a client address over all its accounts."""
    rates = {**RATES, "RATE_LIMIT_LETTERS": "6/day"}
    tables = Tables(f"sqlite:///{tmp_path}/nightmail.db", **rates)
    made = []
    for n in range(4):
        _, tables.host = newcomer(tables.web, f"Eve {n}")
        game = tables.opened()
        made += [tables.invite(game, email=f"p{n}{m}@example.org") for m in range(2)]
    assert [201] * 6 + [429] * 2 == [response.status_code for response in made]
    tables.web.environ_base["REMOTE_ADDR"] = "127.0.1.7"
    assert 201 == tables.invite(tables.opened(), email="other@example.org").status_code
    tables.desk.close()


def test_an_opt_out_outlives_games_and_accounts(limited: Tables) -> None:
    """An opt-out outlives the table and the host, and a later host cannot tell."""
    link = limited.link(email=EMAIL)
    assert 200 == limited.web.post(link, data={"choice": "never"}).status_code
    account_deletion.delete(limited.desk, Caller(limited.account["id"], "", frozenset()))
    _, limited.host = newcomer(limited.web, "Eve")
    for email in (EMAIL, "Dan+news@Example.org"):
        answer = limited.invite(limited.opened(), email=email)
        assert (201, "open") == (answer.status_code, (answer.json or {})["state"])
    assert [] == limited.letters()


def test_counts_go_after_a_day_and_opt_outs_stay(limited: Tables) -> None:
    """Only fingerprints of an address are stored: counts for a day, opt-outs for ever."""
    limited.web.post(limited.link(email=EMAIL), data={"choice": "never"})
    for days, counts in ((0, True), (1.01, False)):
        later = Place(limited.app, limited.desk, "", []).later(timedelta(days=days))
        with later:
            housekeeping.tidy(limited.app.extensions["nightmail"])
        assert counts == bool(count(limited.desk.database, "mail_counts"))
    assert 1 == count(limited.desk.database, "mail_opt_outs")
    assert EMAIL not in text_of(limited.desk.database)


def test_rivals_do_not_pass_a_limit_together(limited: Tables) -> None:
    """Of twelve concurrent requests for emails to one address, only three send one."""
    games = [limited.opened() for _ in range(12)]

    def ask(n: int) -> int:
        web = limited.app.test_client()
        url = f"/v1/games/{games[n]}/invitations"
        return web.post(url, json={"email": EMAIL}, headers=limited.host).status_code

    statuses = at_once(12, ask)
    assert (5, 7) == (
        statuses.count(201),
        statuses.count(429),
    )  # five an hour from one client address
    assert [EMAIL] * 3 == limited.letters()


def test_a_restart_forgets_no_count(tmp_path: Path) -> None:
    """The counts are kept in the database, so a restart does not reset them."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    statuses = []
    for n in range(2):
        app, desk = fresh_app(url, **RATES)
        web = app.test_client()
        for m in range(4):
            body = {"name": f"Eve {n}{m}", "email": f"dan+{n}{m}@example.org"}
            statuses.append(web.post("/v1/accounts", json=body).status_code)
        desk.close()
    assert [201] * 5 + [429] * 3 == statuses


def test_tags_of_an_address_are_one_mailbox(limited: Tables) -> None:
    """All `+tag` addresses of a mailbox share ten confirmations a day, from any client address."""
    for n in range(15):
        limited.web.environ_base["REMOTE_ADDR"] = f"127.0.2.{n}"
        newcomer(limited.web, f"Eve {n}", email=f"Dan+{n}@example.org")
    assert 10 == len(owed(limited.desk, "confirm_address"))
    for n in range(15):
        sessions.request_link(limited.desk, f"dan+{n}@example.org", "", f"127.0.3.{n}")
    assert 10 == len(owed(limited.desk, "confirm_address"))


def test_an_owner_gets_in_after_an_opt_out(limited: Tables) -> None:
    """After an opt-out a confirmed account still gets sign-in links, but nothing else."""
    dan, _ = newcomer(limited.web, "Dan", email=EMAIL)
    with limited.desk.database.writing() as tx:
        accounts.change(tx, dan["id"], {"email_confirmed": limited.desk.now()})
        opt_outs.add(limited.desk, tx, EMAIL)
    before = len(owed(limited.desk))
    limited.invite(name="Dan")
    limited.invite(email=EMAIL)
    newcomer(limited.web, "Eve", email=EMAIL)
    assert ([], before) == (limited.letters(), len(owed(limited.desk)))
    sessions.request_link(limited.desk, EMAIL)
    assert ("sign_in", dan["id"], None) == owed(limited.desk)[-1]


def test_an_owner_can_stop_links_to_sign_in_too(limited: Tables) -> None:
    """An owner can stop sign-in links as well, until they undo it."""
    dan, _ = newcomer(limited.web, "Dan", email=EMAIL)
    with limited.desk.database.writing() as tx:
        accounts.change(tx, dan["id"], {"email_confirmed": limited.desk.now()})
    link = path(opt_outs.link(limited.desk, EMAIL))
    assert 200 == limited.web.post(link, data={"choice": "all"}).status_code
    assert ["again", "keep"] == choices(limited.web.get(link))
    before = owed(limited.desk)
    sessions.request_link(limited.desk, EMAIL)
    assert before == owed(limited.desk)
    limited.web.post(link, data={"choice": "again"})
    sessions.request_link(limited.desk, EMAIL)
    assert ("sign_in", dan["id"], None) == owed(limited.desk)[-1]


def test_invitations_by_name_are_counted_for_their_reader(limited: Tables) -> None:
    """An account gets three invitations by name a day, even when the tables are deleted."""
    dan, _ = newcomer(limited.web, "Dan", email=EMAIL)
    with limited.desk.database.writing() as tx:
        accounts.change(tx, dan["id"], {"email_confirmed": limited.desk.now()})
    for _ in range(5):
        game = limited.opened()
        assert 201 == limited.invite(game, name="Dan").status_code
        _leave(limited, game)
    assert 3 == len(owed(limited.desk, "invited"))


def test_the_page_of_an_opt_out_acts_by_a_choice(limited: Tables) -> None:
    """GET changes nothing; an opt-out by choice or by one click lasts until it is undone."""
    link = path(opt_outs.link(limited.desk, EMAIL))
    page = limited.web.get(link)
    assert (200, ["never", "all", "keep"]) == (page.status_code, choices(page))
    assert 400 == limited.web.post(link, data={}).status_code
    assert 0 == count(limited.desk.database, "mail_opt_outs")
    for data in ({"choice": "never"}, {"List-Unsubscribe": "One-Click"}):
        assert 200 == limited.web.post(link, data=data).status_code
        assert 1 == count(limited.desk.database, "mail_opt_outs")
        assert ["again", "all", "keep"] == choices(limited.web.get(link))
        assert 200 == limited.web.post(link, data={"choice": "again"}).status_code
        assert 0 == count(limited.desk.database, "mail_opt_outs")
    assert 404 == limited.web.get("/never/nonsense").status_code


def test_a_question_can_be_answered_with_never(limited: Tables) -> None:
    """Answering a confirmation with `never` stops confirmations to that address for good."""
    dan, _ = newcomer(limited.web, "Dan", email=EMAIL)
    link = path(signed_links.confirm_address(limited.desk, dan["id"], EMAIL))
    answer = limited.web.post(link, data={"choice": "never"})
    assert (200, True) == (answer.status_code, "nobody can have mail" in answer.text)
    newcomer(limited.web, "Eve", email=EMAIL)
    assert [dan["id"]] == [account for _, account, _ in owed(limited.desk, "confirm_address")]
