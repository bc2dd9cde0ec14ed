"""The key of the fingerprints, opt-outs of old, and what an operator can do about both."""

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import MetaData, Table, insert, text

from service import housekeeping, readiness
from service.desk import Desk
from service.games import invitations, lobby
from service.links import signed_links
from service.people import address_fingerprints, opt_outs
from service.refusals import Refused
from store import schema
from store.database import Database
from store.tables import mail_opt_outs
from tests.cli.running import run
from tests.service.conftest import SIGNING
from tests.service.newcomers import newcomer, rows
from tests.service.owing import on_its_way, reachable
from tests.service.threads import at_once
from tests.workers.correspondence import composed, delivery

EMAIL = "dan@example.org"
OTHER = "another key that is as long as it has to be"


def _with_keys(desk: Desk, *keys: str) -> Desk:
    settings = desk.settings
    object.__setattr__(settings, "secret_keys", keys)
    return desk


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
    """Case and tags do not make another one, nor do dots where the provider ignores them."""
    assert expected == address_fingerprints.mailbox(email)


def test_the_key_is_made_once(each_desk: Desk) -> None:
    """Of many who need it at the same moment one makes it, and all use the same."""

    def made(_: int) -> str:
        with each_desk.database.writing() as tx:
            return address_fingerprints.fingerprint(each_desk, tx, EMAIL)

    assert 1 == len({*at_once(8, made), address_fingerprints.known_fingerprint(each_desk, EMAIL)})


def test_the_key_outlives_the_keys_that_seal_it(desk: Desk) -> None:
    """When SECRET_KEYS change it is sealed anew, and fingerprints stay what they were."""
    before = address_fingerprints.known_fingerprint(desk, EMAIL)
    housekeeping.tidy(_with_keys(desk, OTHER, SIGNING))
    assert before == address_fingerprints.known_fingerprint(_with_keys(desk, OTHER), EMAIL)
    assert [] == readiness.faults(desk)


def test_a_lost_key_is_not_replaced_in_silence(desk: Desk) -> None:
    """With other SECRET_KEYS opt-outs would be forgotten: so the service is not ready."""
    address_fingerprints.known_fingerprint(desk, EMAIL)
    _with_keys(desk, OTHER)
    assert [readiness.LOST_KEY] == readiness.faults(desk)
    with pytest.raises(Refused) as refused:
        newcomer(desk, "Dan", email=EMAIL)
    assert "unavailable" == refused.value.code


def test_an_operator_gives_a_lost_key_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only then is there a new key, and nobody has opted out any more."""
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    _with_keys(desk, OTHER)
    monkeypatch.setenv("DATABASE_URL", desk.settings.database_url)
    monkeypatch.setenv("SECRET_KEYS", OTHER)
    done = run("db", "forget-opt-outs", "--yes")
    assert (0, True) == (done.exit_code, "Forgotten: 1 opt-outs." in done.output)
    assert ([], []) == (readiness.faults(desk), rows(desk, mail_opt_outs, "mailbox"))


def test_an_operator_takes_an_opt_out_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a reader who has no letter of ours left."""
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    monkeypatch.setenv("DATABASE_URL", desk.settings.database_url)
    monkeypatch.setenv("SECRET_KEYS", SIGNING)
    for expected in ("can go there again", "Nobody had opted out"):
        done = run("db", "write-again", "Dan+x@example.org")
        assert (0, True) == (done.exit_code, expected in done.output)
    assert 1 == run("db", "write-again", "nonsense").exit_code


def test_a_letter_that_waits_is_stopped(desk: Desk) -> None:
    """Who opts out while a letter is on its way does not get it any more."""
    host = reachable(desk, "Host")
    game = lobby.open_game(desk, host, lobby.NewGame("usa", (), 2), None)["id"]
    id = invitations.invite(desk, host, game, {"email": EMAIL}, None)["id"]
    assert ["invited"] == on_its_way(desk, "kind")
    about = delivery(host, "invited", data={"invitation": id})
    assert composed(desk, about) is not None
    with desk.database.writing() as tx:
        opt_outs.add(desk, tx, EMAIL)
    assert composed(desk, about) is None


def test_opt_outs_of_old_are_kept(tmp_path: Path, desk: Desk) -> None:
    """What an older version has stored with a game holds for ever, under the key when it is met."""
    old = Database(f"sqlite:///{tmp_path}/old.db")
    config = schema._config()
    with old.writing() as tx:
        config.attributes["connection"] = tx
        command.upgrade(config, "0004")
        tx.execute(
            text(
                "INSERT INTO accounts (id, name, name_key, kind, locale, time_zone, hooks, "
                "settings, created) VALUES ('a', 'A', 'a', 'person', 'en', 'UTC', 0, '{}', '')"
            )
        )
        games = Table("games", MetaData(), autoload_with=tx)
        blank = {column.name: "" for column in games.c if not column.nullable}
        numbers = dict.fromkeys(("seats", "version", "changes", "said", "rules", "rated"), 0)
        row = {**blank, **numbers, "id": "g", "status": "open", "seed": b""}
        tx.execute(insert(games), [row])
        marks = (" never 5d4a1c3b2e7f8091", " declined 1111222233334444", EMAIL)
        for n, email in enumerate(marks):
            tx.execute(
                text("INSERT INTO invitations VALUES (:id, 'g', 'a', NULL, :email, '2026')"),
                {"id": str(n), "email": email},
            )
    schema.upgrade(old)
    with old.reading() as tx:
        assert [("5d4a1c3b2e7f8091", "2026")] == [
            tuple(row) for row in tx.execute(mail_opt_outs.select())
        ]
    old.close()

    plain = signed_links.fingerprint(EMAIL)
    with desk.database.writing() as tx:
        tx.execute(insert(mail_opt_outs), [{"mailbox": plain, "at": "2026"}])
        assert opt_outs.opted_out(desk, tx, EMAIL)
        assert not opt_outs.opted_out(desk, tx, "eve@example.org")
    assert [(address_fingerprints.known_fingerprint(desk, EMAIL),)] == rows(
        desk, mail_opt_outs, "mailbox"
    )


def test_a_link_to_sign_in_that_waits_is_stopped(desk: Desk) -> None:
    """Only if its reader has said so: a plain opt-out lets it through."""
    about = delivery(reachable(desk, "Ada"), "sign_in", data={"key": "k", "next": ""})
    mailbox = {"mailbox": address_fingerprints.known_fingerprint(desk, "ada@example.org")}
    opt_outs.page(desk, mailbox, "never")
    assert composed(desk, about) is not None
    opt_outs.page(desk, mailbox, "all")
    assert composed(desk, about) is None
